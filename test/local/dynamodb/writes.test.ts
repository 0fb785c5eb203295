// What the embedded engine writes, and what it refuses.
import { expect, test } from 'vitest';
import { ask, keyOf, noteOf, openNotes, put, refusal } from './small-table.ts';

const tags = (...texts: string[]) => ({ L: texts.map((S) => ({ S })) });

test('a value that is set from the item is a copy of it', () => {
  const engine = openNotes();
  put(engine, 'ada', 1, { parts: { L: [{ M: { n: { N: '1' } } }] } });
  ask(engine, 'UpdateItem', {
    Key: keyOf('ada', 1),
    UpdateExpression: 'SET parts[0].n = :n, all_parts = list_append(parts, :none), parts[0].parts = parts',
    ExpressionAttributeValues: { ':n': { N: '2' }, ':none': { L: [] } },
  });
  const before = { L: [{ M: { n: { N: '1' } } }] };
  expect(noteOf(engine, 'ada', 1)).toEqual({
    ...keyOf('ada', 1),
    parts: { L: [{ M: { n: { N: '2' }, parts: before } }] },
    all_parts: before,
  });
});

test('all parts of an update see the old item, whatever their order', () => {
  const engine = openNotes();
  put(engine, 'ada', 1, { tags: { L: ['a', 'b', 'c'].map((S) => ({ M: { S: { S } } })) } });
  ask(engine, 'UpdateItem', {
    Key: keyOf('ada', 1),
    UpdateExpression: 'REMOVE tags[0], tags[1].S SET tags[9] = tags[0].S, copied = tags[0].S',
  });
  expect(noteOf(engine, 'ada', 1)).toEqual({
    ...keyOf('ada', 1),
    copied: { S: 'a' },
    tags: { L: [{ M: {} }, { M: { S: { S: 'c' } } }, { S: 'a' }] },
  });
});

test('an update that does not fit the item is refused, and changes nothing', () => {
  const engine = openNotes();
  put(engine, 'ada', 1, { tags: tags('a') });
  const update = (UpdateExpression: string, value: unknown) => () =>
    ask(engine, 'UpdateItem', {
      Key: keyOf('ada', 1),
      UpdateExpression,
      ExpressionAttributeValues: JSON.parse(JSON.stringify({ ':value': value })),
    });
  for (const [expression, value, message] of [
    ['SET tags.x = :value', { S: 'b' }, /^The update does not fit the item at tags.x$/],
    ['SET n = absent + :value', { N: '1' }, /^The update does not fit the item at absent$/],
    ['ADD tags :value', { N: '1' }, /^The update does not fit the item at tags$/],
    ['SET topic = :value', { N: '1' }, /^topic is a key: its type is S, and it is not empty$/],
    ['SET author = :value', { S: 'eve' }, /^An update does not change the key$/],
    ['SET tags = :value, tags[0] = :value', { S: 'b' }, /^Two paths of an expression overlap: /],
    ['SET tags = = :value', { S: 'b' }, /^The local table does not know "=" at token 3 of the expression /],
  ] as const)
    expect(refusal(update(expression, value)).message).toMatch(message);
  expect(noteOf(engine, 'ada', 1)).toEqual({ ...keyOf('ada', 1), tags: tags('a') });
});

const putOf = (number: number, more = {}) => ({
  Put: { TableName: 'Notes', Item: keyOf('ada', number), ...more },
});
const onlyNew = { ConditionExpression: 'attribute_not_exists(author)' };

test('a transaction does all or nothing, and reports which actions were refused', () => {
  const engine = openNotes();
  put(engine, 'ada', 2, { tags: tags('a') });
  const shows = { ...onlyNew, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  const { code, message, details } = refusal(() =>
    ask(engine, 'TransactWriteItems', { TransactItems: [putOf(1), putOf(2, shows), putOf(3)] }),
  );
  expect({ code, message }).toEqual({
    code: 'TransactionCanceledException',
    message:
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]',
  });
  expect(details).toEqual({
    CancellationReasons: [
      { Code: 'None' },
      {
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
        Item: { ...keyOf('ada', 2), tags: tags('a') },
      },
      { Code: 'None' },
    ],
  });
  expect(ask(engine, 'Scan', {})).toMatchObject({ Count: 1 });
});

test('a transaction with a token is done once, and refused with other actions', () => {
  const engine = openNotes();
  const transact = (...TransactItems: ReturnType<typeof putOf>[]) =>
    ask(engine, 'TransactWriteItems', { TransactItems, ClientRequestToken: 'once' });
  transact(putOf(1, onlyNew));
  ask(engine, 'DeleteItem', { Key: keyOf('ada', 1) });
  expect(transact(putOf(1, onlyNew))).toEqual({});
  expect(noteOf(engine, 'ada', 1)).toBeUndefined();
  expect(refusal(() => transact(putOf(2))).code).toBe('IdempotentParameterMismatchException');
});

test('a transaction with a token is known again by what its texts are, not by how memory has them', () => {
  const engine = openNotes();
  const text = 'x'.repeat(100);
  // Equal to the text; its characters take two bytes in memory.
  const wide = `\u1234${text}`.slice(1);
  const transact = (S: string) =>
    ask(engine, 'TransactWriteItems', {
      TransactItems: [{ Put: { TableName: 'Notes', Item: { ...keyOf('ada', 1), text: { S } } } }],
      ClientRequestToken: 'once',
    });
  transact(text);
  expect(transact(wide)).toEqual({});
});

// What the embedded engine reads, page by page.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/local/json-values.ts';
import { ask, keyOf, openNotes, put, refusal } from './small-table.ts';

const ofAda: JsonObject = {
  KeyConditionExpression: 'author = :author',
  ExpressionAttributeValues: { ':author': { S: 'ada' } },
};

test('a page ends where 1 MB is reached, and the next continues from there', () => {
  const engine = openNotes();
  for (let number = 1; number <= 5; number += 1)
    put(engine, 'ada', number, { text: { S: 'x'.repeat(300_000) } });
  const first = ask(engine, 'Query', ofAda);
  expect(first).toMatchObject({ Count: 4, LastEvaluatedKey: keyOf('ada', 4) });
  const rest = ask(engine, 'Query', { ...ofAda, ExclusiveStartKey: first.LastEvaluatedKey });
  expect(rest).toMatchObject({ Count: 1 });
  expect(rest).not.toHaveProperty('LastEvaluatedKey');
});

test('a page full by its Limit does not reveal whether it is the last', () => {
  const engine = openNotes();
  for (const number of [10, 9, -1]) put(engine, 'ada', number);
  const page = ask(engine, 'Query', { ...ofAda, Limit: 3 });
  expect(page.Items).toEqual([keyOf('ada', -1), keyOf('ada', 9), keyOf('ada', 10)]);
  expect(page.LastEvaluatedKey).toEqual(keyOf('ada', 10));
  expect(ask(engine, 'Query', { ...ofAda, ExclusiveStartKey: page.LastEvaluatedKey })).toEqual({
    Items: [],
    Count: 0,
    ScannedCount: 0,
  });
});

test('an index contains only items with its key, and drops those that lose it', () => {
  const engine = openNotes();
  put(engine, 'ada', 1, { topic: { S: 'engines' } });
  put(engine, 'ada', 2);
  const ofTopic = () =>
    ask(engine, 'Query', {
      IndexName: 'ByTopic',
      KeyConditionExpression: 'topic = :topic',
      ExpressionAttributeValues: { ':topic': { S: 'engines' } },
    });
  expect(ofTopic()).toMatchObject({ Count: 1, Items: [{ ...keyOf('ada', 1), topic: { S: 'engines' } }] });
  ask(engine, 'UpdateItem', { Key: keyOf('ada', 1), UpdateExpression: 'REMOVE topic' });
  expect(ofTopic()).toMatchObject({ Count: 0 });
  expect(ask(engine, 'Scan', {})).toMatchObject({ Count: 2 });
});

test.each([
  ['GetItem', { Key: keyOf('ada', 1), AttributesToGet: ['text'] }, 'the member "AttributesToGet"'],
  ['Query', { ...ofAda, Select: 'COUNT' }, 'the member "Select"'],
  ['Scan', { FilterExpression: 'contains(text, :x)' }, '"(" at token 1 of the expression'],
  ['PutItem', { Item: { ...keyOf('ada', 1), text: { NS: ['1'] } } }, 'the value {"NS":["1"]}'],
  ['Purge', {}, 'the operation "Purge"'],
])('%s with what the store does not send is refused by its name', (operation, input, named) => {
  const { code, message } = refusal(() => ask(openNotes(), operation, input));
  expect(code).toBe('ValidationException');
  expect(message).toContain(`does not know ${named}`);
});

test('a number has at most 38 digits', () => {
  const engine = openNotes();
  const digits = '12345678901234567890123456789012345678';
  put(engine, 'ada', `${digits}.0`);
  expect(ask(engine, 'Query', ofAda).Items).toEqual([keyOf('ada', digits)]);
  const added = (value: string) =>
    ask(engine, 'UpdateItem', {
      Key: keyOf('ada', digits),
      UpdateExpression: 'SET n = :digits + :more',
      ExpressionAttributeValues: { ':digits': { N: digits }, ':more': { N: value } },
      ReturnValues: 'UPDATED_NEW',
    }).Attributes;
  expect(added('1')).toEqual({ n: { N: '12345678901234567890123456789012345679' } });
  expect(refusal(() => added('0.1')).message).toBe(
    'Attempting to store more than 38 significant digits in a Number',
  );
});

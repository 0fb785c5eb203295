// The table in memory answers as the real engine does, to everything that the store's expressions can say.

import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { table } from '#store/table.ts';
import { memoryTable } from '../support/memory-table/memory-table.ts';
import { random } from '../support/random.ts';
import { useTable } from '../support/table.ts';

useTable();

const TableName = 'Table';
const chance = random(7);
const key = () => ({ pk: `P${chance.below(2)}`, sk: `S${chance.below(4)}` });
const number = () => chance.pick([0, 1, 7, 2.5, 12_345_678_901_234_567_890n]);
const conditions = [
  '',
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  'n = :n',
  'n < :n AND attribute_exists(#m.deep)',
  'attribute_not_exists(n) OR n >= :n',
  '(attribute_exists(pk) AND n <> :n) OR size(l) < :two',
];
const updates = [
  'SET n = :n, s = :s',
  'SET #m.deep = :n',
  'SET n = n + :two, s = if_not_exists(s, :s)',
  'SET l = list_append(if_not_exists(l, :none), :list)',
  'REMOVE s, l',
  'ADD n :two',
  'SET s = :s REMOVE #m',
];

/** The engine lets remove from a map that is missing; AWS and the table in memory refuse it. */
const withinMap = {
  UpdateExpression: 'SET s = :s REMOVE #m.deep',
  ConditionExpression: 'attribute_exists(#m)',
};

function values(expressions: (string | undefined)[]) {
  const all = { ':n': number(), ':s': 'text', ':two': 2, ':none': [], ':list': [{ a: 1 }] };
  const used = (name: string) => expressions.some((text) => text && new RegExp(`${name}\\b`).test(text));
  const chosen = Object.entries(all).filter(([name]) => used(name));
  return {
    ...(chosen.length > 0 && { ExpressionAttributeValues: Object.fromEntries(chosen) }),
    ...(used('#m') && { ExpressionAttributeNames: { '#m': 'm' } }),
  };
}

function write() {
  const ConditionExpression = chance.pick(conditions) || undefined;
  const UpdateExpression = chance.pick(updates);
  const conditional = { TableName, ConditionExpression, ...values([ConditionExpression]) };
  const due = chance.oneIn(2) ? { due_pk: 'RUN', due_at: chance.below(9) } : {};
  const Item = {
    ...key(),
    n: number(),
    m: { deep: 'x' },
    l: [1],
    bytes: Buffer.from([1, 2]),
    no: undefined,
    ...due,
  };
  return chance.pick([
    { Put: { ...conditional, Item } },
    { Put: { ...conditional, Item } },
    { Delete: { ...conditional, Key: key() } },
    { Update: { TableName, Key: key(), ...withinMap, ...values(Object.values(withinMap)) } },
    {
      Update: {
        ...{ TableName, Key: key(), UpdateExpression, ConditionExpression },
        ...values([ConditionExpression, UpdateExpression]),
      },
    },
  ]);
}

/** One command at random. */
function command() {
  const one = write();
  const pk = key().pk;
  const range = { ':pk': pk, ':a': 'S1', ':b': 'S2' };
  switch (chance.below(8)) {
    case 0:
      return new GetCommand({ TableName, Key: key(), ConsistentRead: true });
    case 1:
      return new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :a AND :b',
        ExpressionAttributeValues: range,
      });
    case 2:
      return new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ScanIndexForward: chance.oneIn(2),
        Limit: 1 + chance.below(5),
      });
    case 3:
      return new QueryCommand({
        TableName,
        IndexName: 'due',
        KeyConditionExpression: 'due_pk = :kind AND due_at < :now',
        ExpressionAttributeValues: { ':kind': 'RUN', ':now': 5 },
      });
    case 4:
      return new TransactWriteCommand({ TransactItems: [one, write()] });
    default:
      if (one.Put) return new PutCommand(one.Put);
      if (one.Delete) return new DeleteCommand(one.Delete);
      return new UpdateCommand({ ...one.Update, ReturnValues: 'ALL_NEW' });
  }
}

/** What a reply says, or its refusal; items that share a place in the index have no order between them. */
async function told(answer: () => Promise<object> | object) {
  try {
    const { Item, Items, Attributes, LastEvaluatedKey } = Object(await answer());
    const last = LastEvaluatedKey && { pk: LastEvaluatedKey.pk, sk: LastEvaluatedKey.sk };
    const inOrder = Items?.toSorted((a: Record<string, number>, b: Record<string, number>) =>
      a.due_at !== b.due_at ? 0 : `${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1,
    );
    return { Item, Items: inOrder, Attributes, last };
  } catch (error) {
    const { name, CancellationReasons = [] } = Object(error);
    return { name, reasons: CancellationReasons.map(({ Code }: { Code: string }) => Code) };
  }
}

/** The overloads of the client tell the shape of each reply; here any command goes through. */
const engine: { send(command: object): Promise<object> } = table;

test('1,000 commands at random have the same answers', async () => {
  const memory = memoryTable({ pk: 'due_pk', sk: 'due_at' });
  const names = new Map<string, number>();
  for (let i = 0; i < 1000; i += 1) {
    const one = command();
    const real = await told(() => engine.send(one));
    const here = await told(() => memory.perform(one.constructor.name, one.input));
    expect(
      here,
      `${i} ${one.constructor.name} ${JSON.stringify(one.input, (_, v) => (typeof v === 'bigint' ? `${v}n` : v))}`,
    ).toEqual(real);
    const outcome = `${one.constructor.name} ${real.name ?? 'ok'}`;
    names.set(outcome, (names.get(outcome) ?? 0) + 1);
  }
  for (const refused of ['PutCommand', 'UpdateCommand', 'DeleteCommand'])
    expect(names.get(`${refused} ConditionalCheckFailedException`)).toBeGreaterThan(20);
  expect(names.get('TransactWriteCommand TransactionCanceledException')).toBeGreaterThan(20);
}, 60_000);

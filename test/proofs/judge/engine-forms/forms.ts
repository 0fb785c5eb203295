// Random requests of the forms that the store sends, on one table with the template's keys and indexes.
import type { JsonObject } from '../../../../lib/local/json-values.ts';
import type { Random } from '../../../support/random.ts';

const TableName = 'Forms';
const key = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  { AttributeName: range, KeyType: 'RANGE' },
];

/** The input that creates the table. */
export const createInput: JsonObject = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: key('pk', 'sk'),
  AttributeDefinitions: [
    ...['pk', 'sk', 'due_pk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    { AttributeName: 'due_at', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    { IndexName: 'due', KeySchema: key('due_pk', 'due_at'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
};

const TEXTS = ['', 'a', 'b', 'ab', 'é', '𝄞', 'x'.repeat(300)];
const NUMBERS = ['0', '1', '-1', '2.50', '1e3', '99999999999999999999999999999999999999', '0.1'];

const text = (random: Random): JsonObject => ({ S: random.pick(TEXTS) });
const number = (random: Random): JsonObject => ({ N: random.pick(NUMBERS) });
const set = (random: Random): JsonObject => ({ SS: random.pick([['a'], ['a', 'b'], ['b', 'c']]) });
const list = (random: Random): JsonObject => ({
  L: random.pick([[], [{ N: '1' }], [{ S: 'a' }, { M: {} }]]),
});
const map = (random: Random): JsonObject => ({ M: random.pick([{}, { r: { M: { held: { N: '1' } } } }]) });
const any = (random: Random): JsonObject =>
  random.pick([text, number, set, list, map, () => ({ BOOL: true }), () => ({ NULL: true })])(random);
const keyOf = (random: Random): JsonObject => ({
  pk: { S: random.pick(['p', 'q']) },
  sk: { S: random.pick(['a', 'ab', 'b', 'é']) },
});

function itemOf(random: Random): JsonObject {
  const makers = { s: text, n: number, tags: set, noted: list, slots: map, x: any };
  const item = Object.entries(makers).flatMap(([name, make]) =>
    random.oneIn(3) ? [] : [[name, make(random)]],
  );
  const isDue = random.oneIn(2) && { due_pk: { S: 'runs' }, due_at: number(random) };
  return { ...Object.fromEntries(item), ...isDue, ...keyOf(random) };
}

/** An expression, its names and its values; for an update also what the item must have, as in the store. */
type Form = readonly [
  text: string,
  values: (random: Random) => JsonObject,
  names?: JsonObject,
  needs?: string,
];

const none = () => ({});
const CONDITIONS: readonly Form[] = [
  ['attribute_exists(pk)', none],
  ['attribute_not_exists(pk)', none],
  ['(attribute_not_exists(pk) OR n <= :c) AND NOT s = :d', (one) => ({ ':c': number(one), ':d': text(one) })],
  [
    '#n = :c AND slots.#r.held >= :d',
    (one) => ({ ':c': any(one), ':d': number(one) }),
    { '#n': 'n', '#r': 'r' },
  ],
  ['size(noted) < :c AND (attribute_not_exists(slots) OR size(slots) = :c)', () => ({ ':c': { N: '1' } })],
  ['x <> :c', (one) => ({ ':c': any(one) })],
];
const UPDATES: readonly Form[] = [
  [
    'SET n = if_not_exists(n, :a) + :b, s = :t',
    (one) => ({ ':a': number(one), ':b': number(one), ':t': text(one) }),
  ],
  ['SET n = n - :a REMOVE due_pk, due_at', (one) => ({ ':a': number(one) })],
  ['SET noted = list_append(if_not_exists(noted, :a), :b)', (one) => ({ ':a': { L: [] }, ':b': list(one) })],
  ['SET slots.#r = :a', (one) => ({ ':a': any(one) }), { '#r': 'r' }, 'attribute_exists(slots)'],
  [
    'SET slots.#r.held = :a ADD n :b',
    (one) => ({ ':a': number(one), ':b': number(one) }),
    { '#r': 'r' },
    'attribute_exists(slots.#r.held)',
  ],
  ['REMOVE slots.#r', none, { '#r': 'r' }, 'attribute_exists(slots.#r)'],
  ['ADD tags :a, n :b', (one) => ({ ':a': set(one), ':b': number(one) })],
  ['DELETE tags :a', (one) => ({ ':a': set(one) })],
  ['SET due_pk = :a, due_at = :b', (one) => ({ ':a': text(one), ':b': any(one) })],
];

function expressions(random: Random, forms: Readonly<Record<string, Form | undefined>>): JsonObject {
  const given = Object.entries(forms).flatMap(([name, form]) => (form ? [[name, form] as const] : []));
  const values = Object.assign({}, ...given.map(([, [, make]]) => make(random)));
  const names = Object.assign({}, ...given.map(([, [, , more]]) => more));
  return {
    ...Object.fromEntries(given.map(([name, [expression]]) => [name, expression])),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
  };
}

const condition = (random: Random) => (random.oneIn(2) ? undefined : random.pick(CONDITIONS));

function write(random: Random): [kind: 'Put' | 'Update' | 'Delete', input: JsonObject] {
  const kind = random.pick(['Put', 'Update', 'Update', 'Delete'] as const);
  const UpdateExpression = kind === 'Update' ? random.pick(UPDATES) : undefined;
  const needs: Form | undefined = UpdateExpression?.[3] ? [UpdateExpression[3], none] : undefined;
  const given = expressions(random, { UpdateExpression, ConditionExpression: needs ?? condition(random) });
  const subject = kind === 'Put' ? { Item: itemOf(random) } : { Key: keyOf(random) };
  return [kind, { TableName, ...subject, ...given }];
}

function single(random: Random): [operation: string, input: JsonObject] {
  const [kind, input] = write(random);
  const returns = kind === 'Update' ? ['NONE', 'ALL_NEW', 'UPDATED_NEW'] : ['NONE', 'ALL_OLD'];
  return [`${kind}Item`, { ...input, ReturnValues: random.pick(returns) }];
}

const pageOf = (random: Random): JsonObject => ({ ...(random.oneIn(2) && { Limit: 1 + random.below(3) }) });
const QUERIES: readonly Form[] = [
  ['pk = :p', none],
  ['pk = :p AND begins_with(sk, :k)', (one) => ({ ':k': { S: one.pick(['a', 'é']) } })],
  ['pk = :p AND sk BETWEEN :k AND :l', () => ({ ':k': { S: 'a' }, ':l': { S: 'b' } })],
  ['pk = :p AND sk >= :k', () => ({ ':k': { S: 'ab' } })],
];

const operations: readonly ((random: Random) => [operation: string, input: JsonObject])[] = [
  single,
  single,
  (random) => {
    const writes = Array.from({ length: 1 + random.below(3) }, () => write(random));
    const TransactItems = writes.map(([kind, input]) => ({ [kind]: input }));
    return ['TransactWriteItems', { TransactItems }];
  },
  (random) => ['GetItem', { TableName, Key: keyOf(random), ConsistentRead: true }],
  (random) => {
    const ofDue = expressions(random, {
      KeyConditionExpression: [
        'due_pk = :p AND due_at < :n',
        (one) => ({ ':p': { S: 'runs' }, ':n': number(one) }),
      ],
    });
    return ['Query', { TableName, IndexName: 'due', ...ofDue }];
  },
  (random) => {
    const [text, values] = random.pick(QUERIES);
    const whole: Form = [text, (one) => ({ ':p': { S: 'p' }, ...values(one) })];
    const query = expressions(random, { KeyConditionExpression: whole });
    return ['Query', { TableName, ...query, ...pageOf(random), ScanIndexForward: random.oneIn(2) }];
  },
];

/** A request of one of the forms. */
export function formOf(random: Random): [operation: string, input: JsonObject] {
  return random.pick(operations)(random);
}

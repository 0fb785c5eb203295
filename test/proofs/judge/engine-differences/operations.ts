// Random operations that are right: most of them find something and do something.
import type { JsonObject } from '../../../../lib/local/json-values.ts';
import type { Random } from '../../../support/random.ts';
import type { Asked } from './asked.ts';
import { condition, keyCondition, projection } from './expressions.ts';
import { type Index, partsOf, randomItem, randomKey, type Table } from './tables.ts';
import { update } from './updates.ts';
import { Words } from './words.ts';

/** What operations are made from. */
export interface Scene {
  random: Random;
  tables: readonly Table[];
  /** Inputs of earlier queries with the last keys of their pages. */
  pages: Asked[];
  /** Transactions that had a token. */
  tokens: Asked[];
}

type Maker = (scene: Scene) => Asked;

const CAPACITY = ['NONE', 'TOTAL', 'INDEXES', 'INDEXES'];
const UPDATE_RETURNS = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'UPDATED_NEW'];
const KEPT = 20;

const capacity = (random: Random): JsonObject =>
  random.oneIn(3) ? { ReturnConsumedCapacity: random.pick(CAPACITY) } : {};

/** An occasional condition on an item, and what to return when it fails. */
function conditionMembers(random: Random, words: Words, table: Table, oneIn = 4): JsonObject {
  if (!random.oneIn(oneIn)) return {};
  const hash = table.key.hash.name;
  const forms: readonly (() => string)[] = [
    () => `attribute_exists(${words.name(hash)})`,
    () => `attribute_not_exists(${words.name(hash)})`,
    () => `attribute_exists(${words.name(hash)}) OR ${condition(random, words)}`,
    () => condition(random, words),
  ];
  return {
    ConditionExpression: random.pick(forms)(),
    ...(random.oneIn(2) && {
      ReturnValuesOnConditionCheckFailure: random.pick(['ALL_OLD', 'ALL_OLD', 'NONE']),
    }),
  };
}

function indexKeys({ key, indexes }: Table) {
  const own = partsOf(key).map(({ name }) => name);
  return indexes.flatMap((index) => partsOf(index.key)).filter(({ name }) => !own.includes(name));
}

function projectionMembers(random: Random, words: Words, table: Table): JsonObject {
  if (!random.oneIn(3)) return {};
  const more = [...partsOf(table.key), ...indexKeys(table)].map(({ name }) => name);
  return { ProjectionExpression: projection(random, words, more) };
}

const getItem: Maker = ({ random, tables }) => {
  const [table, words] = [random.pick(tables), new Words(random)];
  const projected = projectionMembers(random, words, table);
  return {
    operation: 'GetItem',
    input: {
      TableName: table.name,
      Key: randomKey(random, table),
      ...projected,
      ...(random.oneIn(3) && { ConsistentRead: random.oneIn(2) }),
      ...capacity(random),
      ...words.members(),
    },
  };
};

const putItem: Maker = ({ random, tables }) => {
  const [table, words] = [random.pick(tables), new Words(random)];
  const conditions = conditionMembers(random, words, table);
  return {
    operation: 'PutItem',
    input: {
      TableName: table.name,
      Item: randomItem(random, table),
      ...conditions,
      ...(random.oneIn(3) && { ReturnValues: random.pick(['NONE', 'ALL_OLD']) }),
      ...capacity(random),
      ...words.members(),
    },
  };
};

const updateItem: Maker = ({ random, tables }) => {
  const [table, words] = [random.pick(tables), new Words(random)];
  const updated = random.oneIn(30) ? {} : { UpdateExpression: update(random, words, indexKeys(table)) };
  const conditions = conditionMembers(random, words, table);
  return {
    operation: 'UpdateItem',
    input: {
      TableName: table.name,
      Key: randomKey(random, table),
      ...updated,
      ...conditions,
      ...(random.oneIn(2) && { ReturnValues: random.pick(UPDATE_RETURNS) }),
      ...capacity(random),
      ...words.members(),
    },
  };
};

const deleteItem: Maker = ({ random, tables }) => {
  const [table, words] = [random.pick(tables), new Words(random)];
  const conditions = conditionMembers(random, words, table);
  return {
    operation: 'DeleteItem',
    input: {
      TableName: table.name,
      Key: randomKey(random, table),
      ...conditions,
      ...(random.oneIn(2) && { ReturnValues: random.pick(['NONE', 'ALL_OLD']) }),
      ...capacity(random),
      ...words.members(),
    },
  };
};

/** The members that a query and a scan have in common. */
function readMembers(random: Random, words: Words, table: Table, index: Index | undefined): JsonObject {
  const keyNames = partsOf(index?.key ?? table.key).map(({ name }) => name);
  const others = partsOf(table.key).filter(({ name }) => !keyNames.includes(name));
  const keysOnly = index !== undefined && index.projection.ProjectionType !== 'ALL';
  const onKeys = keysOnly && !random.oneIn(12);
  const filtered = random.oneIn(3) && !(onKeys && others.length === 0);
  const projected = !keysOnly || random.oneIn(12) ? projectionMembers(random, words, table) : {};
  const bare = !('ProjectionExpression' in projected);
  const selects = bare ? ['COUNT', ...(index ? ['ALL_PROJECTED_ATTRIBUTES'] : [])] : ['SPECIFIC_ATTRIBUTES'];
  return {
    TableName: table.name,
    ...(index && { IndexName: index.name }),
    ...projected,
    ...(filtered && { FilterExpression: condition(random, words, onKeys ? others : undefined) }),
    ...(random.oneIn(4) && { Select: random.pick(selects) }),
    ...(random.oneIn(4) && { ConsistentRead: index === undefined }),
    ...capacity(random),
  };
}

function keepPage({ pages, random }: Scene, asked: Asked): Asked {
  if (pages.length < KEPT) pages.push(asked);
  else pages[random.below(KEPT)] = asked;
  return asked;
}

const query: Maker = (scene) => {
  const { random, tables, pages } = scene;
  if (pages.length > 0 && random.oneIn(4)) return random.pick(pages);
  const [table, words] = [random.pick(tables), new Words(random)];
  const index = table.indexes.length > 0 && random.oneIn(2) ? random.pick(table.indexes) : undefined;
  const KeyConditionExpression = keyCondition(random, words, table, index?.key ?? table.key);
  const members = readMembers(random, words, table, index);
  const limited = random.oneIn(2);
  const input: JsonObject = {
    KeyConditionExpression,
    ...members,
    ...(random.oneIn(2) && { ScanIndexForward: random.oneIn(2) }),
    ...(limited && { Limit: 1 + random.below(6) }),
    ...words.members(),
  };
  return keepPage(scene, {
    operation: 'Query',
    input,
    ...(limited && (index || random.oneIn(2)) && { walk: true }),
  });
};

const scan: Maker = ({ random, tables }) => {
  const [table, words] = [random.pick(tables), new Words(random)];
  const index = table.indexes.length > 0 && random.oneIn(3) ? random.pick(table.indexes) : undefined;
  const members = readMembers(random, words, table, index);
  const limited = random.oneIn(2);
  const input: JsonObject = {
    ...members,
    ...(limited && { Limit: 1 + random.below(6) }),
    ...(random.oneIn(10) && { Segment: 0, TotalSegments: 1 }),
    ...words.members(),
  };
  return { operation: 'Scan', input, ...(limited && { walk: true }) };
};

/** Keys of the table, each once. */
function keysOnce(random: Random, table: Table, most: number): JsonObject[] {
  const keys = new Map<string, JsonObject>();
  for (let left = 1 + random.below(most); left > 0; left -= 1) {
    const key = randomKey(random, table);
    keys.set(JSON.stringify(Object.values(key).map((value) => plainKey(value))), key);
  }
  return [...keys.values()];
}

/** The same text for the same key, however its number is written. */
function plainKey(value: unknown): unknown {
  const { N } = value as { N?: unknown };
  return N === undefined ? value : Number(N);
}

const batchGet: Maker = ({ random, tables }) => {
  const asked = tables.filter(() => random.oneIn(2));
  const RequestItems = Object.fromEntries(
    (asked.length > 0 ? asked : [random.pick(tables)]).map((table) => {
      const words = new Words(random);
      const projected = projectionMembers(random, words, table);
      const consistent = random.oneIn(4) ? { ConsistentRead: true } : {};
      return [
        table.name,
        { Keys: keysOnce(random, table, 6), ...projected, ...consistent, ...words.members() },
      ];
    }),
  );
  return { operation: 'BatchGetItem', input: { RequestItems, ...capacity(random) } };
};

const batchWrite: Maker = ({ random, tables }) => {
  const asked = tables.filter(() => random.oneIn(2));
  const RequestItems = Object.fromEntries(
    (asked.length > 0 ? asked : [random.pick(tables)]).map((table) => [
      table.name,
      keysOnce(random, table, 6).map((key) =>
        random.oneIn(3)
          ? { DeleteRequest: { Key: key } }
          : { PutRequest: { Item: { ...randomItem(random, table), ...key } } },
      ),
    ]),
  );
  return { operation: 'BatchWriteItem', input: { RequestItems, ...capacity(random) } };
};

function transactAction(random: Random, table: Table, key: JsonObject): JsonObject {
  const words = new Words(random);
  const TableName = table.name;
  const kind = random.pick(['Put', 'Update', 'Update', 'Delete', 'ConditionCheck']);
  if (kind === 'Put') {
    const conditions = conditionMembers(random, words, table, 12);
    return {
      Put: { TableName, Item: { ...randomItem(random, table), ...key }, ...conditions, ...words.members() },
    };
  }
  if (kind === 'Update') {
    const UpdateExpression = update(random, words, indexKeys(table));
    const conditions = conditionMembers(random, words, table, 12);
    return { Update: { TableName, Key: key, UpdateExpression, ...conditions, ...words.members() } };
  }
  if (kind === 'Delete') {
    const conditions = conditionMembers(random, words, table, 12);
    return { Delete: { TableName, Key: key, ...conditions, ...words.members() } };
  }
  const check = !random.oneIn(4) ? `attribute_not_exists(${words.name('nope')})` : condition(random, words);
  const returned = random.oneIn(2) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {};
  return {
    ConditionCheck: { TableName, Key: key, ConditionExpression: check, ...returned, ...words.members() },
  };
}

const transactWrite: Maker = ({ random, tables, tokens }) => {
  if (tokens.length > 0 && random.oneIn(8)) {
    const earlier = structuredClone(random.pick(tokens));
    if (random.oneIn(3)) earlier.input.TransactItems = [transactAction(random, ...chosen(random, tables))];
    return earlier;
  }
  const TransactItems = tables
    .filter(() => random.oneIn(2))
    .concat(random.pick(tables))
    .filter((table, at, all) => all.indexOf(table) === at)
    .flatMap((table) => keysOnce(random, table, 2).map((key) => transactAction(random, table, key)));
  const ClientRequestToken = `token-${random.below(1_000_000)}`;
  const withToken = random.oneIn(3);
  const input = { TransactItems, ...capacity(random), ...(withToken && { ClientRequestToken }) };
  const asked = { operation: 'TransactWriteItems', input };
  if (withToken) tokens.push(structuredClone(asked));
  if (tokens.length > KEPT) tokens.shift();
  return asked;
};

function chosen(random: Random, tables: readonly Table[]): [Table, JsonObject] {
  const table = random.pick(tables);
  return [table, randomKey(random, table)];
}

const transactGet: Maker = ({ random, tables }) => {
  const table = random.pick(tables);
  const TransactItems = keysOnce(random, table, 5).map((Key) => {
    const words = new Words(random);
    const projected = projectionMembers(random, words, table);
    return { Get: { TableName: table.name, Key, ...projected, ...words.members() } };
  });
  return { operation: 'TransactGetItems', input: { TransactItems, ...capacity(random) } };
};

const describe: Maker = ({ random, tables }) => ({
  operation: 'DescribeTable',
  input: { TableName: random.pick(tables).name },
});

const MAKERS: readonly (readonly [Maker, number])[] = [
  [putItem, 22],
  [updateItem, 24],
  [getItem, 8],
  [deleteItem, 5],
  [query, 16],
  [scan, 6],
  [batchGet, 3],
  [batchWrite, 4],
  [transactWrite, 8],
  [transactGet, 3],
  [describe, 1],
];
const WEIGHTED = MAKERS.flatMap(([maker, weight]) => Array.from({ length: weight }, () => maker));

/** An operation that is right, mostly. */
export function rightOperation(scene: Scene): Asked {
  return scene.random.pick(WEIGHTED)(scene);
}

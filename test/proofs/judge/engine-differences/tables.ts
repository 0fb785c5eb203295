// Random tables: of every kind of key, with up to two global secondary indexes.
import type { JsonObject } from '../../../../lib/local/json-values.ts';
import type { Random } from '../../../support/random.ts';
import { ATTRIBUTES, type KeyType, keyValue, valueFor } from './values.ts';

/** One attribute of a key. */
export interface KeyPart {
  name: string;
  type: KeyType;
}

/** A key, of a table or an index. */
export interface Key {
  hash: KeyPart;
  range?: KeyPart;
}

/** A global secondary index. */
export interface Index {
  name: string;
  key: Key;
  projection: JsonObject;
}

/** A table. */
export interface Table {
  name: string;
  key: Key;
  indexes: Index[];
}

const TYPES: readonly KeyType[] = ['S', 'S', 'N', 'N', 'B'];
const PROJECTIONS: readonly JsonObject[] = [
  { ProjectionType: 'ALL' },
  { ProjectionType: 'ALL' },
  { ProjectionType: 'KEYS_ONLY' },
  { ProjectionType: 'INCLUDE', NonKeyAttributes: ['s', 'm'] },
  { ProjectionType: 'INCLUDE', NonKeyAttributes: ['n', 'a.b', 'pk2'] },
];
/** What nearly all items have, so that paths and sums find it. */
const ALWAYS = ['m', 'l', 'n', 's'];
/** So few values a hash key has, so that items share one; a range key has all that there are. */
const HASH_VALUES = 3;
const RANGE_VALUES = 10;

/** The parts of a key, hash first. */
export const partsOf = ({ hash, range }: Key): KeyPart[] => (range ? [hash, range] : [hash]);

/** A table of the name. */
export function randomTable(random: Random, name: string): Table {
  const part = (attribute: string): KeyPart => ({ name: attribute, type: random.pick(TYPES) });
  const key: Key = random.oneIn(4) ? { hash: part('pk') } : { hash: part('pk'), range: part('sk') };
  const indexes: Index[] = [];
  for (let number = random.below(3); number > 0; number -= 1) {
    const own = part(`g${number}`);
    const range = random.oneIn(4)
      ? undefined
      : random.pick([part(`h${number}`), part(`h${number}`), key.hash]);
    const swapped = key.range && random.oneIn(6) ? { hash: key.range, range: own } : undefined;
    indexes.push({
      name: `Index${number}`,
      key: swapped ?? (range ? { hash: own, range } : { hash: own }),
      projection: random.pick(PROJECTIONS),
    });
  }
  return { name, key, indexes };
}

const schemaOf = (key: Key): JsonObject[] =>
  partsOf(key).map(({ name }, at) => ({ AttributeName: name, KeyType: at === 0 ? 'HASH' : 'RANGE' }));

/** The input that creates it. */
export function createInput({ name, key, indexes }: Table): JsonObject {
  const parts = new Map(
    [key, ...indexes.map((index) => index.key)].flatMap(partsOf).map((part) => [part.name, part]),
  );
  return {
    TableName: name,
    KeySchema: schemaOf(key),
    AttributeDefinitions: [...parts.values()].map((part) => ({
      AttributeName: part.name,
      AttributeType: part.type,
    })),
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: schemaOf(index.key),
        Projection: index.projection,
      })),
    }),
  };
}

/** A value for a part of the key of a table or an index. */
export function partValue(random: Random, table: Table, { name, type }: KeyPart): JsonObject {
  return keyValue(random, type, name === table.key.hash.name ? HASH_VALUES : RANGE_VALUES);
}

/** A key of the table. */
export function randomKey(random: Random, table: Table): JsonObject {
  return Object.fromEntries(partsOf(table.key).map((part) => [part.name, partValue(random, table, part)]));
}

/** An item of the table: in some of its indexes, with some attributes. */
export function randomItem(random: Random, table: Table): JsonObject {
  const item: JsonObject = {};
  for (const part of table.indexes.flatMap((index) => partsOf(index.key)))
    if (!random.oneIn(4)) item[part.name] = keyValue(random, part.type, HASH_VALUES);
  for (const attribute of Object.keys(ATTRIBUTES))
    if (!random.oneIn(ALWAYS.includes(attribute) ? 20 : 2)) item[attribute] = valueFor(random, attribute);
  return { ...item, ...randomKey(random, table) };
}

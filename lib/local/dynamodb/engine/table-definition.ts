// A table's key and indexes, and how keys are read from items. As in the template, keys are texts or numbers, and an
// index contains keys only.
import { isObject, type Json, type JsonObject } from '../../json-values.ts';
import type { AttributeValue, Item } from './attribute-values.ts';
import { sortableNumber } from './decimal.ts';
import { invalid, requireKnown, unknown } from './refusals.ts';

export interface KeyAttribute {
  name: string;
  type: 'S' | 'N';
}

/** The key schema of a table or of an index. */
export interface KeySchema {
  hash: KeyAttribute;
  range?: KeyAttribute;
}

export interface Index extends KeySchema {
  name: string;
}

export interface TableDefinition extends KeySchema {
  name: string;
  indexes: readonly Index[];
}

/** A key as texts whose bytes sort as the key does; the range is empty if there is none. */
export interface StoredKey {
  hash: string;
  range: string;
}

const HASH_BYTES_MAX = 2048;
const RANGE_BYTES_MAX = 1024;
const MEMBERS = ['TableName', 'AttributeDefinitions', 'KeySchema', 'BillingMode', 'GlobalSecondaryIndexes'];

/** Parses the input of CreateTable. Throws ValidationException for what the template does not have. */
export function readDefinition(input: JsonObject): TableDefinition {
  requireKnown(input, MEMBERS);
  const types = new Map(listOf(input.AttributeDefinitions).map(attributeType));
  const indexes = listOf(input.GlobalSecondaryIndexes).map((index) => readIndex(index, types));
  return { name: tableNameOf(input), ...readKeySchema(input.KeySchema, types), indexes };
}

/** The name of a request's table. Throws ValidationException without one. */
export function tableNameOf({ TableName: name }: JsonObject): string {
  if (typeof name === 'string') return name;
  throw unknown('the table', name);
}

function attributeType(definition: Json): [string, KeyAttribute['type']] {
  const { AttributeName: name, AttributeType: type } = isObject(definition) ? definition : {};
  if (typeof name === 'string' && (type === 'S' || type === 'N')) return [name, type];
  throw unknown('the key attribute', definition);
}

function readKeySchema(schema: Json | undefined, types: Map<string, KeyAttribute['type']>): KeySchema {
  const [hash, range, ...more] = listOf(schema).map((part, i): KeyAttribute => {
    const { AttributeName, KeyType } = isObject(part) ? part : {};
    const name = String(AttributeName);
    const type = types.get(name);
    if (!type || KeyType !== ['HASH', 'RANGE'][i]) throw unknown('the key', part);
    return { name, type };
  });
  if (!hash || more.length > 0) throw unknown('the key', schema);
  return { hash, ...(range && { range }) };
}

function readIndex(value: Json, types: Map<string, KeyAttribute['type']>): Index {
  const { IndexName: name, KeySchema: schema, Projection } = isObject(value) ? value : {};
  if (typeof name !== 'string' || !isObject(Projection) || Projection.ProjectionType !== 'KEYS_ONLY')
    throw unknown('the index', value);
  return { name, ...readKeySchema(schema, types) };
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The attributes of a key. */
export const attributesOf = ({ hash, range }: KeySchema): KeyAttribute[] => (range ? [hash, range] : [hash]);

/** The index with this name. Throws ValidationException if there is none. */
export function indexOf({ indexes }: TableDefinition, name: Json): Index {
  const index = indexes.find((one) => one.name === name);
  if (index) return index;
  throw unknown('the index', name);
}

/** Parses the `Key` of a request. Throws ValidationException unless it is exactly the table's key. */
export function storedKeyOf(table: TableDefinition, key: Item): StoredKey {
  if (Object.keys(key).length !== attributesOf(table).length) throw unknown('the key', key);
  return keyIn(table, key);
}

/** The key of a whole item. Throws ValidationException if it is missing or does not fit the table or its indexes. */
export function keyOfItem(table: TableDefinition, item: Item): StoredKey {
  requireIndexKeys(table, item);
  return keyIn(table, item);
}

/** Throws ValidationException for an item whose index keys are of another type, empty, or too long. */
export function requireIndexKeys({ indexes }: TableDefinition, item: Item): void {
  for (const { hash, range } of indexes) {
    if (attributeIn(item, hash)) keyPart(item, hash, HASH_BYTES_MAX);
    if (range && attributeIn(item, range)) keyPart(item, range, RANGE_BYTES_MAX);
  }
}

/** An item's key in an index; undefined for an item that the index does not contain. */
export function indexKeyOf({ hash, range }: Index, item: Item): StoredKey | undefined {
  const first = attributeIn(item, hash);
  const second = range && attributeIn(item, range);
  if (!first || (range && !second)) return undefined;
  return { hash: sortable(first), range: second ? sortable(second) : '' };
}

const attributeIn = (item: Item, { name }: KeyAttribute): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

/** The key of an item. Throws ValidationException if a part of it is missing or invalid. */
export function keyIn({ hash, range }: KeySchema, item: Item): StoredKey {
  return {
    hash: keyPart(item, hash, HASH_BYTES_MAX),
    range: range ? keyPart(item, range, RANGE_BYTES_MAX) : '',
  };
}

function keyPart(item: Item, key: KeyAttribute, maxBytes: number): string {
  const value = attributeIn(item, key);
  if (value?.[key.type] === undefined || value.S === '')
    throw invalid(`${key.name} is a key: its type is ${key.type}, and it is not empty`);
  if (value.S !== undefined && value.S.length * 3 > maxBytes && Buffer.byteLength(value.S) > maxBytes)
    throw invalid(`${key.name} is a key: it has at most ${maxBytes} bytes`);
  return sortable(value);
}

/** A key value as a text whose bytes sort as the values do. */
export function sortable({ S, N = '0' }: AttributeValue): string {
  return S ?? sortableNumber(N);
}

/** An item's key attributes, of the table and of an index. */
export function keyAttributesIn(item: Item, ...schemas: KeySchema[]): Item {
  const key: Item = {};
  for (const attribute of schemas.flatMap(attributesOf)) {
    const value = attributeIn(item, attribute);
    if (value) key[attribute.name] = value;
  }
  return key;
}

// A table's key and indexes, and how keys are read from items.
import { isObject, type Json, type JsonObject } from '../../json-values.ts';
import { type AttributeValue, type Item, typeOf } from './attribute-values.ts';
import { sortableNumber } from './decimal.ts';
import { invalid, unsupported } from './refusals.ts';

export interface KeyAttribute {
  name: string;
  type: 'S' | 'N' | 'B';
}

/** The key schema of a table or of an index. */
export interface KeySchema {
  hash: KeyAttribute;
  range?: KeyAttribute;
}

export interface Index extends KeySchema {
  name: string;
  /** Attributes that the index contains besides the keys; undefined: all. */
  projected: readonly string[] | undefined;
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
const EMPTY = 'One or more parameter values are not valid.';
const NAME = /^[a-zA-Z0-9_.-]{3,255}$/;

/** Parses the input of CreateTable. Throws ValidationException for what is invalid or unsupported. */
export function readDefinition(input: JsonObject): TableDefinition {
  const name = tableNameOf(input);
  for (const feature of ['LocalSecondaryIndexes', 'StreamSpecification', 'ResourcePolicy'])
    if (input[feature] !== undefined) throw unsupported(feature);
  const types = attributeTypes(input.AttributeDefinitions);
  const key = readKey(input.KeySchema, types);
  const indexes = listOf(input.GlobalSecondaryIndexes).map((index) => readIndex(index, types));
  const used = new Set(
    [key, ...indexes].flatMap(({ hash, range }) => [hash.name, ...(range ? [range.name] : [])]),
  );
  if (used.size !== types.size)
    throw invalid(
      'One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  if (new Set(indexes.map((index) => index.name)).size < indexes.length)
    throw invalid('One or more parameter values were invalid: Duplicate index name');
  return { name, ...key, indexes };
}

/** The name of a request's table. Throws ValidationException for an invalid name. */
export function tableNameOf({ TableName: given }: JsonObject): string {
  // A table may be named by its ARN.
  const name = typeof given === 'string' ? given.split('/').at(-1) : undefined;
  if (name === undefined || name === '')
    throw invalid("The parameter 'TableName' is required but was not present in the request");
  if (!NAME.test(name))
    throw invalid(
      "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
    );
  return name;
}

function attributeTypes(definitions: Json | undefined): Map<string, KeyAttribute['type']> {
  return new Map(
    listOf(definitions).map((one) => {
      const { AttributeName: name, AttributeType: type } = isObject(one) ? one : {};
      if (typeof name !== 'string' || (type !== 'S' && type !== 'N' && type !== 'B'))
        throw invalid('One or more parameter values were invalid: AttributeDefinitions');
      return [name, type] as const;
    }),
  );
}

function readKey(schema: Json | undefined, types: Map<string, KeyAttribute['type']>): KeySchema {
  const parts = listOf(schema).map((one) => (isObject(one) ? one : {}));
  const attribute = ({ AttributeName: name }: JsonObject): KeyAttribute => {
    const type = types.get(String(name));
    if (type === undefined)
      throw invalid(
        'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. ' +
          `Keys: [${name}], AttributeDefinitions: [${[...types.keys()].join(', ')}]`,
      );
    return { name: String(name), type };
  };
  const [hash, range] = parts;
  if (hash?.KeyType !== 'HASH' || (range && range.KeyType !== 'RANGE') || parts.length > 2)
    throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  return { hash: attribute(hash), ...(range && { range: attribute(range) }) };
}

function readIndex(value: Json, types: Map<string, KeyAttribute['type']>): Index {
  const { IndexName: name, KeySchema: schema, Projection } = isObject(value) ? value : {};
  if (typeof name !== 'string' || !NAME.test(name)) throw invalid('Invalid table/index name.');
  const { ProjectionType: type, NonKeyAttributes: more } = isObject(Projection) ? Projection : {};
  if (type !== 'ALL' && type !== 'KEYS_ONLY' && type !== 'INCLUDE')
    throw invalid('One or more parameter values were invalid: Unknown ProjectionType: null');
  const projected = type === 'ALL' ? undefined : listOf(more).map(String);
  return { name, ...readKey(schema, types), projected };
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The attributes of a key. */
export function attributesOf({ hash, range }: KeySchema): KeyAttribute[] {
  return range ? [hash, range] : [hash];
}

/** The index with this name. Throws ValidationException if there is none. */
export function indexOf({ indexes }: TableDefinition, name: Json): Index {
  const index = indexes.find((one) => one.name === name);
  if (index) return index;
  throw invalid(`The table does not have the specified index: ${String(name)}`);
}

/** Parses the `Key` of a request. Throws ValidationException unless it is exactly the table's key. */
export function storedKeyOf(table: TableDefinition, key: Item): StoredKey {
  const attributes = attributesOf(table);
  const fits =
    Object.keys(key).length === attributes.length &&
    attributes.every(({ name, type }) => Object.hasOwn(key, name) && key[name]?.[type] !== undefined);
  if (!fits) throw invalid('The provided key element does not match the schema');
  return keyIn(table, key);
}

/** The key of a whole item. Throws ValidationException if it is missing or does not fit the table or its indexes. */
export function keyOfItem(table: TableDefinition, item: Item): StoredKey {
  for (const { name, type } of attributesOf(table)) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (!value)
      throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    if (typeOf(value) !== type)
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`,
      );
  }
  const key = keyIn(table, item);
  requireIndexKeys(table, item, ({ name, type }, index) =>
    invalid(
      `${EMPTY} A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. IndexName: ${index.name}, IndexKey: ${name}`,
    ),
  );
  return key;
}

const emptyUpdated = ({ type }: KeyAttribute) =>
  invalid(
    `${EMPTY} The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value.`,
  );

/** Throws ValidationException if an update has given the item an invalid index key. */
export function requireUpdatedIndexKeys(table: TableDefinition, item: Item): void {
  requireIndexKeys(table, item, emptyUpdated);
}

/** Throws ValidationException if the path of an update or a projection leads into an index key. */
export function requireWholeIndexKeys(
  { indexes, hash, range }: TableDefinition,
  paths: readonly (readonly (string | number)[])[],
): void {
  const names = new Set(indexes.flatMap(attributesOf).map(({ name }) => name));
  const nested = paths.find(([name, ...rest]) => rest.length > 0 && names.has(String(name)));
  if (nested && nested[0] !== hash.name && nested[0] !== range?.name)
    throw nestedKey(String(nested[0]), 'IndexKey');
}

/**
 * Throws ValidationException if an update sets an index key to a value of the wrong type, whatever the item contains.
 */
export function requireNoEmptyIndexKeys({ indexes }: TableDefinition, given: Item): void {
  for (const key of indexes.flatMap(attributesOf)) {
    const value = Object.hasOwn(given, key.name) ? given[key.name] : undefined;
    if (value?.S === '') throw emptyUpdated({ ...key, type: 'S' });
    if (value?.B === '') throw emptyUpdated({ ...key, type: 'B' });
  }
}

/** The error for a path inside a key. */
export function nestedKey(name: string, kind: 'Key' | 'IndexKey' = 'Key'): Error {
  return invalid(
    `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${kind}: ${name}`,
  );
}

function requireIndexKeys(
  { indexes }: TableDefinition,
  item: Item,
  empty: (key: KeyAttribute, index: Index) => Error,
): void {
  for (const index of indexes)
    for (const key of attributesOf(index)) {
      const value = Object.hasOwn(item, key.name) ? item[key.name] : undefined;
      if (!value) continue;
      if (value[key.type] === undefined)
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for Index Key ${key.name} Expected: ${key.type} Actual: ${typeOf(value)} IndexName: ${index.name}`,
        );
      if (value.S === '' || value.B === '') throw empty(key, index);
      requireKeySize(value, key === index.hash ? 'hash' : 'range');
    }
}

/** An item's key in an index; undefined for an item that the index does not contain. */
export function indexKeyOf(index: Index, item: Item): StoredKey | undefined {
  const parts = attributesOf(index).map(({ name }) => (Object.hasOwn(item, name) ? item[name] : undefined));
  const [hash, range] = parts;
  if (parts.includes(undefined) || !hash) return undefined;
  return { hash: sortable(hash), range: range ? sortable(range) : '' };
}

function keyIn({ hash, range }: KeySchema, item: Item): StoredKey {
  return {
    hash: keyPart(hash, item[hash.name] ?? {}, 'hash'),
    range: range ? keyPart(range, item[range.name] ?? {}, 'range') : '',
  };
}

function keyPart(attribute: KeyAttribute, value: AttributeValue, part: 'hash' | 'range'): string {
  if (value.S === '' || value.B === '') throw emptyKey(attribute);
  requireKeySize(value, part);
  return sortable(value);
}

function requireKeySize({ S, B }: AttributeValue, part: 'hash' | 'range'): void {
  const content = S ?? B;
  // A UTF-16 unit takes at most 3 bytes in UTF-8, and base64 is never shorter than its content.
  if (content === undefined || content.length * 3 <= RANGE_BYTES_MAX) return;
  const bytes = Buffer.byteLength(content, S === undefined ? 'base64' : 'utf8');
  if (part === 'hash' && bytes > HASH_BYTES_MAX)
    throw invalid(
      'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
    );
  if (part === 'range' && bytes > RANGE_BYTES_MAX)
    throw invalid(
      'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    );
}

/** The error for a key that is an empty text or binary. */
export function emptyKey({ name, type }: KeyAttribute): Error {
  return invalid(
    `${EMPTY} The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. Key: ${name}`,
  );
}

/** A key value as a text whose bytes sort as the values do. */
export function sortable(value: AttributeValue): string {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return sortableNumber(value.N);
  return Buffer.from(value.B ?? '', 'base64').toString('hex');
}

/** An item's key attributes, of the table and of an index. */
export function keyAttributesIn(item: Item, ...schemas: KeySchema[]): Item {
  const key: Item = {};
  for (const { name } of schemas.flatMap(attributesOf)) {
    const value = item[name];
    if (value) key[name] = value;
  }
  return key;
}

/** The part of an item that an index contains. */
export function projectedBy(index: Index, table: TableDefinition, item: Item): Item {
  if (index.projected === undefined) return item;
  const projected: Item = keyAttributesIn(item, table, index);
  for (const name of index.projected) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value) projected[name] = value;
  }
  return projected;
}

/** Whether an index contains an attribute. */
export function projects(index: Index, table: TableDefinition, name: string): boolean {
  const keys = [...attributesOf(table), ...attributesOf(index)];
  return (
    index.projected === undefined || index.projected.includes(name) || keys.some((key) => key.name === name)
  );
}

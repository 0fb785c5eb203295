// The operations that read: GetItem, BatchGetItem, TransactGetItems, Query, Scan.
import { isObject, type Json, type JsonObject } from '../json-values.ts';
import { type Item, readItem, sizeOfItem } from './attribute-values.ts';
import { addConsumed, type Consumed, capacityReply, detailOf, noneConsumed, readUnits } from './capacity.ts';
import { conditionOf } from './expressions/conditions.ts';
import { projectionOf } from './expressions/document-paths.ts';
import { keyConditionOf } from './expressions/key-conditions.ts';
import { Scope } from './expressions/scope.ts';
import type { ItemTable, Reading, StoredItem } from './item-table.ts';
import { canceled, invalid, unreadable, unsupported } from './refusals.ts';
import {
  attributesOf,
  type Index,
  indexKeyOf,
  indexOf,
  keyAttributesIn,
  projectedBy,
  type StoredKey,
  sortable,
  storedKeyOf,
} from './table-definition.ts';

/** Finds the table that an input names. Throws when there is none. */
export type FindTable = (input: JsonObject) => ItemTable;

const BATCH_MAX = 100;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;
const PAGE_BYTES = 1024 * 1024;
const TRANSACTION_MAX = 100;
const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024;
/** Parameters from before expressions. */
const LEGACY = [
  ...['AttributesToGet', 'AttributeUpdates', 'ConditionalOperator', 'Expected'],
  ...['KeyConditions', 'QueryFilter', 'ScanFilter'],
];

/** Throws ValidationException for the parameters that expressions have replaced. */
export function refuseLegacy(input: JsonObject): void {
  const found = LEGACY.find((name) => input[name] !== undefined);
  if (found !== undefined) throw unsupported(`${found}: use expressions`);
}

function readGet(input: JsonObject, table: ItemTable) {
  refuseLegacy(input);
  const scope = new Scope(input);
  const project = projectionOf(input.ProjectionExpression, scope);
  scope.close(project !== undefined);
  return { key: storedKeyOf(table.definition, readItem(input.Key ?? {})), project };
}

const parsed = ({ text }: StoredItem): Item => JSON.parse(text);

/** GetItem. */
export function getItem(input: JsonObject, find: FindTable): JsonObject {
  const table = find(input);
  const detail = detailOf(input);
  const { key, project } = readGet(input, table);
  const stored = table.get(key);
  const units = readUnits(stored?.bytes ?? 0, input.ConsistentRead === true);
  return {
    ...(stored && { Item: project ? project(parsed(stored)) : parsed(stored) }),
    ...(detail !== 'NONE' && {
      ConsumedCapacity: capacityReply(table.definition.name, { table: units, indexes: new Map() }, detail),
    }),
  };
}

/** BatchGetItem. Keys beyond 16 MB of items are left unprocessed. */
export function batchGetItem(input: JsonObject, find: FindTable): JsonObject {
  const detail = detailOf(input);
  const asked = Object.entries(isObject(input.RequestItems) ? input.RequestItems : {});
  if (asked.length === 0)
    throw invalid(
      "1 validation error detected: Value '{}' at 'requestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  const requests = asked.map(([TableName, request]) => {
    if (!isObject(request)) throw unreadable('Unexpected value type in payload');
    return readBatch(TableName, request, find({ TableName }));
  });
  if (requests.reduce((sum, { keys }) => sum + keys.length, 0) > BATCH_MAX)
    throw invalid('Too many items requested for the BatchGetItem call');
  const Responses: Record<string, Json> = {};
  const UnprocessedKeys: Record<string, Json> = {};
  const capacity: JsonObject[] = [];
  let bytes = 0;
  for (const { name, request, table, keys, project } of requests) {
    const items: Item[] = [];
    let units = 0;
    let left: Json[] = [];
    for (const [i, key] of keys.entries()) {
      const stored = table.get(key);
      bytes += stored?.bytes ?? 0;
      if (bytes > BATCH_BYTES_MAX) {
        left = Array.isArray(request.Keys) ? request.Keys.slice(i) : [];
        break;
      }
      units += readUnits(stored?.bytes ?? 0, request.ConsistentRead === true);
      if (stored) items.push(project ? project(parsed(stored)) : parsed(stored));
    }
    Responses[name] = items;
    if (left.length > 0) UnprocessedKeys[name] = { ...request, Keys: left };
    capacity.push(capacityReply(name, { table: units, indexes: new Map() }, detail));
  }
  return { Responses, UnprocessedKeys, ...(detail !== 'NONE' && { ConsumedCapacity: capacity }) };
}

function readBatch(name: string, request: JsonObject, table: ItemTable) {
  refuseLegacy(request);
  const scope = new Scope(request);
  const project = projectionOf(request.ProjectionExpression, scope);
  scope.close(project !== undefined);
  if (!Array.isArray(request.Keys) || request.Keys.length === 0)
    throw invalid(
      `1 validation error detected: Value '[]' at 'requestItems.${name}.member.keys' failed to satisfy constraint: Member must have length greater than or equal to 1`,
    );
  const keys = request.Keys.map((key) => storedKeyOf(table.definition, readItem(key)));
  if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length)
    throw invalid('Provided list of item keys contains duplicates');
  return { name, request, table, keys, project };
}

/** TransactGetItems: all items as of one moment. */
export function transactGetItems(input: JsonObject, find: FindTable): JsonObject {
  const detail = detailOf(input);
  const actions = Array.isArray(input.TransactItems) ? input.TransactItems : [];
  if (actions.length === 0 || actions.length > TRANSACTION_MAX)
    throw invalid(
      `1 validation error detected: Value '[${actions.length}]' at 'transactItems' failed to satisfy constraint: Member must have length ${actions.length === 0 ? 'greater than or equal to 1' : 'less than or equal to 100'}`,
    );
  const gets = actions.map((action) => {
    const get = isObject(action) && isObject(action.Get) ? action.Get : undefined;
    if (!get) throw invalid('TransactItems can only contain Get');
    const table = find(get);
    return { table, ...readGet(get, table) };
  });
  const consumed = new Map<string, Consumed>();
  let bytes = 0;
  const Responses = gets.map(({ table, key, project }) => {
    const stored = table.get(key);
    bytes += stored?.bytes ?? 0;
    const { name } = table.definition;
    const whole = consumed.get(name) ?? noneConsumed();
    consumed.set(name, whole);
    addConsumed(whole, { table: readUnits(stored?.bytes ?? 0, true), indexes: new Map() });
    return stored ? { Item: project ? project(parsed(stored)) : parsed(stored) } : {};
  });
  if (bytes > TRANSACTION_BYTES_MAX)
    throw canceled(
      gets.map(() => ({ Code: 'ValidationError', Message: 'Aggregated size of items exceeds 4 MB' })),
    );
  const ConsumedCapacity = [...consumed].map(([name, units]) => capacityReply(name, units, detail, 2));
  return { Responses, ...(detail !== 'NONE' && { ConsumedCapacity }) };
}

/** Query: the items of one partition of a table or index, a page at a time. */
export function query(input: JsonObject, find: FindTable): JsonObject {
  const table = find(input);
  refuseLegacy(input);
  const index = input.IndexName === undefined ? undefined : indexOf(table.definition, input.IndexName);
  if (input.KeyConditionExpression === undefined)
    throw invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  const scope = new Scope(input);
  const schema = index ?? table.definition;
  const { hash, range } = keyConditionOf(input.KeyConditionExpression, schema, scope);
  const page = readPage(input, table, index, scope);
  const filteredKey = page.filterNames.find((name) => attributesOf(schema).some((key) => key.name === name));
  if (filteredKey !== undefined)
    throw invalid(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${filteredKey}`,
    );
  const hashText = sortable(hash);
  const after = startOf(input, table, index);
  if (after && (after.indexKey ?? after.key).hash !== hashText)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  const forward = input.ScanIndexForward !== false;
  return pageOf(page, { index, hash: hashText, range, after, forward });
}

/** Scan: all items of a table or index, a page at a time. */
export function scan(input: JsonObject, find: FindTable): JsonObject {
  const table = find(input);
  refuseLegacy(input);
  if (input.Segment !== undefined || input.TotalSegments !== undefined) throw unsupported('parallel scans');
  const index = input.IndexName === undefined ? undefined : indexOf(table.definition, input.IndexName);
  const page = readPage(input, table, index, new Scope(input));
  return pageOf(page, { index, after: startOf(input, table, index), forward: true });
}

interface Page {
  table: ItemTable;
  index: Index | undefined;
  input: JsonObject;
  limit: number;
  consistent: boolean;
  onlyCount: boolean;
  filter: ((item: Item) => boolean) | undefined;
  /** Top-level names that the filter uses. */
  filterNames: readonly string[];
  project: ((item: Item) => Item) | undefined;
}

function readPage(input: JsonObject, table: ItemTable, index: Index | undefined, scope: Scope): Page {
  const consistent = input.ConsistentRead === true;
  if (consistent && index) throw invalid('Consistent reads are not supported on global secondary indexes');
  const limit = input.Limit;
  if (limit !== undefined && (typeof limit !== 'number' || limit < 1))
    throw invalid(
      `1 validation error detected: Value '${String(limit)}' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
    );
  const before = scope.usedNames().length;
  const filter = conditionOf('FilterExpression', input.FilterExpression, scope);
  const filterNames = scope.usedNames().slice(before);
  const project = projectionOf(input.ProjectionExpression, scope);
  scope.close(true);
  const onlyCount = selectOf(input, index, project !== undefined);
  return {
    table,
    index,
    input,
    limit: limit ?? Number.POSITIVE_INFINITY,
    consistent,
    onlyCount,
    filter,
    filterNames,
    project,
  };
}

/** Reads `Select`; true when only the count is wanted. Throws ValidationException. */
function selectOf({ Select }: JsonObject, index: Index | undefined, projects: boolean): boolean {
  if (Select === undefined) return false;
  if (Select === 'SPECIFIC_ATTRIBUTES') {
    if (!projects)
      throw invalid(
        'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
      );
    return false;
  }
  if (projects)
    throw invalid(
      `Cannot specify the ProjectionExpression when choosing to get ${String(Select) === 'COUNT' ? 'only the Count' : Select}`,
    );
  if (Select === 'COUNT' || Select === 'ALL_ATTRIBUTES') {
    if (Select === 'ALL_ATTRIBUTES' && index && index.projected !== undefined)
      throw invalid(
        `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
      );
    return Select === 'COUNT';
  }
  if (Select !== 'ALL_PROJECTED_ATTRIBUTES')
    throw invalid(
      `1 validation error detected: Value '${String(Select)}' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]`,
    );
  if (!index) throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  return false;
}

function startOf(
  { ExclusiveStartKey }: JsonObject,
  { definition }: ItemTable,
  index: Index | undefined,
): { key: StoredKey; indexKey: StoredKey | undefined } | undefined {
  if (ExclusiveStartKey === undefined || ExclusiveStartKey === null) return undefined;
  const start = readItem(ExclusiveStartKey);
  const own = keyAttributesIn(start, definition);
  const expected = new Set(
    [definition, ...(index ? [index] : [])].flatMap((one) => attributesOf(one).map(({ name }) => name)),
  );
  const wrong = () => invalid('The provided starting key is invalid');
  if (Object.keys(start).length !== expected.size) throw wrong();
  let key: StoredKey;
  try {
    key = storedKeyOf(definition, own);
  } catch {
    throw invalid('The provided starting key is invalid: The provided key element does not match the schema');
  }
  if (!index) return { key, indexKey: undefined };
  const fits = attributesOf(index).every(({ name, type }) => start[name]?.[type] !== undefined);
  const indexKey = fits ? indexKeyOf(index, start) : undefined;
  if (!indexKey) throw wrong();
  return { key, indexKey };
}

function pageOf(page: Page, reading: Reading): JsonObject {
  const { table, index, input, limit, consistent, onlyCount, filter, project } = page;
  const { definition } = table;
  const detail = detailOf(input);
  const items: Item[] = [];
  let count = 0;
  let scanned = 0;
  let bytes = 0;
  let last: Item | undefined;
  let isCut = false;
  for (const stored of table.read(reading)) {
    if (scanned === limit || bytes >= PAGE_BYTES) {
      isCut = true;
      break;
    }
    const whole = parsed(stored);
    const item = index ? projectedBy(index, definition, whole) : whole;
    scanned += 1;
    bytes += index && index.projected !== undefined ? sizeOfItem(item) : stored.bytes;
    last = whole;
    if (filter && !filter(item)) continue;
    count += 1;
    if (!onlyCount) items.push(project ? project(item) : item);
  }
  // As DynamoDB does: a page that is full does not say whether it is the last.
  const goesOn = last && (isCut || scanned === limit);
  const units = readUnits(bytes, consistent);
  const consumed: Consumed = index
    ? { table: 0, indexes: new Map([[index.name, units]]) }
    : { table: units, indexes: new Map() };
  return {
    ...(!onlyCount && { Items: items }),
    Count: count,
    ScannedCount: scanned,
    ...(goesOn && { LastEvaluatedKey: keyAttributesIn(last ?? {}, definition, ...(index ? [index] : [])) }),
    ...(detail !== 'NONE' && { ConsumedCapacity: capacityReply(definition.name, consumed, detail) }),
  };
}

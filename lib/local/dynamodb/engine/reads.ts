// The operations that read items by key: GetItem, BatchGetItem, TransactGetItems.
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { isObject, type Json, type JsonObject } from '../../json-values.ts';
import { type Item, readItem } from './attribute-values.ts';
import { type Consumed, capacityReplies, capacityReply, count, detailOf, readUnits } from './capacity.ts';
import { type Projection, projectionOf } from './expressions/document-paths.ts';
import { Scope } from './expressions/scope.ts';
import type { ItemTable, StoredItem } from './item-table.ts';
import { breaks, canceled, invalid, reasonsOf, unreadable, unsupported } from './refusals.ts';
import { requireWholeIndexKeys, type StoredKey, storedKeyOf } from './table-definition.ts';

/** Finds the table that an input names. Throws if there is none. */
export type FindTable = (input: JsonObject) => ItemTable;

const BATCH_MAX = 100;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;
const TRANSACTION_MAX = 100;
const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024;
/** Legacy parameters, which expressions have replaced. */
const LEGACY = [
  ...['AttributesToGet', 'AttributeUpdates', 'ConditionalOperator', 'Expected'],
  ...['KeyConditions', 'QueryFilter', 'ScanFilter'],
];

/** Throws ValidationException for legacy parameters. */
export function refuseLegacy(input: JsonObject): void {
  const found = LEGACY.find((name) => input[name] !== undefined);
  if (found !== undefined) throw unsupported(`${found}: use expressions`);
}

/** Parses the `Key` of a request without the table's schema. Throws ValidationException. */
export function readKey({ Key }: JsonObject): Item {
  if (Key === undefined || Key === null) throw breaks('null', 'key', 'Member must not be null');
  return readItem(Key);
}

function readProjection(input: JsonObject, { definition }: ItemTable): Projection | undefined {
  refuseLegacy(input);
  const scope = new Scope(input, 'ProjectionExpression');
  const projection = projectionOf(input.ProjectionExpression, scope);
  scope.close();
  if (projection) requireWholeIndexKeys(definition, projection.paths);
  return projection;
}

const parsed = ({ text }: StoredItem): Item => JSON.parse(text);

function shown(stored: StoredItem, projection: Projection | undefined): Item {
  return projection ? projection.of(parsed(stored)) : parsed(stored);
}

/** GetItem. */
export function getItem(input: JsonObject, find: FindTable): JsonObject {
  const table = find(input);
  const detail = detailOf(input);
  const keyItem = readKey(input);
  const projection = readProjection(input, table);
  const stored = table.get(storedKeyOf(table.definition, keyItem));
  const units = readUnits(stored?.bytes ?? 0, input.ConsistentRead === true);
  return {
    ...(stored && { Item: shown(stored, projection) }),
    ...(detail !== 'NONE' && {
      ConsumedCapacity: capacityReply(table.definition.name, { table: units, indexes: new Map() }, detail),
    }),
  };
}

interface TableBatch {
  name: string;
  request: JsonObject;
  table: ItemTable;
  keys: StoredKey[];
  projection: Projection | undefined;
}

/** BatchGetItem. Keys beyond 16 MB of items are left unprocessed. */
export function batchGetItem(input: JsonObject, find: FindTable): JsonObject {
  const detail = detailOf(input);
  const asked = Object.entries(isObject(input.RequestItems) ? input.RequestItems : {});
  if (asked.length === 0)
    throw breaks('{}', 'requestItems', 'Member must have length greater than or equal to 1');
  const batches = asked.map(([TableName, request]) => {
    if (!isObject(request)) throw unreadable('Unexpected value type in payload');
    return readBatch(TableName, request, find({ TableName }));
  });
  if (batches.reduce((sum, { keys }) => sum + keys.length, 0) > BATCH_MAX)
    throw invalid('Too many items requested for the BatchGetItem call');
  const Responses: Record<string, Json> = {};
  const UnprocessedKeys: Record<string, Json> = {};
  const consumed = new Map<string, Consumed>();
  let bytes = 0;
  for (const { name, request, table, keys, projection } of batches) {
    const items: Item[] = [];
    for (const [i, key] of keys.entries()) {
      const stored = table.get(key);
      bytes += stored?.bytes ?? 0;
      if (bytes > BATCH_BYTES_MAX) {
        UnprocessedKeys[name] = {
          ...request,
          Keys: Array.isArray(request.Keys) ? request.Keys.slice(i) : [],
        };
        break;
      }
      const units = readUnits(stored?.bytes ?? 0, request.ConsistentRead === true);
      count(consumed, name, { table: units, indexes: new Map() });
      if (stored) items.push(shown(stored, projection));
    }
    Responses[name] = items;
  }
  const ConsumedCapacity = capacityReplies(consumed, detail);
  return { Responses, UnprocessedKeys, ...(detail !== 'NONE' && { ConsumedCapacity }) };
}

function readBatch(name: string, request: JsonObject, table: ItemTable): TableBatch {
  if (!Array.isArray(request.Keys) || request.Keys.length === 0)
    throw invalid(`The list of keys in RequestItems for BatchGetItem is required: ${name} has empty list`);
  const keyItems = request.Keys.map((key) => readItem(key));
  const projection = readProjection(request, table);
  const keys = keyItems.map((key) => storedKeyOf(table.definition, key));
  if (hasTwice(keys.map((key) => ({ table, key }))))
    throw invalid('Provided list of item keys contains duplicates');
  return { name, request, table, keys, projection };
}

/** The actions of a transaction. Throws ValidationException if there are none or too many. */
export function actionsOf({ TransactItems: actions }: JsonObject): Json[] {
  if (!Array.isArray(actions)) throw breaks('null', 'transactItems', 'Member must not be null');
  if (actions.length === 0)
    throw breaks('[]', 'transactItems', 'Member must have length greater than or equal to 1');
  if (actions.length > TRANSACTION_MAX)
    throw breaks(`[${actions.length}]`, 'transactItems', 'Member must have length less than or equal to 100');
  return actions;
}

/** Identifies an item of a table. */
interface NamedItem {
  table: ItemTable;
  key: StoredKey;
}

/** Whether an item occurs twice. */
export function hasTwice(named: readonly NamedItem[]): boolean {
  const names = named.map(({ table, key }) => JSON.stringify([table.definition.name, key.hash, key.range]));
  return new Set(names).size < names.length;
}

/** Throws ValidationException when an item occurs twice in a transaction. */
export function requireOnce(named: readonly NamedItem[]): void {
  if (hasTwice(named)) throw invalid('Transaction request cannot include multiple operations on one item');
}

/** TransactGetItems: all items from one snapshot. */
export function transactGetItems(input: JsonObject, find: FindTable): JsonObject {
  const detail = detailOf(input);
  const read = actionsOf(input).map((action, i) => {
    const get = isObject(action) && isObject(action.Get) ? action.Get : undefined;
    if (!get) throw breaks('null', `transactItems.${i + 1}.member.get`, 'Member must not be null');
    const table = find(get);
    return { table, keyItem: readKey(get), projection: readProjection(get, table) };
  });
  const gets = allOf(read, ({ table, keyItem, projection }) => ({
    table,
    key: storedKeyOf(table.definition, keyItem),
    projection,
  }));
  requireOnce(gets);
  const consumed = new Map<string, Consumed>();
  let bytes = 0;
  const Responses = gets.map(({ table, key, projection }) => {
    const stored = table.get(key);
    bytes += stored?.bytes ?? 0;
    const units = readUnits(stored?.bytes ?? 0, true);
    count(consumed, table.definition.name, { table: units, indexes: new Map() });
    return stored ? { Item: shown(stored, projection) } : {};
  });
  if (bytes > TRANSACTION_BYTES_MAX)
    throw canceled(
      gets.map(() => ({ Code: 'ValidationError', Message: 'Aggregated size of items exceeds 4 MB' })),
    );
  const ConsumedCapacity = capacityReplies(consumed, detail, 'ReadCapacityUnits');
  return { Responses, ...(detail !== 'NONE' && { ConsumedCapacity }) };
}

/**
 * Applies `act` to all actions of a transaction. Throws TransactionCanceledException with a reason for each refused
 * action.
 */
export function allOf<From, To>(actions: readonly From[], act: (action: From) => To): To[] {
  const done: To[] = [];
  const refused = new Map<number, AwsError>();
  for (const [i, action] of actions.entries())
    try {
      done.push(act(action));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      refused.set(i, error);
    }
  if (refused.size > 0) throw canceled(reasonsOf(actions.length, refused));
  return done;
}

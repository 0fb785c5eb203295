// The operations that read items by key: GetItem, BatchGetItem.
import { isObject, type Json, type JsonObject } from '../../json-values.ts';
import { type Item, readItem } from './attribute-values.ts';
import { asksCapacity, type Consumed, capacityReplies, capacityReply, count, readUnits } from './capacity.ts';
import { projectionOf } from './expressions/document-paths.ts';
import { Scope } from './expressions/scope.ts';
import { parseProjection } from './expressions/syntax.ts';
import type { ItemTable } from './item-table.ts';
import { invalid, requireKnown, unknown } from './refusals.ts';
import { type StoredKey, storedKeyOf } from './table-definition.ts';

/** Finds the table that an input names. Throws if there is none. */
export type FindTable = (input: JsonObject) => ItemTable;

const BATCH_MAX = 100;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;
const BATCH_MEMBERS = ['RequestItems', 'ReturnConsumedCapacity'];

/** GetItem. */
export function getItem(input: JsonObject, find: FindTable): JsonObject {
  requireKnown(input, ['TableName', 'Key', 'ConsistentRead', 'ReturnConsumedCapacity']);
  const table = find(input);
  const asks = asksCapacity(input);
  const stored = table.get(storedKeyOf(table.definition, readItem(input.Key)));
  const units = readUnits(stored?.bytes ?? 0, input.ConsistentRead === true);
  return {
    ...(stored && { Item: JSON.parse(stored.text) }),
    ...(asks && {
      ConsumedCapacity: capacityReply(table.definition.name, { table: units, indexes: new Map() }),
    }),
  };
}

/** BatchGetItem. Keys beyond 16 MB of items are left unprocessed. */
export function batchGetItem(input: JsonObject, find: FindTable): JsonObject {
  requireKnown(input, BATCH_MEMBERS);
  const asks = asksCapacity(input);
  const batches = requestItemsOf(input).map(([name, request]) => readBatch(name, request, find));
  const keys = batches.reduce((sum, batch) => sum + batch.keys.length, 0);
  if (keys === 0 || keys > BATCH_MAX) throw invalid('A batch reads 1 to 100 items');
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
      const item: Item | undefined = stored && JSON.parse(stored.text);
      if (item) items.push(projection ? projection(item) : item);
    }
    Responses[name] = items;
  }
  return {
    ...{ Responses, UnprocessedKeys },
    ...(asks && { ConsumedCapacity: capacityReplies(consumed) }),
  };
}

/** The tables of a batch, and what is asked of each. Throws ValidationException. */
export function requestItemsOf({ RequestItems: items }: JsonObject): [table: string, request: Json][] {
  if (isObject(items))
    return Object.entries(items).flatMap(([table, request]) =>
      request === undefined ? [] : [[table, request] as [string, Json]],
    );
  throw unknown('the batch', items);
}

function readBatch(TableName: string, request: Json, find: FindTable) {
  if (!isObject(request) || !Array.isArray(request.Keys)) throw unknown('the batch', request);
  requireKnown(request, ['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames']);
  const table = find({ TableName });
  const parsed = parseProjection(request.ProjectionExpression);
  const projection = projectionOf(parsed, new Scope(request, parsed));
  const keys = request.Keys.map((key) => storedKeyOf(table.definition, readItem(key)));
  requireOnce(keys.map((key) => ({ table, key })));
  return { name: TableName, request, table, keys, projection };
}

/** Throws ValidationException when a request names an item twice. */
export function requireOnce(named: readonly { table: ItemTable; key: StoredKey }[]): void {
  const names = named.map(({ table, key }) => JSON.stringify([table.definition.name, key.hash, key.range]));
  if (new Set(names).size < names.length) throw invalid('A request names each item once');
}

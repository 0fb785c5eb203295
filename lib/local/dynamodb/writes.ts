// The operations that write: PutItem, UpdateItem, DeleteItem, BatchWriteItem. One item's change is prepared, then carried out.
import { isObject, type Json, type JsonObject } from '../json-values.ts';
import { type Item, readItem, sizeOfItem } from './attribute-values.ts';
import {
  addConsumed,
  type Consumed,
  capacityReply,
  type Detail,
  detailOf,
  noneConsumed,
  unitsOfWrite,
} from './capacity.ts';
import { conditionOf, type Test } from './expressions/conditions.ts';
import { selected } from './expressions/document-paths.ts';
import { type Path, Scope } from './expressions/scope.ts';
import { updateOf } from './expressions/updates.ts';
import type { ItemTable, StoredItem } from './item-table.ts';
import { type FindTable, refuseLegacy } from './reads.ts';
import { conditionFailed, invalid, unreadable } from './refusals.ts';
import {
  attributesOf,
  keyOfItem,
  requireIndexKeys,
  type StoredKey,
  storedKeyOf,
} from './table-definition.ts';

export const ITEM_BYTES_MAX = 400 * 1024;
const BATCH_MAX = 25;

/** A change of one item, or only a condition on it, checked as far as that goes without the item. */
export interface PreparedWrite {
  table: ItemTable;
  key: StoredKey;
  condition: Test | undefined;
  /** Whether a failed condition shows the item that it met. */
  showsItem: boolean;
  /** What becomes of the item (undefined: it goes); absent where it is only looked at. Throws ValidationException. */
  change?: (before: () => Item | undefined) => Item | undefined;
  /** Paths that an update writes. */
  paths?: readonly Path[];
  /** Bytes of the request that count toward the size of a transaction. */
  bytes: number;
}

/** An item before and after a write. */
export interface Outcome {
  before: () => Item | undefined;
  after: Item | undefined;
}

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** Checks a write of a kind. Throws what DynamoDB refuses whatever the table holds. */
export function prepare(kind: WriteKind, input: JsonObject, find: FindTable): PreparedWrite {
  refuseLegacy(input);
  const table = find(input);
  const scope = new Scope(input);
  const update =
    kind === 'Update' && input.UpdateExpression !== undefined
      ? updateOf(input.UpdateExpression, scope)
      : undefined;
  const condition = conditionOf('ConditionExpression', input.ConditionExpression, scope);
  scope.close(update !== undefined || condition !== undefined);
  const showsItem = showsItemOf(input);
  if (kind === 'Put') {
    const item = readItem(input.Item ?? {});
    const key = keyOfItem(table.definition, item);
    const bytes = sizeOfItem(item);
    if (bytes > ITEM_BYTES_MAX) throw invalid('Item size has exceeded the maximum allowed size');
    return { table, key, condition, showsItem, change: () => item, bytes };
  }
  const keyItem = readItem(input.Key ?? {});
  const key = storedKeyOf(table.definition, keyItem);
  const bytes = sizeOfItem(keyItem);
  const prepared = { table, key, condition, showsItem, bytes };
  if (kind === 'ConditionCheck') {
    if (!condition)
      throw invalid(
        "1 validation error detected: Value null at 'conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
      );
    return prepared;
  }
  if (kind === 'Delete') return { ...prepared, change: () => undefined };
  for (const [name] of update?.paths ?? [])
    if (attributesOf(table.definition).some((attribute) => attribute.name === name))
      throw invalid(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
  return {
    ...prepared,
    paths: update?.paths ?? [],
    change(before) {
      const item = before() ?? { ...keyItem };
      update?.apply(item);
      requireIndexKeys(table.definition, item);
      // Nesting and sizes are checked anew: an update can add to both.
      readItem(item);
      if (sizeOfItem(item) > ITEM_BYTES_MAX)
        throw invalid('Item size to update has exceeded the maximum allowed size');
      return item;
    },
  };
}

function showsItemOf({ ReturnValuesOnConditionCheckFailure: shows = 'NONE' }: JsonObject): boolean {
  if (shows === 'ALL_OLD' || shows === 'NONE') return shows === 'ALL_OLD';
  throw invalid(
    `1 validation error detected: Value '${String(shows)}' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]`,
  );
}

/** Looks at the item, and tells what is to be written. Throws ConditionalCheckFailedException or ValidationException; nothing is written yet. */
export function decide({ table, key, condition, showsItem, change }: PreparedWrite): Outcome {
  let stored: StoredItem | undefined | 'unread' = 'unread';
  // Each call parses anew: an update changes what it is given.
  const before = (): Item | undefined => {
    if (stored === 'unread') stored = table.get(key);
    return stored && JSON.parse(stored.text);
  };
  if (condition) {
    const item = before();
    if (!condition(item ?? {})) throw conditionFailed(showsItem ? item : undefined);
  }
  return { before, after: change?.(before) };
}

/** Writes what was decided. */
export function carryOut({ table, key, change }: PreparedWrite, { after }: Outcome): void {
  if (!change) return;
  if (after) table.put(key, after, sizeOfItem(after));
  else table.delete(key);
}

const SINGLE = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' } as const;

/** PutItem, UpdateItem or DeleteItem, prepared; what is returned carries it out, inside a transaction of the file. */
export function singleWrite(
  operation: keyof typeof SINGLE,
  input: JsonObject,
  find: FindTable,
): () => JsonObject {
  const detail = detailOf(input);
  const wanted = returnValuesOf(operation, input);
  const write = prepare(SINGLE[operation], input, find);
  return () => {
    const outcome = decide(write);
    // The item before is read before it is overwritten.
    const before = wanted === 'NONE' && detail === 'NONE' ? undefined : outcome.before();
    carryOut(write, outcome);
    const { definition } = write.table;
    const Attributes = returned(wanted, write.paths ?? [], before, outcome.after);
    return {
      ...(Attributes && { Attributes }),
      ...(detail !== 'NONE' && {
        ConsumedCapacity: capacityReply(
          definition.name,
          unitsOfWrite(definition, before, outcome.after),
          detail,
        ),
      }),
    };
  };
}

type ReturnValues = 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW';
const RETURN_VALUES: readonly ReturnValues[] = ['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'];

function returnValuesOf(operation: string, { ReturnValues: given = 'NONE' }: JsonObject): ReturnValues {
  const wanted = RETURN_VALUES.find((one) => one === given);
  if (!wanted)
    throw invalid(
      `1 validation error detected: Value '${String(given)}' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`,
    );
  if (operation !== 'UpdateItem' && wanted !== 'NONE' && wanted !== 'ALL_OLD')
    throw invalid('ReturnValues can only be ALL_OLD or NONE');
  return wanted;
}

function returned(
  wanted: ReturnValues,
  paths: readonly Path[],
  before: Item | undefined,
  after: Item | undefined,
): Item | undefined {
  const item = wanted === 'ALL_OLD' || wanted === 'UPDATED_OLD' ? before : after;
  if (wanted === 'NONE' || !item) return undefined;
  if (wanted === 'ALL_OLD' || wanted === 'ALL_NEW') return item;
  const part = selected(item, paths);
  return Object.keys(part).length > 0 && paths.length > 0 ? part : undefined;
}

/** BatchWriteItem, prepared: puts and deletes of up to 25 items, each for itself. */
export function batchWriteItem(input: JsonObject, find: FindTable): () => JsonObject {
  const detail = detailOf(input);
  const asked = Object.entries(isObject(input.RequestItems) ? input.RequestItems : {});
  if (asked.length === 0)
    throw invalid(
      "1 validation error detected: Value '{}' at 'requestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  if (
    asked.reduce((sum, [, requests]) => sum + (Array.isArray(requests) ? requests.length : 0), 0) > BATCH_MAX
  )
    throw invalid('Too many items requested for the BatchWriteItem call');
  const writes = asked.flatMap(([TableName, requests]) => {
    if (!Array.isArray(requests)) throw unreadable('Unexpected value type in payload');
    return requests.map((request) => batched(TableName, request, find));
  });
  if (hasTwice(writes)) throw invalid('Provided list of item keys contains duplicates');
  return () => {
    const consumed = new Map<string, Consumed>();
    for (const write of writes) writeAndCount(write, decide(write), detail, consumed);
    return {
      UnprocessedItems: {},
      ...(detail !== 'NONE' && { ConsumedCapacity: capacityReplies(consumed, detail) }),
    };
  };
}

function batched(TableName: string, request: Json, find: FindTable): PreparedWrite {
  const { PutRequest, DeleteRequest, ...more } = isObject(request) ? request : {};
  if (isObject(PutRequest) === isObject(DeleteRequest) || Object.keys(more).length > 0)
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  if (isObject(PutRequest)) return prepare('Put', { TableName, Item: PutRequest.Item }, find);
  return prepare('Delete', { TableName, Key: isObject(DeleteRequest) ? DeleteRequest.Key : undefined }, find);
}

/** Whether two writes are for the same item. */
export function hasTwice(writes: readonly PreparedWrite[]): boolean {
  const names = writes.map(({ table, key }) => JSON.stringify([table.definition.name, key.hash, key.range]));
  return new Set(names).size < names.length;
}

/** Writes what was decided, and adds what it consumes of its table when that is asked for. */
export function writeAndCount(
  write: PreparedWrite,
  outcome: Outcome,
  detail: Detail,
  consumed: Map<string, Consumed>,
): void {
  const { definition } = write.table;
  if (detail !== 'NONE') {
    const whole = consumed.get(definition.name) ?? noneConsumed();
    const before = outcome.before();
    addConsumed(whole, unitsOfWrite(definition, before, write.change ? outcome.after : before));
    consumed.set(definition.name, whole);
  }
  carryOut(write, outcome);
}

/** `ConsumedCapacity` of all tables of a request. `times`: 2 in a transaction. */
export function capacityReplies(consumed: Map<string, Consumed>, detail: Detail, times = 1): JsonObject[] {
  return [...consumed].map(([name, units]) => capacityReply(name, units, detail, times));
}

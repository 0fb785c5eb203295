// The operations that write: PutItem, UpdateItem, DeleteItem, BatchWriteItem. Each change is prepared, then performed.
import { isObject, type Json, type JsonObject } from '../../json-values.ts';
import { type Item, readItem, sizeOfItem } from './attribute-values.ts';
import {
  type Consumed,
  capacityReplies,
  capacityReply,
  count,
  type Detail,
  detailOf,
  unitsOfWrite,
} from './capacity.ts';
import { conditionOf, type Test } from './expressions/conditions.ts';
import { selected } from './expressions/document-paths.ts';
import { type Path, Scope } from './expressions/scope.ts';
import { type CheckedUpdate, updateOf } from './expressions/updates.ts';
import type { ItemTable } from './item-table.ts';
import { type FindTable, hasTwice, readKey, refuseLegacy } from './reads.ts';
import { breaks, conditionFailed, invalid, unreadable } from './refusals.ts';
import {
  attributesOf,
  keyOfItem,
  nestedKey,
  requireNoEmptyIndexKeys,
  requireUpdatedIndexKeys,
  requireWholeIndexKeys,
  type StoredKey,
  storedKeyOf,
  type TableDefinition,
} from './table-definition.ts';

const ITEM_BYTES_MAX = 400 * 1024;
const BATCH_MAX = 25;

/** A change of one item, or only a condition on it, checked as far as possible without the item. */
export interface PreparedWrite {
  table: ItemTable;
  key: StoredKey;
  condition: Test | undefined;
  /** Whether a failed condition returns the current item. */
  showsItem: boolean;
  /** The new item (undefined: deleted); absent for a condition only. Throws ValidationException. */
  change?: (before: () => Item | undefined) => Written | undefined;
  /** Paths that an update writes. */
  paths: readonly Path[];
}

/** An item to write, and its size. */
interface Written {
  item: Item;
  bytes: number;
}

/** An item before and after a write. */
export interface Outcome {
  before: () => Item | undefined;
  after: Written | undefined;
}

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write with parsed values and no further checks. */
interface ReadWrite {
  kind: WriteKind;
  input: JsonObject;
  table: ItemTable;
  /** The item of a put; the key of any other write. */
  named: Item;
  bytes: number;
  scope: Scope;
}

function readWrite(kind: WriteKind, input: JsonObject, find: FindTable): ReadWrite {
  const table = find(input);
  refuseLegacy(input);
  const named = kind === 'Put' ? readPut(input) : readKey(input);
  const bytes = sizeOfItem(named);
  if (bytes > ITEM_BYTES_MAX) throw invalid('Item size has exceeded the maximum allowed size');
  const kinds =
    kind === 'Update'
      ? (['UpdateExpression', 'ConditionExpression'] as const)
      : (['ConditionExpression'] as const);
  return { kind, input, table, named, bytes, scope: new Scope(input, ...kinds) };
}

function readPut({ Item }: JsonObject): Item {
  if (Item === undefined || Item === null) throw breaks('null', 'item', 'Member must not be null');
  return readItem(Item);
}

const keyOf = ({ kind, table: { definition }, named }: ReadWrite): StoredKey =>
  kind === 'Put' ? keyOfItem(definition, named) : storedKeyOf(definition, named);

function expressionsOf({ kind, input, scope, table }: ReadWrite) {
  const update = kind === 'Update' ? updateOf(input.UpdateExpression, scope) : undefined;
  const condition = conditionOf('ConditionExpression', input.ConditionExpression, scope);
  scope.close();
  if (kind === 'ConditionCheck' && !condition)
    throw breaks('null', 'conditionCheck.conditionExpression', 'Member must not be null');
  if (update) requireWholeIndexKeys(table.definition, update.paths);
  for (const path of condition?.paths ?? [])
    if (path.length > 1) requireNoKey(table.definition, scope.path(path));
  return { update, condition: condition?.test, showsItem: showsItemOf(input) };
}

function requireNoKey(definition: TableDefinition, [name]: Path): void {
  if (attributesOf(definition).some((key) => key.name === name)) throw nestedKey(String(name));
}

function prepared(
  { kind, table, named, bytes }: ReadWrite,
  key: StoredKey,
  { update, condition, showsItem }: ReturnType<typeof expressionsOf>,
): PreparedWrite {
  const write = { table, key, condition, showsItem, paths: update?.paths ?? [] };
  if (kind === 'ConditionCheck') return write;
  if (kind === 'Put') return { ...write, change: () => ({ item: named, bytes }) };
  if (kind === 'Delete') return { ...write, change: () => undefined };
  const keys = attributesOf(table.definition);
  const changed = write.paths.find(([name]) => keys.some((attribute) => attribute.name === name));
  if (changed)
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${changed[0]}. This attribute is part of the key`,
    );
  return { ...write, change: (before) => updated(before() ?? named, update, table) };
}

function updated(before: Item, update: CheckedUpdate | undefined, { definition }: ItemTable): Written {
  const item = update ? update.applied(before) : before;
  requireUpdatedIndexKeys(definition, item);
  const bytes = sizeOfItem(item);
  if (bytes > ITEM_BYTES_MAX) throw invalid('Item size to update has exceeded the maximum allowed size');
  return { item, bytes };
}

/** Checks a write. Throws the errors that do not depend on the table's content. */
function prepare(kind: WriteKind, input: JsonObject, find: FindTable): PreparedWrite {
  const read = readWrite(kind, input, find);
  return prepared(read, keyOf(read), expressionsOf(read));
}

/** An action of a transaction. Its expressions are checked before the keys of all actions. */
export interface DraftedWrite {
  /** Bytes that count towards the size of the transaction. */
  bytes: number;
  /** The remaining checks. Throws ValidationException. */
  complete(): PreparedWrite;
}

/** Performs the checks of an action that AWS reports without a per-action reason. Throws ValidationException. */
export function draft(kind: WriteKind, input: JsonObject, find: FindTable): DraftedWrite {
  const read = readWrite(kind, input, find);
  const expressions = expressionsOf(read);
  if (expressions.update) requireNoEmptyIndexKeys(read.table.definition, expressions.update.given);
  return { bytes: read.bytes + read.scope.bytes, complete: () => prepared(read, keyOf(read), expressions) };
}

function showsItemOf({ ReturnValuesOnConditionCheckFailure: shows = 'NONE' }: JsonObject): boolean {
  if (shows === 'ALL_OLD' || shows === 'NONE') return shows === 'ALL_OLD';
  const constraint = 'Member must satisfy enum value set: [ALL_OLD, NONE]';
  throw breaks(String(shows), 'returnValuesOnConditionCheckFailure', constraint);
}

/**
 * Reads the item and decides what to write. Throws ConditionalCheckFailedException or ValidationException; nothing has
 * been written yet.
 */
export function decide({ table, key, condition, showsItem, change }: PreparedWrite): Outcome {
  let isRead = false;
  let item: Item | undefined;
  const before = (): Item | undefined => {
    if (isRead) return item;
    const stored = table.get(key);
    item = stored && JSON.parse(stored.text);
    isRead = true;
    return item;
  };
  if (condition && !condition(before() ?? {})) throw conditionFailed(showsItem ? item : undefined);
  return { before, after: change?.(before) };
}

/** Performs the decided write. */
function carryOut({ table, key, change }: PreparedWrite, { after }: Outcome): void {
  if (!change) return;
  if (after) table.put(key, after.item, after.bytes);
  else table.delete(key);
}

const SINGLE = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' } as const;

/** Prepares PutItem, UpdateItem or DeleteItem; the returned function performs it, within a transaction of the file. */
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
    // Read the old item before it is overwritten.
    const before = wanted === 'NONE' && detail === 'NONE' ? undefined : outcome.before();
    carryOut(write, outcome);
    const { definition } = write.table;
    const Attributes = returned(wanted, write.paths, before, outcome.after?.item);
    return {
      ...(Attributes && { Attributes }),
      ...(detail !== 'NONE' && {
        ConsumedCapacity: capacityReply(
          definition.name,
          unitsOfWrite(definition, before, outcome.after?.item),
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
    throw breaks(
      String(given),
      'returnValues',
      'Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]',
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

/** Prepares BatchWriteItem: up to 25 independent puts and deletes. */
export function batchWriteItem(input: JsonObject, find: FindTable): () => JsonObject {
  const detail = detailOf(input);
  const asked = Object.entries(isObject(input.RequestItems) ? input.RequestItems : {});
  if (asked.length === 0)
    throw breaks('{}', 'requestItems', 'Member must have length greater than or equal to 1');
  if (
    asked.reduce((sum, [, requests]) => sum + (Array.isArray(requests) ? requests.length : 0), 0) > BATCH_MAX
  )
    throw invalid('Too many items requested for the BatchWriteItem call');
  const writes = asked.flatMap(([TableName, requests]) => {
    if (!Array.isArray(requests)) throw unreadable('Unexpected value type in payload');
    if (requests.length === 0)
      throw invalid(`The batch write request list for a table cannot be null or empty: ${TableName}`);
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

/** Performs the decided write and adds the units it consumes, if requested. */
export function writeAndCount(
  write: PreparedWrite,
  outcome: Outcome,
  detail: Detail,
  consumed: Map<string, Consumed>,
): void {
  const { definition } = write.table;
  if (detail !== 'NONE') {
    const before = outcome.before();
    const after = write.change ? outcome.after?.item : before;
    count(consumed, definition.name, unitsOfWrite(definition, before, after));
  }
  carryOut(write, outcome);
}

// The operations that write: PutItem, UpdateItem, DeleteItem, BatchWriteItem. Each change is prepared, then performed.
import { isObject, type Json, type JsonObject } from '../../json-values.ts';
import { type Item, readItem, sizeOfItem } from './attribute-values.ts';
import {
  asksCapacity,
  type Consumed,
  capacityReplies,
  capacityReply,
  count,
  unitsOfWrite,
} from './capacity.ts';
import { meets } from './expressions/conditions.ts';
import { selected } from './expressions/document-paths.ts';
import { Scope } from './expressions/scope.ts';
import { parseCondition, parseUpdate } from './expressions/syntax.ts';
import { type CheckedUpdate, updateOf } from './expressions/updates.ts';
import type { ItemTable } from './item-table.ts';
import { type FindTable, requestItemsOf, requireOnce } from './reads.ts';
import { conditionFailed, invalid, requireKnown, unknown } from './refusals.ts';
import {
  attributesOf,
  keyOfItem,
  requireIndexKeys,
  type StoredKey,
  storedKeyOf,
} from './table-definition.ts';

const ITEM_BYTES_MAX = 400 * 1024;
const BATCH_MAX = 25;
const EXPRESSIONS = ['ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'];
const KEYED = ['TableName', 'Key', ...EXPRESSIONS, 'ReturnValuesOnConditionCheckFailure'];
const MEMBERS: Record<WriteKind, string[]> = {
  Put: ['Item', ...KEYED.filter((name) => name !== 'Key')],
  Update: ['UpdateExpression', ...KEYED],
  Delete: KEYED,
  ConditionCheck: KEYED,
};

/** A change of one item, or only a condition on it, checked as far as possible without the item. */
export interface PreparedWrite {
  table: ItemTable;
  key: StoredKey;
  condition: ((item: Item) => boolean) | undefined;
  /** Whether a failed condition returns the current item. */
  showsItem: boolean;
  /** The new item (undefined: deleted); absent for a condition only. Throws ValidationException. */
  change?: (before: () => Item | undefined) => Written | undefined;
  update: CheckedUpdate | undefined;
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

/** An action of a transaction, its expressions checked. */
export interface DraftedWrite {
  /** Bytes that count towards the size of the transaction. */
  bytes: number;
  /** Checks the key. Throws ValidationException. */
  complete(): PreparedWrite;
}

/** Performs the checks of a write that AWS reports without a reason of its action. Throws ValidationException. */
export function draft(kind: WriteKind, input: JsonObject, find: FindTable): DraftedWrite {
  requireKnown(input, MEMBERS[kind]);
  const table = find(input);
  const named = readItem(kind === 'Put' ? input.Item : input.Key);
  const bytes = sizeOfItem(named);
  if (bytes > ITEM_BYTES_MAX) throw tooLarge();
  const parsedUpdate = parseUpdate(input.UpdateExpression);
  const parsed = parseCondition(input.ConditionExpression);
  if (kind === 'ConditionCheck' && !parsed) throw unknown('the check without a condition', kind);
  const scope = new Scope(input, parsedUpdate, parsed);
  const update = parsedUpdate && updateOf(parsedUpdate, scope);
  const condition = parsed && ((item: Item) => meets(item, parsed.tree, scope));
  const showsItem = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return {
    bytes: bytes + scope.bytes,
    complete() {
      const { definition } = table;
      const key = kind === 'Put' ? keyOfItem(definition, named) : storedKeyOf(definition, named);
      const write = { table, key, condition, showsItem, update };
      if (kind === 'ConditionCheck') return write;
      if (kind === 'Put') return { ...write, change: () => ({ item: named, bytes }) };
      if (kind === 'Delete') return { ...write, change: () => undefined };
      const keyNames = attributesOf(definition).map(({ name }) => name);
      if (update?.paths.some(([name]) => keyNames.includes(String(name))))
        throw invalid('An update does not change the key');
      return { ...write, change: (before) => updated(before() ?? named, update, table) };
    },
  };
}

const tooLarge = () => invalid('An item has at most 400 KB');

function updated(before: Item, update: CheckedUpdate | undefined, { definition }: ItemTable): Written {
  const item = update ? update.apply(before) : before;
  requireIndexKeys(definition, item);
  const bytes = sizeOfItem(item);
  if (bytes > ITEM_BYTES_MAX) throw tooLarge();
  return { item, bytes };
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
const RETURN_VALUES = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_NEW'];

/** Prepares PutItem, UpdateItem or DeleteItem; the returned function performs it, within a transaction of the file. */
export function singleWrite(
  operation: keyof typeof SINGLE,
  { ReturnValues = 'NONE', ReturnConsumedCapacity, ...input }: JsonObject,
  find: FindTable,
): () => JsonObject {
  const asks = asksCapacity({ ReturnConsumedCapacity });
  const wanted = String(ReturnValues);
  if (!RETURN_VALUES.includes(wanted)) throw unknown('the return values', ReturnValues);
  const write = draft(SINGLE[operation], input, find).complete();
  return () => {
    const outcome = decide(write);
    // Read the old item before it is overwritten.
    const before = wanted === 'NONE' && !asks ? undefined : outcome.before();
    carryOut(write, outcome);
    const { definition } = write.table;
    const after = outcome.after?.item;
    const Attributes = returned(wanted, write, before, after);
    return {
      ...(Attributes && { Attributes }),
      ...(asks && {
        ConsumedCapacity: capacityReply(definition.name, unitsOfWrite(definition, before, after)),
      }),
    };
  };
}

function returned(
  wanted: string,
  { update }: PreparedWrite,
  before: Item | undefined,
  after: Item | undefined,
): Item | undefined {
  if (wanted === 'ALL_OLD') return before;
  if (wanted === 'ALL_NEW') return after;
  if (wanted === 'NONE' || !after || !update) return undefined;
  const part = selected(after, update.paths);
  return Object.keys(part).length > 0 ? part : undefined;
}

/** Prepares BatchWriteItem: up to 25 independent puts and deletes. */
export function batchWriteItem(input: JsonObject, find: FindTable): () => JsonObject {
  requireKnown(input, ['RequestItems', 'ReturnConsumedCapacity']);
  const asks = asksCapacity(input);
  const writes = requestItemsOf(input).flatMap(([TableName, requests]) => {
    if (!Array.isArray(requests)) throw unknown('the batch', requests);
    return requests.map((request) => batched(TableName, request, find));
  });
  if (writes.length === 0 || writes.length > BATCH_MAX) throw invalid('A batch writes 1 to 25 items');
  requireOnce(writes);
  return () => {
    const consumed = new Map<string, Consumed>();
    for (const write of writes) writeAndCount(write, decide(write), asks, consumed);
    return { UnprocessedItems: {}, ...(asks && { ConsumedCapacity: capacityReplies(consumed) }) };
  };
}

function batched(TableName: string, request: Json, find: FindTable): PreparedWrite {
  const { PutRequest, DeleteRequest } = isObject(request) ? request : {};
  if (isObject(PutRequest)) return draft('Put', { TableName, ...PutRequest }, find).complete();
  if (isObject(DeleteRequest)) return draft('Delete', { TableName, ...DeleteRequest }, find).complete();
  throw unknown('the write', request);
}

/** Performs the decided write and adds the units it consumes, if requested. */
export function writeAndCount(
  write: PreparedWrite,
  outcome: Outcome,
  asks: boolean,
  consumed: Map<string, Consumed>,
): void {
  const { definition } = write.table;
  if (asks) {
    const before = outcome.before();
    const after = write.change ? outcome.after?.item : before;
    count(consumed, definition.name, unitsOfWrite(definition, before, after));
  }
  carryOut(write, outcome);
}

// A workspace's hot counters: the runs in flight, and its credits. One item, changed by single conditional updates.
import { DeleteCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { getItem, queryAll, table, tableName, takesEffect, transact, type Write } from '../table/table.ts';
import { due, duePartition, keys } from '../table/table-keys.ts';
import { appendPending, LedgerState, type PendingEntry, writeLedger } from './ledger.ts';

export const Slot = z.object({ held: z.number(), at: z.number() });
export type Slot = z.infer<typeof Slot>;

/**
 * `slots` maps runs in flight to the credits reserved for each (`held`) and the time of the claim, so that claims and
 * releases are idempotent and slots left by a crash can be recognized. Slots beyond `slotsInCounters` are separate
 * items, counted by `slot_items`. `credits_free` is neither used nor reserved. For the parts of the day's cost and
 * `shards_until` see earlier-days.ts.
 */
const Counters = z.object({
  slots: z.record(z.string(), Slot).default({}),
  slot_items: z.number().default(0),
  credits_free: z.number().optional(),
  ...LedgerState.shape,
});
export type Counters = z.infer<typeof Counters>;

/** How long after a claim or a ledger entry the sweep checks the counters; it repeats that while any are left. */
export const CHECK_AFTER_MS = 5 * 60_000;

/** Schedules a check by the sweep, unless one is scheduled. */
function sweepDue(workspaceId: string): { set: string[]; values: Record<string, unknown> } {
  return {
    set: ['due_pk = :due_pk', 'due_at = if_not_exists(due_at, :due_at)'],
    values: { ':due_pk': duePartition(due.slots, workspaceId), ':due_at': Date.now() + CHECK_AFTER_MS },
  };
}

/**
 * Write that creates the counters of a new workspace; its condition fails if they exist. `credits` undefined: its runs
 * draw none.
 */
export function countersWrite(workspaceId: string, credits: number | undefined, atMs: number): Write {
  const noted: PendingEntry[] = credits === undefined ? [] : [{ kind: 'grant', at: atMs, to: credits }];
  const check = noted.length > 0 && {
    due_pk: duePartition(due.slots, workspaceId),
    due_at: atMs + CHECK_AFTER_MS,
  };
  const Item = {
    ...keys.counters(workspaceId),
    ...{ slots: {}, credits_free: credits, noted },
    ...check,
  };
  return { Put: { TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** The current counters of a workspace, without the slots in separate items. */
export async function readCountersItem(workspaceId: string): Promise<Counters> {
  return Counters.parse((await getItem(keys.counters(workspaceId))) ?? {});
}

/** The current counters of a workspace with all its slots. */
export async function readCounters(workspaceId: string): Promise<Counters> {
  const counters = await readCountersItem(workspaceId);
  if (counters.slot_items === 0) return counters;
  const items = await queryAll(keys.slots(workspaceId));
  const others = items.map((item) => [String(item.sk), Slot.parse(item)] as const);
  return { ...counters, slots: { ...counters.slots, ...Object.fromEntries(others) } };
}

/** True while all slots of the workspace are in the counters; needs `:zero`. */
export const NO_SLOT_ITEMS = '(attribute_not_exists(slot_items) OR slot_items = :zero)';

/** Whether the workspace has counters. */
export async function hasCounters(workspaceId: string): Promise<boolean> {
  return (await getItem(keys.counters(workspaceId))) !== undefined;
}

/** Removes the counters of a workspace without slots, after which no run can claim one. False if there are slots. */
export async function removeCounters(workspaceId: string): Promise<boolean> {
  const removal = new DeleteCommand({
    TableName: tableName(),
    Key: keys.counters(workspaceId),
    ConditionExpression: `attribute_not_exists(pk) OR (size(slots) = :zero AND ${NO_SLOT_ITEMS})`,
    ExpressionAttributeValues: { ':zero': 0 },
  });
  return takesEffect(table.send(removal));
}

/** A change of the counters, and of the separate item of a slot, if any. */
export interface CountersChange {
  set?: string[];
  remove?: string;
  when: string;
  names?: Record<string, string>;
  values: Record<string, unknown>;
  /** Its entry in the ledger; undefined if it changes no credits. */
  entry: PendingEntry | undefined;
  slotItem?: Write;
}

/** How many pending entries gather before they move to separate items; the sweep moves the rest. */
export const PENDING_MAX = 25;

/** The update that changes the counters. */
function countersUpdate(workspaceId: string, change: CountersChange) {
  const { entry } = change;
  const appended = entry && appendPending(entry);
  // A mere removal leaves nothing to check.
  const check = change.set?.length ? sweepDue(workspaceId) : undefined;
  const set = [...(change.set ?? []), ...(appended ? [appended.set] : []), ...(check?.set ?? [])];
  const expression = [
    ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
    ...(change.remove ? [`REMOVE ${change.remove}`] : []),
  ];
  return {
    TableName: tableName(),
    Key: keys.counters(workspaceId),
    UpdateExpression: expression.join(' '),
    ConditionExpression: change.when,
    ExpressionAttributeNames: change.names,
    ExpressionAttributeValues: { ...change.values, ...appended?.values, ...check?.values },
  };
}

/** Changes the counters. False if a condition fails. */
export async function changeCounters(workspaceId: string, change: CountersChange): Promise<boolean> {
  const { entry, slotItem } = change;
  const update = countersUpdate(workspaceId, change);
  return takesEffect(
    slotItem
      ? transact([{ Update: update }, slotItem])
      : updateAlone(workspaceId, update, entry?.kind === 'settle'),
  );
}

async function updateAlone(workspaceId: string, update: UpdateCommandInput, settles: boolean): Promise<void> {
  const { Attributes } = await table.send(
    new UpdateCommand({ ...update, ...(settles && { ReturnValues: 'UPDATED_NEW' }) }),
  );
  if (LedgerState.parse(Attributes ?? {}).noted.length >= PENDING_MAX) await writeLedger(workspaceId);
}

/** Ends the checks of the sweep; false while there is a slot or a pending ledger entry. */
export async function forgetEmpty(workspaceId: string): Promise<boolean> {
  return changeCounters(workspaceId, {
    remove: 'due_pk, due_at, repair_delay_ms',
    when: `size(slots) = :zero AND ${NO_SLOT_ITEMS} AND (attribute_not_exists(noted) OR size(noted) = :zero)`,
    values: { ':zero': 0 },
    entry: undefined,
  });
}

/** Write that sets the credits of a workspace, besides those its runs have reserved. */
export function grantWrite(workspaceId: string, left: number): Write {
  return {
    Update: countersUpdate(workspaceId, {
      set: ['credits_free = :left'],
      when: 'attribute_exists(pk)',
      values: { ':left': left },
      entry: { kind: 'grant', at: Date.now(), to: left },
    }),
  };
}

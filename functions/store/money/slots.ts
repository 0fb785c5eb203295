// The slots of runs in flight: their reservations change, and each is released exactly once.
import { getItem, tableName } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import {
  type Counters,
  type CountersChange,
  changeCounters,
  PENDING_MAX,
  readCountersItem,
  Slot,
} from './counters.ts';
import { SHARDS_READ } from './earlier-days.ts';
import { isSettled, writeLedger } from './ledger.ts';

/** A slot, and whether it is stored in a separate item. */
export type StoredSlot = Slot & { isItem: boolean };

/** The slot of a run, given the current counters. */
export async function slotOf(
  workspaceId: string,
  runId: string,
  counters: Counters,
): Promise<StoredSlot | undefined> {
  const inCounters = counters.slots[runId];
  if (inCounters) return { ...inCounters, isItem: false };
  const item = counters.slot_items > 0 ? await getItem(keys.slot(workspaceId, runId)) : undefined;
  return item && { ...Slot.parse(item), isItem: true };
}

/** A change of a slot: other reserved credits, another time of its claim, or its release (`held` undefined). */
interface SlotChange {
  held?: number;
  at?: number;
  set: string[];
  when?: string;
  values: Record<string, unknown>;
  entry: CountersChange['entry'];
}

/** Changes a slot. False if it has changed since it was read, or the condition fails. */
function changeSlot(
  workspaceId: string,
  runId: string,
  slot: StoredSlot,
  { held, at = slot.at, set, when = '', values, entry }: SlotChange,
): Promise<boolean> {
  const seen = { ':held': slot.held, ':at': slot.at };
  const to = held === undefined ? undefined : { ':to': held, ':since': at };
  if (!slot.isItem)
    return changeCounters(workspaceId, {
      set: to ? ['slots.#run.held = :to', 'slots.#run.#at = :since', ...set] : set,
      ...(to === undefined && { remove: 'slots.#run' }),
      when: `slots.#run.held = :held AND slots.#run.#at = :at${when}`,
      names: { '#run': runId, '#at': 'at' },
      values: { ...seen, ...to, ...values },
      entry,
    });
  const item = {
    TableName: tableName(),
    Key: keys.slot(workspaceId, runId),
    ConditionExpression: 'held = :held AND #at = :at',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ...seen, ...to },
  };
  return changeCounters(workspaceId, {
    set: to ? set : ['slot_items = slot_items - :one', ...set],
    when: `slot_items >= :one${when}`,
    values: { ':one': 1, ...values },
    entry,
    slotItem: to
      ? { Update: { ...item, UpdateExpression: 'SET held = :to, #at = :since' } }
      : { Delete: item },
  });
}

/** Takes over the claim of another request, which can no longer release it. False if the slot has changed. */
export function takeOverSlot(
  workspaceId: string,
  runId: string,
  slot: StoredSlot,
  at: number,
): Promise<boolean> {
  return changeSlot(workspaceId, runId, slot, {
    ...{ held: slot.held, at, entry: undefined },
    set: [SHARDS_READ.set],
    values: SHARDS_READ.values,
  });
}

/** Limits an action to the claim of a time, or to claims up to and including `until` (epoch ms). */
interface ClaimTime {
  claimed_at?: number | undefined;
  until?: number | undefined;
}

/**
 * Releases a run's slot and returns its reserved credits except `used`. Only the first call for a claim has an effect,
 * and only on a claim of that time. A run that ended at `until` pays once: a late copy of its claim, made after the
 * release, is returned whole.
 */
export async function releaseSlot(
  workspaceId: string,
  runId: string,
  used: number,
  { claimed_at, until = Number.POSITIVE_INFINITY }: ClaimTime = {},
): Promise<void> {
  for (;;) {
    const counters = await readCountersItem(workspaceId);
    const slot = await slotOf(workspaceId, runId, counters);
    if (!slot || slot.at > until || slot.at !== (claimed_at ?? slot.at)) return;
    const drawn = counters.credits_free !== undefined;
    const paid = drawn && used > 0 && (await isSettled(workspaceId, runId, until, counters.noted));
    const reserved = drawn ? slot.held : undefined;
    const credits = settlement(runId, { reserved, used: paid ? 0 : used, until });
    if (!(await changeSlot(workspaceId, runId, slot, credits))) continue;
    // A transaction does not return the number of pending entries.
    if (slot.isItem && counters.noted.length >= PENDING_MAX) await writeLedger(workspaceId);
    return;
  }
}

/** What a run that ended at `until` (epoch ms) reserved (undefined: its workspace has no credits) and used. */
export interface SlotEnd {
  reserved: number | undefined;
  used: number;
  until: number;
}

/** The part of a release that returns the unused credits. */
function settlement(runId: string, { reserved, used, until }: SlotEnd): SlotChange {
  if (reserved === undefined) return { set: [], values: {}, entry: undefined };
  // Even with a slow clock, the settlement must not be dated before the end of the run.
  const at = Number.isFinite(until) ? Math.max(Date.now(), until) : Date.now();
  return {
    set: ['credits_free = credits_free + :returned'],
    values: { ':returned': reserved - used },
    entry: { kind: 'settle', at, run_id: runId, credits: reserved - used, credits_used: used },
  };
}

/** As `releaseSlot`, in one write if the slot is in the counters with the expected reservation. */
export async function releaseExpectedSlot(workspaceId: string, runId: string, end: SlotEnd): Promise<void> {
  const credits = settlement(runId, end);
  const released = await changeCounters(workspaceId, {
    ...credits,
    remove: 'slots.#run',
    when: 'slots.#run.held = :held AND slots.#run.#at <= :until',
    names: { '#run': runId, '#at': 'at' },
    values: { ':held': end.reserved ?? 0, ':until': end.until, ...credits.values },
  });
  if (!released) await releaseSlot(workspaceId, runId, end.used, { until: end.until });
}

/**
 * Sets a run's reservation to `to` credits. False if the workspace has too few left; true also if the run has lost its
 * slot.
 */
export async function setReservation(workspaceId: string, runId: string, to: number): Promise<boolean> {
  for (;;) {
    const counters = await readCountersItem(workspaceId);
    const slot = await slotOf(workspaceId, runId, counters);
    if (!slot || slot.held === to) return true;
    const more = to - slot.held;
    if (more > (counters.credits_free ?? 0)) return false;
    const changed = await changeSlot(workspaceId, runId, slot, {
      held: to,
      set: ['credits_free = credits_free + :returned'],
      when: ' AND credits_free >= :more',
      values: { ':returned': -more, ':more': Math.max(0, more) },
      entry: { kind: 'change_of_hold', at: Date.now(), run_id: runId, credits: -more },
    });
    if (changed) return true;
  }
}

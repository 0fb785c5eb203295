// Claiming the slot of a run and reserving its credits: idempotent, and never beyond the limit.
import { tableName } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import {
  type CountersChange,
  changeCounters,
  hasCounters,
  NO_SLOT_ITEMS,
  readCountersItem,
} from './counters.ts';
import { SHARDS_READ } from './earlier-days.ts';
import { slotOf, takeOverSlot } from './slots.ts';

/**
 * How many slots the counters store themselves, where a claim is one update; no tier allows more. Each update writes
 * the whole item, 14 units a run with 100 slots, and an item cannot store ten thousand. Further slots are separate
 * items, counted in the same transaction, for 8 units a run.
 */
export const slotsInCounters = { max: 100 };

interface Claim {
  workspaceId: string;
  runId: string;
  limit: number;
  /** Credits to reserve; undefined: its runs draw none. */
  reserved: number | undefined;
  at: number;
}

/** Whose claim it is. */
export interface ClaimedBy {
  /** The time by which it can be released again, epoch ms. */
  at: number;
  /** Whether it takes over the claim of another request, instead of sharing it. */
  takesOver?: boolean;
}

/**
 * Claims a slot for a run and reserves its credits (`reserved` undefined: the workspace draws none). True if the run
 * now has the slot, even from before; false if the workspace is full or lacks credits.
 */
export async function claimSlot(
  workspaceId: string,
  runId: string,
  limit: number,
  reserved: number | undefined,
  { at, takesOver = false }: ClaimedBy = { at: Date.now() },
): Promise<boolean> {
  const claim = { workspaceId, runId, limit, reserved, at };
  for (;;) {
    if (await changeCounters(workspaceId, claimInCounters(claim))) return true;
    const counters = await readCountersItem(workspaceId);
    const slot = await slotOf(workspaceId, runId, counters);
    if (slot && (!takesOver || (await takeOverSlot(workspaceId, runId, slot, at)))) return true;
    if (slot) continue;
    const inCounters = Object.keys(counters.slots).length;
    const full = inCounters + counters.slot_items >= limit;
    if (full || (reserved !== undefined && (counters.credits_free ?? 0) < reserved)) return false;
    const beyond = counters.slot_items > 0 || inCounters >= slotsInCounters.max;
    if (beyond && (await claimItem(claim, inCounters))) return true;
    // A purge has removed the counters.
    if (!beyond && !(await hasCounters(workspaceId))) return false;
  }
}

/**
 * While there are separate items, only a transaction can rule out that the run has one, so the counters take no more
 * slots.
 */
function claimInCounters({ runId, limit, reserved, at }: Claim): CountersChange {
  const credits = reservation(runId, at, reserved);
  return {
    set: ['slots.#run = :slot', SHARDS_READ.set, ...credits.set],
    when: `attribute_not_exists(slots.#run) AND size(slots) < :limit AND ${NO_SLOT_ITEMS}${credits.when}`,
    names: { '#run': runId },
    values: {
      ':slot': { held: reserved ?? 0, at },
      ':limit': Math.min(limit, slotsInCounters.max),
      ':zero': 0,
      ...SHARDS_READ.values,
      ...credits.values,
    },
    entry: credits.entry,
  };
}

/** `inCounters`: how many slots the counters had when they were read. */
function claimItem({ workspaceId, runId, limit, reserved, at }: Claim, inCounters: number): Promise<boolean> {
  const credits = reservation(runId, at, reserved);
  const room = 'size(slots) <= :seen AND (attribute_not_exists(slot_items) OR slot_items < :rest)';
  const Item = { ...keys.slot(workspaceId, runId), held: reserved ?? 0, at };
  return changeCounters(workspaceId, {
    set: ['slot_items = if_not_exists(slot_items, :zero) + :one', SHARDS_READ.set, ...credits.set],
    when: `attribute_not_exists(slots.#run) AND ${room}${credits.when}`,
    names: { '#run': runId },
    values: {
      ...{ ':seen': inCounters, ':rest': limit - inCounters, ':zero': 0, ':one': 1 },
      ...SHARDS_READ.values,
      ...credits.values,
    },
    entry: credits.entry,
    slotItem: { Put: { TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' } },
  });
}

/** The part of a claim that reserves credits. */
function reservation(runId: string, at: number, reserved: number | undefined) {
  if (reserved === undefined) return { set: [], when: '', values: {}, entry: undefined };
  return {
    set: ['credits_free = credits_free - :held'],
    when: ' AND credits_free >= :held',
    values: { ':held': reserved },
    entry: { kind: 'hold' as const, at, run_id: runId, credits: -reserved },
  };
}

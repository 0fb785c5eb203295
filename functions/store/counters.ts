// A workspace's hot counters: which runs are in flight, and its credits. One item, changed by single conditional updates.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { appendPending, LedgerState, type PendingEntry, writeLedger } from './ledger.ts';
import { getItem, table, tableName, type Write } from './table.ts';
import { due, duePartition, keys } from './table-keys.ts';

/**
 * `slots` names every run in flight with the credits reserved for it (`held`) and when it was claimed, so claiming and releasing are
 * idempotent and a slot left by a crash can be told from a living one. `credits_free` is what is neither used nor reserved.
 */
const Counters = z.object({
  slots: z.record(z.string(), z.object({ held: z.number(), at: z.number() })).default({}),
  credits_free: z.number().optional(),
  ...LedgerState.shape,
});
export type Counters = z.infer<typeof Counters>;

/** So long after a claim or an entry of the ledger the sweep looks at the counters, and again as long as they hold any. */
export const LOOK_AFTER_MS = 5 * 60_000;

/** Has the sweep look at the counters, unless it is to already. */
function lookedAt(workspaceId: string): { set: string[]; values: Record<string, unknown> } {
  return {
    set: ['due_pk = :due_pk', 'due_at = if_not_exists(due_at, :due_at)'],
    values: { ':due_pk': duePartition(due.slots, workspaceId), ':due_at': Date.now() + LOOK_AFTER_MS },
  };
}

/** Lets the sweep forget the counters; false while they hold a slot or a pending entry of the ledger. */
export async function forgetEmpty(workspaceId: string): Promise<boolean> {
  return update(workspaceId, {
    remove: 'due_pk, due_at, repair_delay_ms',
    when: 'size(slots) = :none AND (attribute_not_exists(noted) OR size(noted) = :none)',
    values: { ':none': 0 },
    entry: undefined,
  });
}

/** Write that creates the counters of a new workspace; its condition fails when they exist. `credits` undefined: it draws none. */
export function countersWrite(workspaceId: string, credits: number | undefined, atMs: number): Write {
  const noted: PendingEntry[] = credits === undefined ? [] : [{ kind: 'grant', at: atMs, to: credits }];
  const looked = noted.length > 0 && {
    due_pk: duePartition(due.slots, workspaceId),
    due_at: atMs + LOOK_AFTER_MS,
  };
  const Item = { ...keys.counters(workspaceId), slots: {}, credits_free: credits, noted, ...looked };
  return { Put: { TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** The counters of a workspace, as of now. */
export async function readCounters(workspaceId: string): Promise<Counters> {
  return Counters.parse((await getItem(keys.counters(workspaceId))) ?? {});
}

interface Change {
  set?: string[];
  remove?: string;
  when: string;
  names?: Record<string, string>;
  values: Record<string, unknown>;
  /** How it changes the balance, for the ledger; undefined where no credits are drawn. */
  entry: PendingEntry | undefined;
}

/** So many pending entries are gathered before they are moved to items of their own; the sweep moves the rest. */
const PENDING_MAX = 25;

/** Updates the counters. False when the condition does not hold. */
async function update(workspaceId: string, change: Change): Promise<boolean> {
  const { entry } = change;
  const appended = entry && appendPending(entry);
  // What only takes away leaves nothing to look at.
  const looked = change.set && lookedAt(workspaceId);
  const set = [...(change.set ?? []), ...(appended ? [appended.set] : []), ...(looked?.set ?? [])];
  const expression = [
    ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
    ...(change.remove ? [`REMOVE ${change.remove}`] : []),
  ];
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.counters(workspaceId),
        UpdateExpression: expression.join(' '),
        ConditionExpression: change.when,
        ExpressionAttributeNames: change.names,
        ExpressionAttributeValues: { ...change.values, ...appended?.values, ...looked?.values },
        ...(entry?.kind === 'settle' && { ReturnValues: 'UPDATED_NEW' as const }),
      }),
    );
    if (LedgerState.parse(Attributes ?? {}).noted.length >= PENDING_MAX) await writeLedger(workspaceId);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/**
 * Claims a slot for a run and reserves credits with it (`reserved` undefined: the workspace draws none). True when the run has the slot
 * now, also when it had it before; false when the workspace is full or its credits do not suffice.
 */
export async function claimSlot(
  workspaceId: string,
  runId: string,
  limit: number,
  reserved: number | undefined,
): Promise<boolean> {
  const at = Date.now();
  const claimed = await update(workspaceId, {
    set: ['slots.#run = :slot', ...(reserved === undefined ? [] : ['credits_free = credits_free - :held'])],
    when: `attribute_not_exists(slots.#run) AND size(slots) < :limit${reserved === undefined ? '' : ' AND credits_free >= :held'}`,
    names: { '#run': runId },
    values: {
      ':slot': { held: reserved ?? 0, at },
      ':limit': limit,
      ...(reserved !== undefined && { ':held': reserved }),
    },
    entry: reserved === undefined ? undefined : { kind: 'hold', at, run_id: runId, credits: -reserved },
  });
  return claimed || runId in (await readCounters(workspaceId)).slots;
}

/** Limits an action to claims made in a period (epoch ms): after `after`, up to and including `until`. */
interface ClaimTime {
  after?: number | undefined;
  until?: number | undefined;
}

/**
 * Releases a run's slot and gives back its reserved credits but for `used`. Only the first call for a claim has an effect, and only on a
 * claim of that period.
 */
export async function releaseSlot(
  workspaceId: string,
  runId: string,
  used: number,
  { after = 0, until = Number.POSITIVE_INFINITY }: ClaimTime = {},
): Promise<void> {
  for (;;) {
    const { slots, credits_free } = await readCounters(workspaceId);
    const slot = slots[runId];
    if (!slot || slot.at <= after || slot.at > until) return;
    const drawn = credits_free !== undefined;
    const released = await update(workspaceId, {
      ...release(runId, drawn ? { reserved: slot.held, used } : undefined),
      when: 'slots.#run.held = :held AND slots.#run.#at = :at',
      values: { ':held': slot.held, ':at': slot.at, ...(drawn && { ':returned': slot.held - used }) },
    });
    if (released) return;
  }
}

/** Removes the slot and gives back what the run reserved and did not use; `credits` undefined: it reserved none. */
function release(
  runId: string,
  credits: { reserved: number; used: number } | undefined,
): Pick<Change, 'set' | 'remove' | 'names' | 'entry'> {
  const names = { '#run': runId, '#at': 'at' };
  const remove = 'slots.#run';
  if (!credits) return { remove, names, entry: undefined };
  const { reserved, used } = credits;
  return {
    set: ['credits_free = credits_free + :returned'],
    remove,
    names,
    entry: { kind: 'settle', at: Date.now(), run_id: runId, credits: reserved - used, credits_used: used },
  };
}

/** As `releaseSlot`, in one write when the run has reserved what is expected (undefined: it draws no credits). */
export async function releaseExpectedSlot(
  workspaceId: string,
  runId: string,
  { reserved, used, until }: { reserved: number | undefined; used: number; until: number },
): Promise<void> {
  const drawn = reserved !== undefined;
  const released = await update(workspaceId, {
    ...release(runId, drawn ? { reserved, used } : undefined),
    when: 'slots.#run.held = :held AND slots.#run.#at <= :until',
    values: { ':held': reserved ?? 0, ':until': until, ...(drawn && { ':returned': reserved - used }) },
  });
  if (!released) await releaseSlot(workspaceId, runId, used, { until });
}

/** Makes a run's reservation exactly `to` credits. False when the workspace has too few left; true also when the run has lost its slot. */
export async function setReservation(workspaceId: string, runId: string, to: number): Promise<boolean> {
  for (;;) {
    const { slots, credits_free = 0 } = await readCounters(workspaceId);
    const slot = slots[runId];
    if (!slot || slot.held === to) return true;
    const more = to - slot.held;
    if (more > credits_free) return false;
    const changed = await update(workspaceId, {
      set: ['slots.#run.held = :to', 'credits_free = credits_free + :returned'],
      when: 'slots.#run.held = :from AND credits_free >= :more',
      names: { '#run': runId },
      values: { ':from': slot.held, ':to': to, ':returned': -more, ':more': Math.max(0, more) },
      entry: { kind: 'change_of_hold', at: Date.now(), run_id: runId, credits: -more },
    });
    if (changed) return true;
  }
}

/** Sets the credits that a workspace has left beyond those its runs have reserved. */
export async function grantCredits(workspaceId: string, left: number): Promise<void> {
  await update(workspaceId, {
    set: ['credits_free = :left'],
    when: 'attribute_exists(pk)',
    values: { ':left': left },
    entry: { kind: 'grant', at: Date.now(), to: left },
  });
}

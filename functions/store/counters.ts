// A workspace's hot counters: which runs are in flight, and its credits. One item, changed by single conditional updates.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { LedgerState, type PendingEntry, writeLedger } from './ledger.ts';
import { getItem, table, tableName } from './table.ts';
import { keys } from './table-keys.ts';

/**
 * `slots` names every run in flight with the credits held for it and when it was claimed, so claiming and releasing are
 * idempotent and a slot left by a crash can be told from a living one. `credits_free` is what is neither used nor held.
 */
const Counters = z.object({
  slots: z.record(z.string(), z.object({ held: z.number(), at: z.number() })).default({}),
  credits_free: z.number().optional(),
  ...LedgerState.shape,
});
export type Counters = z.infer<typeof Counters>;

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
  /** How the balance changes by it, for the ledger; undefined where no credits are drawn. */
  note: PendingEntry | undefined;
}

/** So many changes are gathered before they are moved to items of their own; the sweep moves the rest. */
const NOTED_MAX = 25;

/** Update that is true or false by its condition; false is no error. */
async function update(workspaceId: string, change: Change): Promise<boolean> {
  const { note } = change;
  const set = [
    ...(change.set ?? []),
    ...(note ? ['noted = list_append(if_not_exists(noted, :none), :noted)'] : []),
  ];
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
        ExpressionAttributeValues: { ...change.values, ...(note && { ':none': [], ':noted': [note] }) },
        ...(note?.kind === 'settle' && { ReturnValues: 'UPDATED_NEW' as const }),
      }),
    );
    if (LedgerState.parse(Attributes ?? {}).noted.length >= NOTED_MAX) await writeLedger(workspaceId);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/**
 * Claims a slot (and `held` credits, where the workspace has any) for a run. True when the run has the slot now, also when it
 * had it before; false when the workspace is full or its credits do not suffice. `held` undefined: the workspace draws no credits.
 */
export async function claimSlot(
  workspaceId: string,
  runId: string,
  limit: number,
  held: number | undefined,
): Promise<boolean> {
  const at = Date.now();
  const claimed = await update(workspaceId, {
    set: ['slots.#run = :slot', ...(held === undefined ? [] : ['credits_free = credits_free - :held'])],
    when: `attribute_not_exists(slots.#run) AND size(slots) < :limit${held === undefined ? '' : ' AND credits_free >= :held'}`,
    names: { '#run': runId },
    values: {
      ':slot': { held: held ?? 0, at },
      ':limit': limit,
      ...(held !== undefined && { ':held': held }),
    },
    note: held === undefined ? undefined : { kind: 'hold', at, run_id: runId, credits: -held },
  });
  return claimed || runId in (await readCounters(workspaceId)).slots;
}

/** Which claims of a run are meant, by when they were made (epoch ms): after `after`, up to and with `until`. */
export interface ClaimTime {
  after?: number | undefined;
  until?: number | undefined;
}

/**
 * Gives the slot back and keeps `used` of the credits it holds. Only the first call for a claim has an effect; a claim made at another
 * time than `when` says is spared.
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
      ...giveBack(runId, drawn ? { held: slot.held, used } : undefined),
      when: 'slots.#run.held = :held AND slots.#run.#at = :at',
      values: { ':held': slot.held, ':at': slot.at, ...(drawn && { ':returned': slot.held - used }) },
    });
    if (released) return;
  }
}

/** The slot goes, and what the run held and did not use comes back; `credits` undefined: it held none. */
function giveBack(
  runId: string,
  credits: { held: number; used: number } | undefined,
): Pick<Change, 'set' | 'remove' | 'names' | 'note'> {
  const names = { '#run': runId, '#at': 'at' };
  const remove = 'slots.#run';
  if (!credits) return { remove, names, note: undefined };
  const { held, used } = credits;
  return {
    set: ['credits_free = credits_free + :returned'],
    remove,
    names,
    note: { kind: 'settle', at: Date.now(), run_id: runId, credits: held - used, credits_used: used },
  };
}

/** As `releaseSlot`, in one write when the run holds what is expected (undefined: it draws no credits). */
export async function releaseExpectedSlot(
  workspaceId: string,
  runId: string,
  { held, used, until }: { held: number | undefined; used: number; until: number },
): Promise<void> {
  const drawn = held !== undefined;
  const released = await update(workspaceId, {
    ...giveBack(runId, drawn ? { held, used } : undefined),
    when: 'slots.#run.held = :held AND slots.#run.#at <= :until',
    values: { ':held': held ?? 0, ':until': until, ...(drawn && { ':returned': held - used }) },
  });
  if (!released) await releaseSlot(workspaceId, runId, used, { until });
}

/** Makes a run hold exactly `to` credits. False when the workspace has not so many left; true also when the run has no slot any more. */
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
      note: { kind: 'change_of_hold', at: Date.now(), run_id: runId, credits: -more },
    });
    if (changed) return true;
  }
}

/** Sets what a workspace has left beyond what its runs hold at the moment. */
export async function grantCredits(workspaceId: string, left: number): Promise<void> {
  await update(workspaceId, {
    set: ['credits_free = :left'],
    when: 'attribute_exists(pk)',
    values: { ':left': left },
    note: { kind: 'grant', at: Date.now(), to: left },
  });
}

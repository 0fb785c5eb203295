// The ledger of a workspace's credits: every change of its balance, in order.
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { EpochMs } from '#contract/json.ts';
import { getItem, queryNewest, table, tableName, takesEffect } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/**
 * A change as saved together with the balance: `grant` sets the credits left, the others add `credits` to them. `hold`
 * reserves when a run is created or resumed, `change_of_hold` when its plan is known, `settle` returns the unused part.
 */
const PendingEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('grant'), at: EpochMs, to: z.number() }),
  z.object({
    kind: z.enum(['hold', 'change_of_hold', 'settle']),
    at: EpochMs,
    run_id: z.string(),
    credits: z.number(),
    credits_used: z.number().optional(),
  }),
]);
export type PendingEntry = z.infer<typeof PendingEntry>;

/** An entry of the ledger: `credits` is what it added to the balance, `credits_left` the balance after it. */
export const LedgerEntry = z.object({
  number: z.number(),
  at: EpochMs,
  kind: z.enum(['grant', 'hold', 'change_of_hold', 'settle']),
  run_id: z.string().optional(),
  credits: z.number(),
  credits_used: z.number().optional(),
  credits_left: z.number(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/**
 * The ledger's part of the counters: pending entries (`noted`), which have no separate item yet, the number of entries
 * that have one, and the balance after those.
 */
export const LedgerState = z.object({
  noted: z.array(PendingEntry).default([]),
  entries_written: z.number().default(0),
  entries_left: z.number().default(0),
});

/** What an update of the counters needs to append a pending entry. */
export function appendPending(entry: PendingEntry): { set: string; values: Record<string, unknown> } {
  return {
    set: 'noted = list_append(if_not_exists(noted, :none), :noted)',
    values: { ':none': [], ':noted': [entry] },
  };
}

/** The pending entries as entries, numbered and added up. */
function entriesOf({ noted, entries_written, entries_left }: z.infer<typeof LedgerState>): LedgerEntry[] {
  let credits_left = entries_left;
  return noted.map((pending, i) => {
    const number = entries_written + i + 1;
    if (pending.kind === 'grant') {
      const credits = pending.to - credits_left;
      credits_left = pending.to;
      return { number, at: pending.at, kind: pending.kind, credits, credits_left };
    }
    credits_left += pending.credits;
    return { number, ...pending, credits_left };
  });
}

/** How many entries are searched for the settlement of a run: far more than a workspace makes between two sweeps. */
const SEARCHED_MAX = 2000;

/** How many entries move at once; the update that removes them stays far below 4 KB. */
const MOVE_MAX = 100;

/**
 * Moves the pending entries from the counters to separate items. Concurrent or interrupted calls do no harm: they write
 * the same items, and only one of them removes the entries from the list.
 */
export async function writeLedger(workspaceId: string): Promise<void> {
  const state = LedgerState.parse((await getItem(keys.counters(workspaceId))) ?? {});
  const entries = entriesOf(state).slice(0, MOVE_MAX);
  const last = entries.at(-1);
  if (!last) return;
  await Promise.all(
    entries.map((entry) =>
      table.send(
        new PutCommand({
          TableName: tableName(),
          Item: { ...keys.ledgerEntry(workspaceId, entry.number), ...entry },
        }),
      ),
    ),
  );
  const moved = await removePending(workspaceId, entries.length, { seen: state.entries_written, last });
  // Another call that moved these may have seen fewer.
  if (!moved || entries.length < state.noted.length) await writeLedger(workspaceId);
}

async function removePending(
  workspaceId: string,
  count: number,
  { seen, last }: { seen: number; last: LedgerEntry },
): Promise<boolean> {
  // From last to first, for engines that renumber the list after each removal.
  const removed = Array.from({ length: count }, (_, i) => `noted[${count - 1 - i}]`);
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: keys.counters(workspaceId),
    UpdateExpression: `SET entries_written = :number, entries_left = :left REMOVE ${removed.join(', ')}`,
    ConditionExpression: seen === 0 ? 'attribute_not_exists(entries_written)' : 'entries_written = :seen',
    ExpressionAttributeValues: {
      ':number': last.number,
      ':left': last.credits_left,
      ...(seen > 0 && { ':seen': seen }),
    },
  });
  return takesEffect(table.send(command));
}

/** Whether a run that ended at `endedAt` has been settled since; `noted` are the currently pending entries. */
export async function isSettled(
  workspaceId: string,
  runId: string,
  endedAt: number,
  noted: PendingEntry[],
): Promise<boolean> {
  const settles = (entry: { kind: string; at: number; run_id?: string | undefined }) =>
    entry.kind === 'settle' && entry.run_id === runId && entry.at >= endedAt;
  if (noted.some((entry) => entry.kind !== 'grant' && settles(entry))) return true;
  const since = await queryNewest(keys.ledger(workspaceId), SEARCHED_MAX);
  return since.some((item) => settles(LedgerEntry.parse(item)));
}

/** The newest entries, at most `limit`, in order. */
export async function listEntries(workspaceId: string, limit: number): Promise<LedgerEntry[]> {
  await writeLedger(workspaceId);
  return (await queryNewest(keys.ledger(workspaceId), limit))
    .map((item) => LedgerEntry.parse(item))
    .reverse();
}

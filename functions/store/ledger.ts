// The ledger of a workspace's credits: every change of its balance, in the order in which they happened.
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { EpochMs } from '#contract/json.ts';
import { getItem, queryNewest, table, tableName } from './table.ts';
import { keys } from './table-keys.ts';

/**
 * A change as it is noted, in the same write as the balance itself: `grant` sets what is left `to` a number, the others add `credits` to
 * it. `hold` is taken when a run is created or resumed, `change_of_hold` when its plan is known, `settle` gives back what it did not use.
 */
export const PendingEntry = z.discriminatedUnion('kind', [
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
 * The part of the counters that belongs to the ledger: changes that were noted but have no item of their own yet, how many have one, and
 * the balance after those.
 */
export const LedgerState = z.object({
  noted: z.array(PendingEntry).default([]),
  entries_written: z.number().default(0),
  entries_left: z.number().default(0),
});

/** The noted changes as entries, numbered and added up. */
export function entriesOf({
  noted,
  entries_written,
  entries_left,
}: z.infer<typeof LedgerState>): LedgerEntry[] {
  let credits_left = entries_left;
  return noted.map((note, i) => {
    const number = entries_written + i + 1;
    if (note.kind === 'grant') {
      const credits = note.to - credits_left;
      credits_left = note.to;
      return { number, at: note.at, kind: note.kind, credits, credits_left };
    }
    credits_left += note.credits;
    return { number, ...note, credits_left };
  });
}

/** So many changes are moved at once; an update that moves them stays far below 4 KB. */
const MOVE_MAX = 100;

/**
 * Moves noted changes out of the counters into items of their own. Two at once, or one that dies midway, do no harm: what they write is
 * the same, and only one of them takes the changes off the list.
 */
export async function writeLedger(workspaceId: string): Promise<void> {
  const pending = LedgerState.parse((await getItem(keys.counters(workspaceId))) ?? {});
  const entries = entriesOf(pending).slice(0, MOVE_MAX);
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
  const moved = await takeOff(workspaceId, entries.length, { seen: pending.entries_written, last });
  if (moved && entries.length < pending.noted.length) await writeLedger(workspaceId);
}

async function takeOff(
  workspaceId: string,
  count: number,
  { seen, last }: { seen: number; last: LedgerEntry },
): Promise<boolean> {
  // From the last to the first, which means the same to engines that count places anew after each removal.
  const places = Array.from({ length: count }, (_, i) => `noted[${count - 1 - i}]`);
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: keys.counters(workspaceId),
    UpdateExpression: `SET entries_written = :number, entries_left = :left REMOVE ${places.join(', ')}`,
    ConditionExpression: seen === 0 ? 'attribute_not_exists(entries_written)' : 'entries_written = :seen',
    ExpressionAttributeValues: {
      ':number': last.number,
      ':left': last.credits_left,
      ...(seen > 0 && { ':seen': seen }),
    },
  });
  return table.send(command).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
      throw error;
    },
  );
}

/** The newest entries, at most `limit`, in the order in which they happened. */
export async function listEntries(workspaceId: string, limit: number): Promise<LedgerEntry[]> {
  await writeLedger(workspaceId);
  return (await queryNewest(keys.ledger(workspaceId), limit))
    .map((item) => LedgerEntry.parse(item))
    .reverse();
}

// Deleting a run: one transaction puts it out of sight, then everything that it has stored is erased.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { RunKey } from '#contract/run-keys.ts';
import { newNonce } from '#platform/ids.ts';
import { costWrite, KeyLimit } from '../money/costs.ts';
import { deleteItems } from '../table/erase.ts';
import { runPrefixes } from '../table/object-keys.ts';
import { eraseObjects } from '../table/object-versions.ts';
import {
  ConditionFailed,
  getEvenExpired,
  type Item,
  Key,
  queryAll,
  queryAllEvenExpired,
  table,
  tableName,
  takesEffect,
  transact,
  type Write,
} from '../table/table.ts';
import { due, duePartition, keys } from '../table/table-keys.ts';
import { freeWrite } from './idempotency.ts';
import { claimOfRun, deletedRunWrite, listEntries } from './run-list.ts';
import { type EndedRun, Spent } from './run-record.ts';
import { StaleRun } from './runs.ts';

/** The journal of the step in which a run ended, and what of it the run had counted: 1e-12 USD. */
const LastJournal = z.object({
  position: z.number(),
  counted_pico_usd: z.string(),
  payer: z.object({
    workspace_id: z.string(),
    key_id: z.string(),
    spending_key_id: z.string().optional(),
    bounded_by: z.array(KeyLimit).optional(),
    id: z.string(),
  }),
});
type LastJournal = z.infer<typeof LastJournal>;

/** What is left to erase of a deleted run. */
const Deletion = z.object({
  /** When no task that lost the run can write any more; epoch ms. */
  settled_at: z.number(),
  /** Absent of runs that an earlier release deleted. */
  journal: LastJournal.optional(),
  /** Reachable items that the transaction had no room for. */
  left: z.array(Key),
  due_at: z.number(),
});

/** How long after the end of a run a task that had lost it may still write. */
const LATE_WRITES_MS = 60_000;
/** As many actions as DynamoDB takes in a transaction. */
const ACTIONS_MAX = 100;

/**
 * What others can reach without the run's own item: everything of it outside its partition, except the claim of its
 * idempotency key, which is replaced, and its slot, which is released; its deliveries and checkpoints.
 */
async function reachableItems(run: EndedRun): Promise<Key[]> {
  return [
    ...listEntries(run),
    ...(await partitionKeys(run, keys.deliveries)),
    // Reruns read these.
    ...(await partitionKeys(run, keys.checkpoints)),
    ...run.artifacts.map(({ id }) => keys.artifact(run.workspace_id, id)),
    ...run.note_ids.map((id) => keys.note(run.workspace_id, id)),
  ];
}

/**
 * Puts an ended run out of sight: it, its list entries, deliveries, checkpoints, artifacts and notes are gone, and its
 * idempotency key is free. What a single transaction has no room for follows at once; after a crash in between the
 * sweep deletes it. Throws StaleRun if the run has changed since it was read.
 */
export async function hideRun(run: EndedRun, effects: Write[]): Promise<void> {
  const claim = await claimOfRun(run);
  const unwanted = await reachableItems(run);
  const free = claim === undefined ? [] : [freeWrite(run.workspace_id, claim, run.id)];
  const room = ACTIONS_MAX - 3 - free.length - effects.length;
  const left = unwanted.slice(room);
  const deletion = deletionItem(run, left);
  const writes = [
    deleteRead(run),
    { Put: { TableName: tableName(), Item: deletion } },
    deletedRunWrite(run),
    ...effects,
    ...unwanted
      .slice(0, room)
      .map((unwantedKey) => ({ Delete: { TableName: tableName(), Key: unwantedKey } })),
  ];
  try {
    await transact([...writes, ...free]).catch((error: unknown) => {
      // The key expired with the run, and belongs to a new one.
      if (!(error instanceof ConditionFailed && error.index === writes.length)) throw error;
      return transact(writes);
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.index === 0)) throw error;
    // An earlier try of this transaction may have succeeded without a reply; or another delete has won.
    const present = await getEvenExpired(keys.deletion(run.workspace_id, run.id));
    if (present?.deleted_by !== deletion.deleted_by) throw new StaleRun(run.id);
  }
  await deleteItems(left);
}

function deletionItem(run: EndedRun, left: Key[]): Item {
  const { workspace_id, id, last_event_at, position, journal_spent } = run;
  const counted_pico_usd = journal_spent?.cost_pico_usd ?? '0';
  return {
    ...keys.deletion(workspace_id, id),
    deleted_by: newNonce(),
    settled_at: last_event_at + LATE_WRITES_MS,
    journal: { position, counted_pico_usd, payer: LastJournal.shape.payer.parse(run) } satisfies LastJournal,
    left,
    due_pk: duePartition(due.runs, id),
    due_at: Date.now(),
  };
}

/** Deletes the run as read. */
function deleteRead(run: EndedRun): Write {
  return {
    Delete: {
      TableName: tableName(),
      Key: keys.run(run.workspace_id, run.id),
      ConditionExpression: '#version = :read',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':read': run.version },
    },
  };
}

/** Keys of a run's partition, also of expired items. */
async function partitionKeys({ workspace_id, id }: { workspace_id: string; id: string }, prefix?: string) {
  const items = await queryAllEvenExpired(keys.runPartition(workspace_id, id), prefix, 'pk, sk');
  return items.map((item) => Key.parse(item));
}

/**
 * Erases what a deleted run has stored: objects with their old versions, and items. Safe to repeat. Returns when to
 * erase again (epoch ms), because a task that had lost the run may still write; undefined: nothing is left. The calls
 * that such a task has journaled are paid for: they count on the day (rules.md: usage 5).
 */
export async function eraseRun({ workspace_id, run_id }: RunKey, nowMs: number): Promise<number | undefined> {
  const record = keys.deletion(workspace_id, run_id);
  const item = await getEvenExpired(record);
  if (!item) return undefined;
  const { left, settled_at, journal } = Deletion.parse(item);
  const isSettled = nowMs >= settled_at;
  for (const prefix of runPrefixes(workspace_id, run_id)) while ((await eraseObjects(prefix)) > 0);
  // The journal goes last, all at once: until then its sum shows what was added.
  if (journal && isSettled) await countLateCalls(record, journal, nowMs);
  const spared = [record.sk, ...(journal && !isSettled ? [keys.callsOf(journal.position)] : [])];
  const inPartition = await partitionKeys({ workspace_id, id: run_id });
  const unwanted = inPartition.filter(({ sk }) => !spared.some((prefix) => sk.startsWith(prefix)));
  await deleteItems([...left, ...unwanted]);
  if (!isSettled) return settled_at;
  await takesEffect(table.send(new DeleteCommand({ TableName: tableName(), Key: record })));
  return undefined;
}

/** Counts once what the journal has and the run had not. After a crash later on some of it may be gone. */
async function countLateCalls(record: Key, journal: LastJournal, nowMs: number): Promise<void> {
  const { payer, position, counted_pico_usd } = journal;
  const entries = await queryAll(
    keys.runPartition(payer.workspace_id, payer.id),
    keys.callsOf(position),
    'spent',
  );
  const journaled = entries.reduce((sum, entry) => sum + BigInt(Spent.parse(entry.spent).cost_pico_usd), 0n);
  const late = journaled - BigInt(counted_pico_usd);
  if (late <= 0n) return;
  const counted = {
    Update: {
      TableName: tableName(),
      Key: record,
      UpdateExpression: 'SET journal.counted_pico_usd = :now',
      ConditionExpression: 'journal.counted_pico_usd = :before',
      ExpressionAttributeValues: { ':now': String(journaled), ':before': counted_pico_usd },
    },
  };
  await transact([counted, costWrite(payer, late, nowMs)]).catch((error: unknown) => {
    // An earlier try has succeeded without a reply.
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

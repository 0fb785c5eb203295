// Deleting a run: one transaction puts it out of sight, then everything that it has stored is erased.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { RunKey } from '#contract/keys.ts';
import { newNonce } from '#platform/ids.ts';
import { deleteItems } from '../table/erase.ts';
import { runPrefixes } from '../table/object-keys.ts';
import { eraseObjects } from '../table/object-versions.ts';
import {
  ConditionFailed,
  getEvenExpired,
  type Item,
  Key,
  queryAllEvenExpired,
  table,
  tableName,
  takesEffect,
  transact,
  type Write,
} from '../table/table.ts';
import { due, duePartition, keys } from '../table/table-keys.ts';
import { freeWrite } from './idempotency.ts';
import { claimOfRun, listEntries } from './run-list.ts';
import type { EndedRun } from './run-record.ts';
import { StaleRun } from './runs.ts';

/** What is left to erase of a deleted run. */
const Deletion = z.object({
  /** When no task that lost the run can write any more; epoch ms. */
  settled_at: z.number(),
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
  const room = ACTIONS_MAX - 2 - free.length - effects.length;
  const left = unwanted.slice(room);
  const deletion = deletionItem(run, left);
  const writes = [
    deleteRead(run),
    { Put: { TableName: tableName(), Item: deletion } },
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

function deletionItem({ workspace_id, id, last_event_at }: EndedRun, left: Key[]): Item {
  return {
    ...keys.deletion(workspace_id, id),
    deleted_by: newNonce(),
    settled_at: last_event_at + LATE_WRITES_MS,
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
 * erase again (epoch ms), because a task that had lost the run may still write; undefined: nothing is left.
 */
export async function eraseRun({ workspace_id, run_id }: RunKey, nowMs: number): Promise<number | undefined> {
  const record = keys.deletion(workspace_id, run_id);
  const item = await getEvenExpired(record);
  if (!item) return undefined;
  const { left, settled_at } = Deletion.parse(item);
  for (const prefix of runPrefixes(workspace_id, run_id)) while ((await eraseObjects(prefix)) > 0);
  const inPartition = await partitionKeys({ workspace_id, id: run_id });
  await deleteItems([...left, ...inPartition.filter(({ sk }) => sk !== record.sk)]);
  if (nowMs < settled_at) return settled_at;
  await takesEffect(table.send(new DeleteCommand({ TableName: tableName(), Key: record })));
  return undefined;
}

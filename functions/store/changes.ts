// The change log of a workspace's records: which ids to look at again, written in the transaction that writes the records.
import * as z from 'zod';
import { newNonce } from '#platform/ids.ts';
import { describe, log } from '#platform/log.ts';
import { makeDue } from './record-heads.ts';
import { queryPage, tableName, transact, type Write } from './table.ts';
import { keys } from './table-keys.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Entries are kept this long. */
const CHANGES_KEPT_MS = 7 * DAY_MS;

/** An index whose cursor is before this may have missed entries that are gone: it cannot follow the log any more. */
export const oldestCursor = (nowMs: number): number => nowMs - CHANGES_KEPT_MS + DAY_MS;

const Stored = z.object({
  sk: z.string(),
  records: z.array(z.string()).default([]),
  relationships: z.array(z.string()).default([]),
});

/** So many changes a reader takes in without being slowed down much: about as often writers ask for a compaction. */
export const MANY_CHANGES = 1000;
/** Until when a compaction that writers ask for has begun. */
const COMPACT_WITHIN_MS = 15 * 60_000;

/** Ids of what a transaction wrote or removed. */
export interface ChangedIds {
  records?: string[];
  relationships?: string[];
}

/** An entry of the log; its name begins with its stamp, 14 digits of epoch ms. */
export interface Change {
  name: string;
  records: string[];
  relationships: string[];
}

const stampOf = (ms: number) => String(Math.max(0, Math.floor(ms))).padStart(14, '0');

function changeWrite(workspaceId: string, changed: ChangedIds): Write {
  const now = Date.now();
  const Item = {
    ...keys.change(workspaceId, `${stampOf(now)}#${newNonce()}`),
    ...changed,
    expires_at_seconds: Math.ceil((now + CHANGES_KEPT_MS) / 1000),
  };
  return { Put: { TableName: tableName(), Item } };
}

/**
 * Writes records or relationships together with the log entry that names them. Every try takes a new stamp, so that an entry is never
 * stamped long before it can be read. Throws as `transact`; the entry is the last action.
 */
export async function transactRecords(
  workspaceId: string,
  changed: ChangedIds,
  writes: Write[],
): Promise<void> {
  await transact(() => [...writes, changeWrite(workspaceId, changed)]);
  const { records = [], relationships = [] } = changed;
  // By chance, once in so many ids: the messages of a sync would make the head hot, and readers with much to take in ask as well.
  if (Math.random() * MANY_CHANGES < records.length + relationships.length)
    await askForCompaction(workspaceId);
}

async function askForCompaction(workspaceId: string): Promise<void> {
  try {
    await makeDue(workspaceId, Date.now() + COMPACT_WITHIN_MS);
  } catch (error) {
    // The records are written; somebody else will ask.
    log.warn('no compaction asked for', { workspace_id: workspaceId, error: describe(error) });
  }
}

/** A page of the entries stamped at or after `sinceMs`, in the order of their stamps; `next` goes on, undefined at the end. */
export async function changesSince(
  workspaceId: string,
  sinceMs: number,
  after?: string,
): Promise<{ changes: Change[]; next: string | undefined }> {
  const page = await queryPage(keys.changes(workspaceId), { from: stampOf(sinceMs), after });
  const changes = page.items
    .map((item) => Stored.parse(item))
    .map(({ sk, records, relationships }) => ({ name: sk, records, relationships }));
  return { changes, next: page.next };
}

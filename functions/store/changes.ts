// The change log of a workspace's records: which ids to look at again, written in the transaction that writes the records.
import * as z from 'zod';
import { newNonce } from '#platform/ids.ts';
import { queryPage, tableName, transact, type Write } from './table.ts';
import { keys } from './table-keys.ts';

/** Entries are kept this long; an index that is further behind is built anew. */
export const CHANGES_KEPT_MS = 7 * 24 * 3600 * 1000;

const Stored = z.object({
  sk: z.string(),
  records: z.array(z.string()).default([]),
  relationships: z.array(z.string()).default([]),
});

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
export function transactRecords(workspaceId: string, changed: ChangedIds, writes: Write[]): Promise<void> {
  return transact(() => [...writes, changeWrite(workspaceId, changed)]);
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

// The change log of a workspace's records: which ids to look at again, written in the transaction that writes the records.
import * as z from 'zod';
import { retentionDays } from '#contract/retention.ts';
import { newNonce } from '#platform/ids.ts';
import { describe, log } from '#platform/log.ts';
import { expiryOf } from '../table/expiry.ts';
import { getItems, type Item, type Key, queryPage, tableName, transact, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { makeDue } from './record-heads.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Entries are kept this long. */
const CHANGES_KEPT_MS = retentionDays.record_change * DAY_MS;

/** An index whose cursor is before this may have missed entries that are gone: it cannot follow the log any more. */
export const oldestCursor = (nowMs: number): number => nowMs - CHANGES_KEPT_MS + DAY_MS;

/**
 * A transaction that records are written in is given up after so long: its entry is readable so soon after its stamp, or never. What a
 * server still does afterwards and how far clocks differ is for the reader to allow for.
 */
export const WRITTEN_WITHIN_MS = 10_000;

/** An entry that names more ids has them in an item of their own: every reader looks at entries again for a while, and at ids once. */
const IDS_IN_ENTRY_MAX = 4;

const Stored = z.object({
  sk: z.string(),
  records: z.array(z.string()).optional(),
  relationships: z.array(z.string()).optional(),
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

/** What a transaction changed; the name of its entry begins with its stamp, 14 digits of epoch ms. */
export interface Change extends Required<ChangedIds> {
  name: string;
}

const stampOf = (ms: number) => String(Math.max(0, Math.floor(ms))).padStart(14, '0');

/** Epoch ms at which an entry was stamped. */
export const stampedAt = (name: string): number => Number(name.split('#')[0]);

/** The entry, and the item of its ids where they are many; nothing when nothing changed. */
function changeWrites(workspaceId: string, name: string, changed: ChangedIds): Write[] {
  const now = stampedAt(name);
  const put = (key: Key, ids: ChangedIds): Write => ({
    Put: {
      TableName: tableName(),
      Item: { ...key, ...ids, ...expiryOf('record_change', now) },
    },
  });
  const count = countOf(changed);
  if (count === 0) return [];
  if (count <= IDS_IN_ENTRY_MAX) return [put(keys.change(workspaceId, name), changed)];
  return [put(keys.changedIds(workspaceId, name), changed), put(keys.change(workspaceId, name), {})];
}

const countOf = ({ records = [], relationships = [] }: ChangedIds) => records.length + relationships.length;

/**
 * Writes records or relationships together with the log entry that names them. Every try takes a new stamp, so that an entry is never
 * stamped long before it can be read. Returns the name of the entry. Throws as `transact`, also when the outcome is not known in time.
 */
export async function transactRecords(
  workspaceId: string,
  changed: ChangedIds,
  writes: Write[],
): Promise<string> {
  let name = '';
  const withEntry = () => {
    name = `${stampOf(Date.now())}#${newNonce()}`;
    return [...writes, ...changeWrites(workspaceId, name, changed)];
  };
  await transact(withEntry, { withinMs: WRITTEN_WITHIN_MS });
  // By chance, once in so many ids: the messages of a sync would make the head hot, and readers with much to take in ask as well.
  if (Math.random() * MANY_CHANGES < countOf(changed)) await askForCompaction(workspaceId);
  return name;
}

async function askForCompaction(workspaceId: string): Promise<void> {
  try {
    await makeDue(workspaceId, Date.now() + COMPACT_WITHIN_MS);
  } catch (error) {
    // The records are written; somebody else will ask.
    log.warn('no compaction asked for', { workspace_id: workspaceId, error: describe(error) });
  }
}

/** An entry as it stands in the log; without `ids` they lie in an item of their own. */
export interface Entry {
  name: string;
  ids: Required<ChangedIds> | undefined;
}

/** A page of the entries stamped at or after `sinceMs`, in the order of their stamps; `next` goes on, undefined at the end. */
export async function entriesSince(
  workspaceId: string,
  sinceMs: number,
  after?: string,
): Promise<{ entries: Entry[]; next: string | undefined }> {
  const page = await queryPage(keys.changes(workspaceId), { from: stampOf(sinceMs), after });
  return { entries: page.items.map(toEntry), next: page.next };
}

function toEntry(item: Item): Entry {
  const { sk, records, relationships } = Stored.parse(item);
  if (!records && !relationships) return { name: sk, ids: undefined };
  return { name: sk, ids: { records: records ?? [], relationships: relationships ?? [] } };
}

/** What the entries name, in their order. Throws when the ids of one are gone: they are kept as long as it is. */
export async function changesOf(workspaceId: string, entries: Entry[]): Promise<Change[]> {
  const apart = entries.filter(({ ids }) => !ids);
  const items = await getItems(apart.map(({ name }) => keys.changedIds(workspaceId, name)));
  const read = new Map(items.map(toEntry).map(({ name, ids }) => [name, ids]));
  return entries.map(({ name, ids = read.get(name) }) => {
    if (!ids) throw new Error(`the ids of change ${name} are gone`);
    return { name, ...ids };
  });
}

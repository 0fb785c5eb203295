// The change log of a workspace's records: the ids to read again, written in the transaction that writes the records.
import * as z from 'zod';
import { retentionDays } from '#contract/retention.ts';
import { newNonce } from '#platform/ids.ts';
import { describe, log } from '#platform/log.ts';
import { expiryOf } from '../table/expiry.ts';
import { getItems, type Item, type Key, queryPage, tableName, transact, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { scheduleCompaction } from './record-heads.ts';

const DAY_MS = 24 * 3600 * 1000;
/** How long entries exist. */
const CHANGES_RETAINED_MS = retentionDays.record_change * DAY_MS;

/** An index whose cursor is older may have missed expired entries and cannot follow the log. */
export const oldestCursor = (nowMs: number): number => nowMs - CHANGES_RETAINED_MS + DAY_MS;

/** The clocks of two functions may differ by this much. */
export const CLOCKS_DIFFER_MS = 5000;

/**
 * Timeout of a transaction that writes records: its entry is readable that soon after its stamp, or never. Readers must
 * allow for clock differences, and for what a server still does after the timeout.
 */
export const WRITTEN_WITHIN_MS = 10_000;

/**
 * With more ids, an entry stores them in a separate item: readers read an entry several times, but its ids only once.
 */
const IDS_IN_ENTRY_MAX = 4;

const Stored = z.object({
  sk: z.string(),
  records: z.array(z.string()).optional(),
  relationships: z.array(z.string()).optional(),
});

/** How many changes a reader applies without a noticeable delay. Writers request a compaction about as often. */
export const MANY_CHANGES = 1000;
/** A compaction requested by writers starts within this time. */
const COMPACT_WITHIN_MS = 15 * 60_000;

/** Ids of what a transaction wrote or removed. */
export interface ChangedIds {
  records?: string[];
  relationships?: string[];
}

/** What a transaction changed. The name of its entry begins with its stamp, 14 digits of epoch ms. */
export interface Change extends Required<ChangedIds> {
  name: string;
}

const stampOf = (ms: number) => String(Math.max(0, Math.floor(ms))).padStart(14, '0');

const newName = () => `${stampOf(Date.now())}#${newNonce()}`;

/**
 * The name of a reading that begins now: what is read from the table from now on, for log entries that were readable
 * before. It begins with its stamp, as the name of an entry does.
 */
export const newReading = newName;

/** Epoch ms at which an entry or a reading was stamped. */
export const stampedAt = (name: string): number => Number(name.split('#')[0]);

/** The entry, and the item of its ids if there are many; no writes if nothing changed. */
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
 * Writes records or relationships together with their log entry. Every try takes a new stamp, so that no entry becomes
 * readable long after its stamp. Returns the name of the entry. Throws what `transact` throws, and ServiceTrouble if
 * the outcome is not known in time.
 */
export async function transactRecords(
  workspaceId: string,
  changed: ChangedIds,
  writes: Write[],
): Promise<string> {
  let name = '';
  const withEntry = () => {
    name = newName();
    return [...writes, ...changeWrites(workspaceId, name, changed)];
  };
  await transact(withEntry, { withinMs: WRITTEN_WITHIN_MS });
  // At random, about once in so many ids: asking every time would make the head a hot item. Readers with many changes
  // ask too.
  if (Math.random() * MANY_CHANGES < countOf(changed)) await askForCompaction(workspaceId);
  return name;
}

async function askForCompaction(workspaceId: string): Promise<void> {
  try {
    await scheduleCompaction(workspaceId, Date.now() + COMPACT_WITHIN_MS);
  } catch (error) {
    // The records are written, and another request will be made.
    log.warn('no compaction asked for', { workspace_id: workspaceId, error: describe(error) });
  }
}

/** An entry as the log stores it; without `ids` they are in a separate item. */
export interface Entry {
  name: string;
  ids: Required<ChangedIds> | undefined;
}

/**
 * A page of the entries stamped at or after `sinceMs`, in the order of their stamps; `next` is undefined at the end.
 */
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

/** The ids of the entries, in their order. Throws if those of one are gone: they expire together with it. */
export async function changesOf(workspaceId: string, entries: Entry[]): Promise<Change[]> {
  const apart = entries.filter(({ ids }) => !ids);
  const items = await getItems(apart.map(({ name }) => keys.changedIds(workspaceId, name)));
  const read = new Map(items.map(toEntry).map(({ name, ids }) => [name, ids]));
  return entries.map(({ name, ids = read.get(name) }) => {
    if (!ids) throw new Error(`the ids of change ${name} are gone`);
    return { name, ...ids };
  });
}

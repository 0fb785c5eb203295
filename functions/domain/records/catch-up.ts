// Catching up: an index applies the changes in the table's change log that are new to it.
import { noChanges } from '#record-index/apply.ts';
import { SCHEMA_VERSION } from '#record-index/files.ts';
import type { IndexState } from '#record-index/index-updates.ts';
import { onIndex } from '#record-index/record-index.ts';
import {
  CLOCKS_DIFFER_MS,
  changesOf,
  type Entry,
  entriesSince,
  MANY_CHANGES,
  newReading,
  oldestCursor,
  stampedAt,
  WRITTEN_WITHIN_MS,
} from '#store/records/changes.ts';
import * as heads from '#store/records/record-heads.ts';
import { applyChanges, type Follower } from './apply-changes.ts';
import { RecordsBehind } from './records-protocol.ts';

/** Entries may become readable this long after their stamp: a transaction takes time, and clocks differ. */
export const OVERLAP_MS = WRITTEN_WITHIN_MS + CLOCKS_DIFFER_MS;
/** An idle index advances its cursor at most this often. */
const ADVANCE_MS = 3600_000;
/** A head that was read this short a time ago still tells that the index is of these records. */
const SEEN_MS = 1000;

/**
 * `stale`: another process has written the index since, so try again; `unusable`: it is empty, too old, of replaced
 * records, or so far behind that a newer snapshot is faster.
 */
type Outcome = 'current' | 'stale' | 'unusable';

/** Applies every change that was written before this call. `state` is that of the index now. Throws RecordsBehind. */
export async function catchUp(
  workspaceId: string,
  file: string,
  state: IndexState,
  { deadline, seen }: { deadline: number; seen: heads.SeenHead | undefined },
): Promise<Outcome> {
  const startedAt = Date.now();
  const { incarnation, cursor_ms, is_level } = state;
  if (incarnation === undefined || cursor_ms < oldestCursor(startedAt)) return 'unusable';
  const [head, first] = await Promise.all([
    isRecent(seen, incarnation, startedAt) ? seen.head : heads.get(workspaceId),
    entriesSince(workspaceId, cursor_ms),
  ]);
  if (head?.incarnation !== incarnation) return 'unusable';
  let appliedIds = 0;
  for (let page = first; ; page = await entriesSince(workspaceId, cursor_ms, page.next)) {
    // Later pages count as the first: the cursor does not move before the end, so earlier tries may have applied that.
    if (page.next !== undefined && (await isFarBehind(file, cursor_ms, head, page.entries)))
      return 'unusable';
    const applied = await applyPage({ workspaceId, file, incarnation, is_level }, page.entries, deadline);
    if (applied === 'stale') return 'stale';
    appliedIds += applied;
    if (page.next === undefined) break;
  }
  // A snapshot spares the next reader this.
  if (appliedIds > MANY_CHANGES) await heads.scheduleCompaction(workspaceId, startedAt);
  await advance(file, state, startedAt - OVERLAP_MS, first.entries[0]);
  return 'current';
}

/** Whether a head seen earlier confirms the index. Only a head read now tells that the records were replaced. */
function isRecent(
  seen: heads.SeenHead | undefined,
  incarnation: string,
  nowMs: number,
): seen is heads.SeenHead {
  return seen?.head?.incarnation === incarnation && nowMs - seen.seen_at < SEEN_MS;
}

/** Whether a newer snapshot has what the index lacks: the first of many entries, most of which it has not applied. */
async function isFarBehind(
  file: string,
  cursor_ms: number,
  { incarnation, snapshot }: heads.Head,
  entries: Entry[],
): Promise<boolean> {
  const [first] = entries;
  if (
    first === undefined ||
    snapshot?.incarnation !== incarnation ||
    snapshot.schema !== SCHEMA_VERSION ||
    snapshot.cursor_ms <= cursor_ms ||
    snapshot.cursor_ms + OVERLAP_MS <= stampedAt(first.name)
  )
    return false;
  const names = entries.map(({ name }) => name);
  return (await onIndex(file, 'unapplied', names)).length > names.length / 2;
}

/** Applies the entries that are new to the index; returns how many ids they name. */
async function applyPage(
  follower: Omit<Follower, 'reading' | 'requireTime'>,
  entries: Entry[],
  deadline: number,
): Promise<number | 'stale'> {
  if (entries.length === 0) return 0;
  const { workspaceId, file } = follower;
  const reading = newReading();
  const names = entries.map(({ name }) => name);
  const unapplied = new Set(await onIndex(file, 'unapplied', names));
  const changes = await changesOf(
    workspaceId,
    entries.filter(({ name }) => unapplied.has(name)),
  );
  const requireTime = async () => {
    if (Date.now() <= deadline) return;
    // The next reader continues from here; a compaction has more time and catches up.
    await heads.scheduleCompaction(workspaceId, Date.now());
    throw new RecordsBehind(workspaceId);
  };
  const isApplied = await applyChanges({ ...follower, reading, requireTime }, changes);
  return isApplied
    ? changes.flatMap(({ records, relationships }) => [records, relationships]).flat().length
    : 'stale';
}

/**
 * Advances the cursor if that spares the next reader an entry, or levels the files of the index. It stays when another
 * process has written since; then the next reader reads more entries.
 */
async function advance(
  file: string,
  before: IndexState,
  cursor_ms: number,
  oldest: Entry | undefined,
): Promise<void> {
  const spares = oldest !== undefined && stampedAt(oldest.name) < cursor_ms;
  // Since then the cursor can only have moved towards the new one.
  if (before.is_level && !spares && cursor_ms - before.cursor_ms < ADVANCE_MS) return;
  const { revision, is_level, ...present } = await onIndex(file, 'state');
  if (is_level && cursor_ms <= present.cursor_ms) return;
  const cursor = { cursor_ms: Math.max(cursor_ms, present.cursor_ms) };
  await onIndex(file, 'update', { revision, changes: noChanges, applied: [], ...cursor });
}

// Compaction: updates a workspace's index with more time than a reader has, and saves the snapshot that cold readers
// start from.
import { SNAPSHOT_MIN_RECORDS } from '#domain/records/index-home.ts';
import { onIndex } from '#record-index/record-index.ts';
import * as heads from '#store/records/record-heads.ts';
import { currentWholeIndex } from './current-index.ts';
import { deleteSnapshot, saveSnapshot } from './snapshot.ts';

/** Longer than the function may run: the holder of an expired claim is dead. */
const CLAIM_MS = 16 * 60_000;
/** How long the index may take to catch up, or to be built for the first time. */
const CATCH_UP_MS = 12 * 60_000;

/**
 * `followed`: up to date, no snapshot needed; `busy`: another compaction is running; `lost`: another one was faster.
 */
export type Compaction = 'saved' | 'followed' | 'busy' | 'lost';

/**
 * Compacts the index of a workspace. Safe to repeat and to run twice at once: the head names only one snapshot of a
 * generation. A crash leaves the old snapshot active, and objects that expire.
 */
export async function compactRecords(workspaceId: string, nowMs: number): Promise<Compaction> {
  const head = await heads.claimCompaction(workspaceId, nowMs, nowMs + CLAIM_MS);
  if (!head) return 'busy';
  try {
    const { file } = await currentWholeIndex(workspaceId, CATCH_UP_MS);
    await onIndex(file, 'optimize');
    const records = await onIndex(file, 'count', { types: null });
    const isLarge = records >= SNAPSHOT_MIN_RECORDS;
    const saved = isLarge ? await save(workspaceId, file, head.snapshot) : undefined;
    // Also meets the requests that readers and the catch-up made during the compaction.
    await heads.meetRequests(workspaceId, Date.now(), saved);
    if (!isLarge) return 'followed';
    return saved ? 'saved' : 'lost';
  } finally {
    await heads.endCompaction(workspaceId);
  }
}

/** The snapshot that is now the workspace's; undefined if another compaction was faster. */
async function save(
  workspaceId: string,
  file: string,
  before: heads.Snapshot | undefined,
): Promise<heads.Snapshot | undefined> {
  const generation = before?.generation ?? 0;
  const snapshot = await saveSnapshot(workspaceId, file, generation + 1);
  const named = await heads.replaceSnapshot(workspaceId, generation, snapshot);
  const superfluous = named ? before : snapshot;
  if (superfluous) await deleteSnapshot(superfluous);
  return named ? snapshot : undefined;
}

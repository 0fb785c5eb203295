// Compaction: brings a workspace's index up to date without a reader's haste, and saves it as the snapshot that cold readers start from.
import { onIndex } from '#record-index/record-index.ts';
import * as heads from '#store/records/record-heads.ts';
import { currentIndex } from './follow-table.ts';
import { deleteSnapshot, saveSnapshot, snapshotsLast } from './snapshot.ts';

/** Longer than the function may run: when a claim is over, its holder is dead. */
const CLAIM_MS = 16 * 60_000;
/** So long the index may take to catch up, or to be built for the first time. */
const CATCH_UP_MS = 12 * 60_000;
/** Below this a reader builds its index from the table faster than from a snapshot. */
const SNAPSHOT_MIN_RECORDS = 2000;

/** `followed`: up to date, no snapshot needed; `busy`, `lost`: another compaction is under way, or was faster. */
export type Compaction = 'saved' | 'followed' | 'busy' | 'lost';

/**
 * Compacts the index of a workspace. Safe to repeat and to run twice at once: of two snapshots of one generation one is named by the
 * head. A crash leaves the old snapshot in force, and objects that expire.
 */
export async function compactRecords(workspaceId: string, nowMs: number): Promise<Compaction> {
  const head = await heads.claimCompaction(workspaceId, nowMs, nowMs + CLAIM_MS);
  if (!head) return 'busy';
  try {
    const file = await currentIndex(workspaceId, CATCH_UP_MS);
    await onIndex(file, 'optimize');
    const records = await onIndex(file, 'count', { types: null });
    const wanted = snapshotsLast() && records >= SNAPSHOT_MIN_RECORDS;
    const outcome = wanted ? await save(workspaceId, file, head.snapshot) : 'followed';
    // Readers asked while it was under way, and the catching up itself: for them it has just been done.
    await heads.meetRequests(workspaceId, Date.now());
    return outcome;
  } finally {
    await heads.endCompaction(workspaceId);
  }
}

async function save(
  workspaceId: string,
  file: string,
  before: heads.Snapshot | undefined,
): Promise<'saved' | 'lost'> {
  const generation = before?.generation ?? 0;
  const snapshot = await saveSnapshot(workspaceId, file, generation + 1);
  const named = await heads.replaceSnapshot(workspaceId, generation, snapshot);
  const superfluous = named ? before : snapshot;
  if (superfluous) await deleteSnapshot(superfluous);
  return named ? 'saved' : 'lost';
}

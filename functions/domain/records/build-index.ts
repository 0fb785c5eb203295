// Builds the index of a workspace: from its newest snapshot, else from all its records.
import { type IndexChanges, noChanges } from '#record-index/apply.ts';
import type { BuildProgress, Update } from '#record-index/index-updates.ts';
import { onIndex } from '#record-index/record-index.ts';
import { oldestCursor } from '#store/records/changes.ts';
import * as heads from '#store/records/record-heads.ts';
import { recordPage, relationshipPage } from '#store/records/record-states.ts';
import { makeRoom } from './index-disk.ts';
import { restoreSnapshot } from './snapshot.ts';

/** A builder that has not written for this long is dead. */
export const BUILD_LEASE_MS = 5000;

interface Options {
  /** Epoch ms; a build that takes longer is interrupted. */
  deadline: number;
  overlapMs: number;
}

/**
 * Fills an index whose build was claimed, from where an earlier build ended. Changes written during the build follow
 * from the log. Past its deadline it requests a compaction, which has more time, and leaves the index without an
 * incarnation, so that no reader takes it for complete.
 */
export async function buildIndex(workspaceId: string, file: string, options: Options): Promise<void> {
  const startedAt = Date.now();
  await makeRoom(file);
  const head = await heads.getOrCreate(workspaceId);
  const { incarnation } = head;
  if (await restoreNewest(workspaceId, file, head, startedAt)) return;
  const from = await startingPoint(file, incarnation, startedAt);
  if (!from) return;
  const put = updater(file);
  for await (const { changes, kind, after } of partsOf(workspaceId, from)) {
    if (!(await put(changes, { progress: { ...from, kind, after } }))) return;
    if (Date.now() < options.deadline) continue;
    await put(noChanges, { building_until: 0 });
    return heads.scheduleCompaction(workspaceId, Date.now());
  }
  const cursor_ms = from.started_ms - options.overlapMs;
  await put(noChanges, { incarnation, cursor_ms, building_until: 0, progress: null });
}

/**
 * Where the build starts: at the end of an earlier one whose changes the log still has, else at the beginning.
 * Undefined after a write by another process.
 */
async function startingPoint(
  file: string,
  incarnation: string,
  startedAt: number,
): Promise<BuildProgress | undefined> {
  const { revision, progress } = await onIndex(file, 'state');
  if (progress?.incarnation === incarnation && progress.started_ms > oldestCursor(startedAt)) return progress;
  const empty = await onIndex(file, 'reset', revision);
  return empty ? { incarnation, started_ms: startedAt, kind: 'records' } : undefined;
}

/**
 * Restores the newest snapshot. If it is replaced, and its objects removed, while being read, the newer one is tried.
 */
async function restoreNewest(
  workspaceId: string,
  file: string,
  { incarnation, snapshot }: heads.Head,
  nowMs: number,
): Promise<boolean> {
  if (snapshot?.incarnation !== incarnation || snapshot.cursor_ms < oldestCursor(nowMs)) return false;
  if (await restoreSnapshot(file, snapshot)) return true;
  const newest = await heads.get(workspaceId);
  if (!newest || newest.snapshot?.generation === snapshot.generation) return false;
  return restoreNewest(workspaceId, file, newest, nowMs);
}

/** Applies one part after the other; false once another process has written to the file. */
function updater(file: string) {
  let revision: number | undefined;
  return async (
    changes: IndexChanges,
    end: Pick<Update, 'incarnation' | 'cursor_ms' | 'building_until' | 'progress'> = {},
  ) => {
    revision ??= (await onIndex(file, 'state')).revision;
    const building_until = Date.now() + BUILD_LEASE_MS;
    const done = await onIndex(file, 'update', { revision, changes, applied: [], building_until, ...end });
    revision += 1;
    return done;
  };
}

/** A part of the table, and the progress of a build after it. */
interface Part extends Pick<BuildProgress, 'kind' | 'after'> {
  changes: IndexChanges;
}

async function* partsOf(workspaceId: string, from: BuildProgress): AsyncGenerator<Part> {
  if (from.kind === 'records')
    for await (const { records, next } of pages((after) => recordPage(workspaceId, after), from.after)) {
      const changes = { ...noChanges, records };
      yield next === undefined
        ? { changes, kind: 'relationships' }
        : { changes, kind: 'records', after: next };
    }
  const first = from.kind === 'relationships' ? from.after : undefined;
  for await (const { relationships, next } of pages((after) => relationshipPage(workspaceId, after), first))
    yield { changes: { ...noChanges, relationships }, kind: 'relationships', after: next };
}

/** All pages, or those after `first`, each read while the previous one is used. */
export async function* pages<P extends { next: string | undefined }>(
  read: (after: string | undefined) => Promise<P>,
  first?: string,
): AsyncGenerator<P> {
  for (let reading = read(first); ; ) {
    const page = await reading;
    const { next } = page;
    if (next !== undefined) {
      reading = read(next);
      // A caller that stops early never awaits this page; avoid an unhandled rejection.
      reading.catch(() => undefined);
    }
    yield page;
    if (next === undefined) return;
  }
}

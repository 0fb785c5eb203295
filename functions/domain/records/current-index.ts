// The current index of a workspace: every change that was written before the call is in it.
import { coalesce } from '#platform/coalesce.ts';
import { newId } from '#platform/ids.ts';
import { pause } from '#platform/pause.ts';
import { type FileName, fileNames } from '#record-index/files.ts';
import { IndexDamaged } from '#record-index/index-errors.ts';
import type { IndexState } from '#record-index/index-updates.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import { BUILD_LEASE_MS, buildIndex } from './build-index.ts';
import { catchUp, OVERLAP_MS } from './catch-up.ts';
import { addFile, withBodies } from './fetch-parts.ts';
import { indexFile } from './index-disk.ts';
import { type Freshness, RecordsBehind } from './records-protocol.ts';

const BUILD_POLL_MS = 100;

/** The environment that this code runs in. */
const ENVIRONMENT = newId();

const follow = coalesce(followTable);

/** By file: when (epoch ms) it began to catch up the last time that it became current. */
const followedAt = new Map<string, number>();
const FOLLOWED_MAX = 1000;

/** The files that questions wait for, by index: the next run of `follow` adds them, whichever caller it is for. */
const wanted = new Map<string, Set<FileName>>();

/** A current index. */
export interface CurrentIndex {
  file: string;
  /** How fresh it is: it has what was written before it began to catch up. */
  index: NonNullable<Freshness['index']>;
}

/**
 * A workspace's index with every change that was written before this call, or as fresh as an earlier answer of this
 * environment, with these files besides its core. Throws RecordsBehind when that takes longer than `budgetMs`.
 */
export async function currentIndex(
  workspaceId: string,
  budgetMs: number,
  { index, head }: Freshness = {},
  files: readonly FileName[] = [],
): Promise<CurrentIndex> {
  const file = indexFile(workspaceId);
  const at = followedAt.get(file);
  if (files.length === 0 && index?.environment === ENVIRONMENT && at !== undefined && at >= index.at)
    return current(file, at);
  const seen = head && { head: head.value, seen_at: Date.now() - head.age_ms };
  for (const name of files) wanted.set(file, (wanted.get(file) ?? new Set()).add(name));
  return follow(workspaceId, { deadline: Date.now() + budgetMs, seen });
}

const current = (file: string, at: number): CurrentIndex => ({
  file,
  index: { environment: ENVIRONMENT, at },
});

/** The same with all its files and bodies, for a copy of it. */
export async function currentWholeIndex(workspaceId: string, budgetMs: number): Promise<CurrentIndex> {
  const deadline = Date.now() + budgetMs;
  for (;;) {
    const index = await currentIndex(workspaceId, deadline - Date.now(), {}, fileNames);
    try {
      await withBodies(() => onIndex(index.file, 'requireAll'));
      return index;
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      await loseIndex(index.file);
    }
  }
}

interface Question {
  deadline: number;
  seen: SeenHead | undefined;
}

async function followTable(workspaceId: string, { deadline, seen }: Question): Promise<CurrentIndex> {
  const file = indexFile(workspaceId);
  const files = [...(wanted.get(file) ?? [])];
  wanted.delete(file);
  for (let isFirst = true; ; isFirst = false) {
    const startedAt = Date.now();
    try {
      // Between two times of catching up, so that what one applies to the files is in each.
      for (const name of files) await addFile(file, name);
      const state = await onIndex(file, 'state');
      const outcome = await catchUp(workspaceId, file, state, { deadline, seen });
      if (outcome === 'current') {
        if (followedAt.size === FOLLOWED_MAX) followedAt.clear();
        followedAt.set(file, startedAt);
        return current(file, startedAt);
      }
      // Not before the look at it: an index that was restored late may be current all the same.
      if (!isFirst && Date.now() > deadline) throw new RecordsBehind(workspaceId);
      followedAt.delete(file);
      if (outcome === 'unusable') await startOver(workspaceId, file, state, deadline);
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      await loseIndex(file);
    }
  }
}

/** Removes a damaged index. */
export async function loseIndex(file: string): Promise<void> {
  followedAt.delete(file);
  await removeIndex(file);
}

/** Empties an index that is no longer usable, or builds an empty one unless another process does. */
async function startOver(
  workspaceId: string,
  file: string,
  { incarnation, revision }: IndexState,
  deadline: number,
): Promise<void> {
  if (incarnation !== undefined) {
    await onIndex(file, 'reset', revision);
    return;
  }
  const now = Date.now();
  const claimed = await onIndex(file, 'claimBuild', { now, until: now + BUILD_LEASE_MS });
  if (claimed) await buildIndex(workspaceId, file, { deadline, overlapMs: OVERLAP_MS });
  else await pause(BUILD_POLL_MS);
}

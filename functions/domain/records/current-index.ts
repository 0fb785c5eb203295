// The current index of a workspace: every change that was written before the call is in it.
import { coalesce } from '#platform/coalesce.ts';
import { pause } from '#platform/pause.ts';
import type { IndexState } from '#record-index/operations.ts';
import { IndexDamaged, onIndex, removeIndex } from '#record-index/record-index.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import { BUILD_LEASE_MS, buildIndex } from './build-index.ts';
import { catchUp, OVERLAP_MS } from './catch-up.ts';
import { indexFile } from './index-file.ts';
import { RecordsBehind } from './records-behind.ts';

const BUILD_POLL_MS = 100;

const follow = coalesce(followTable);

/**
 * The file of a workspace's index, with every change that was written before this call. Throws RecordsBehind when that
 * takes longer than `budgetMs`. `seen` is the head as the caller has read it.
 */
export function currentIndex(workspaceId: string, budgetMs: number, seen?: SeenHead): Promise<string> {
  return follow(workspaceId, { deadline: Date.now() + budgetMs, seen });
}

interface Question {
  deadline: number;
  seen: SeenHead | undefined;
}

async function followTable(workspaceId: string, { deadline, seen }: Question): Promise<string> {
  const file = indexFile(workspaceId);
  for (let isFirst = true; ; isFirst = false) {
    try {
      const state = await onIndex(file, 'state');
      const outcome = await catchUp(workspaceId, file, state, { deadline, seen });
      if (outcome === 'current') return file;
      // Not before the look at it: an index that was restored late may be current all the same.
      if (!isFirst && Date.now() > deadline) throw new RecordsBehind(workspaceId);
      if (outcome === 'unusable') await startOver(workspaceId, file, state, deadline);
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      await removeIndex(file);
    }
  }
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

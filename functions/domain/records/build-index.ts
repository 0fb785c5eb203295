// Building the index of a workspace: from its newest snapshot, else from all its records.

import type { IndexChanges } from '#record-index/apply.ts';
import type { Update } from '#record-index/operations.ts';
import { onIndex } from '#record-index/record-index.ts';
import { oldestCursor } from '#store/changes.ts';
import * as heads from '#store/record-heads.ts';
import { recordPage, relationshipPage } from '#store/record-states.ts';
import { makeRoom } from './make-room.ts';
import { restoreSnapshot } from './snapshot.ts';

/** A builder that has not written for so long is dead. */
export const BUILD_LEASE_MS = 5000;

interface Options {
  /** Epoch ms; a build that is not done by then is given up. */
  deadline: number;
  overlapMs: number;
}

const none: IndexChanges = { records: [], gone_records: [], relationships: [], gone_relationships: [] };

/**
 * Fills an empty index whose build was claimed; changes that were written meanwhile follow from the log. Past its deadline it asks for a
 * compaction, which has the time, and leaves the index without an incarnation, so that nobody takes it for whole.
 */
export async function buildIndex(workspaceId: string, file: string, options: Options): Promise<void> {
  const startedAt = Date.now();
  await makeRoom(file);
  const head = await heads.getOrCreate(workspaceId);
  if (await restoreNewest(workspaceId, file, head, startedAt)) return;
  // What an earlier try left may have been deleted since.
  if (!(await onIndex(file, 'reset', (await onIndex(file, 'state')).revision))) return;
  const put = updater(file);
  for (const page of [recordPages, relationshipPages])
    for await (const changes of page(workspaceId)) {
      if (Date.now() > options.deadline) {
        await put(none, { building_until: 0 });
        return heads.makeDue(workspaceId, Date.now());
      }
      if (!(await put(changes))) return;
    }
  await put(none, {
    incarnation: head.incarnation,
    cursor_ms: startedAt - options.overlapMs,
    building_until: 0,
  });
}

/** A snapshot may be replaced, and its objects removed, while it is being read: the newer one is tried then. */
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

/** Applies one part after the other; false once somebody else has written to the file. */
function updater(file: string) {
  let revision: number | undefined;
  return async (
    changes: IndexChanges,
    end: Pick<Update, 'incarnation' | 'cursor_ms' | 'building_until'> = {},
  ) => {
    revision ??= (await onIndex(file, 'state')).revision;
    const building_until = Date.now() + BUILD_LEASE_MS;
    const done = await onIndex(file, 'update', { revision, changes, applied: [], building_until, ...end });
    revision += 1;
    return done;
  };
}

async function* recordPages(workspaceId: string): AsyncGenerator<IndexChanges> {
  let after: string | undefined;
  do {
    const page = await recordPage(workspaceId, after);
    yield { ...none, records: page.records };
    after = page.next;
  } while (after !== undefined);
}

async function* relationshipPages(workspaceId: string): AsyncGenerator<IndexChanges> {
  let after: string | undefined;
  do {
    const page = await relationshipPage(workspaceId, after);
    yield { ...none, relationships: page.relationships };
    after = page.next;
  } while (after !== undefined);
}

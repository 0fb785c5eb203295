// After a restore of the table no index that was made before counts any more (rules.md: admin 9).
import { requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { settleAll } from '#platform/settle-all.ts';
import * as heads from '#store/records/record-heads.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';

const IN_PARALLEL = 20;

/** How many workspaces were looked at, how many of them have an index, and how many of those a snapshot. */
interface Renewed {
  workspaces: number;
  indexes_renewed: number;
  compactions_scheduled: number;
  next?: string | undefined;
}

/**
 * Gives the records of one workspace, or of a page of all, a new incarnation: a restored table has the old one, and
 * index files and snapshots that are ahead of it would pass for current. Safe to repeat: readers then build their index
 * once more. Throws AdminError `workspace_not_found`.
 */
export async function renewIndexes(
  workspaceId: string | undefined,
  after: string | undefined,
): Promise<Renewed> {
  const { ids, next } = await workspacePage(workspaceId, after);
  const found = await settleAll(ids, IN_PARALLEL, renew);
  return {
    workspaces: ids.length,
    indexes_renewed: found.filter(({ hasIndex }) => hasIndex).length,
    compactions_scheduled: found.filter(({ hasSnapshot }) => hasSnapshot).length,
    next,
  };
}

async function workspacePage(workspaceId: string | undefined, after: string | undefined) {
  if (workspaceId === undefined) return workspaces.idPage(after);
  const { workspace_id } = await requireWorkspace(workspaceId);
  return { ids: [workspace_id], next: undefined };
}

async function renew(workspaceId: string) {
  const head = await heads.get(workspaceId);
  const hasSnapshot = head?.snapshot !== undefined;
  // Without a head no index file passes for current: each has an incarnation.
  if (head) await heads.renewIncarnation(workspaceId, hasSnapshot ? Date.now() : undefined);
  return { hasIndex: head !== undefined, hasSnapshot };
}

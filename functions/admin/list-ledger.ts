// Command `ledger.list`: the ledger of a workspace's credits.
import { requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { type LedgerEntry, listEntries } from '#store/money/ledger.ts';

/** The most entries in one reply. */
const ENTRIES_MAX = 5000;

/** The newest ledger entries of a workspace, oldest first. Throws AdminError `workspace_not_found`. */
export async function listLedger(workspaceId: string): Promise<{ entries: LedgerEntry[] }> {
  const { workspace_id } = await requireWorkspace(workspaceId);
  return { entries: await listEntries(workspace_id, ENTRIES_MAX) };
}

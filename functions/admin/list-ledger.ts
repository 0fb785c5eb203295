// The ledger of a workspace's credits.
import { requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { type LedgerEntry, listEntries } from '#store/ledger.ts';

/** What one answer can carry. */
const ENTRIES_MAX = 5000;

/** The newest entries of a workspace, oldest first: each grant, hold, change of a hold and settlement. Throws AdminError `workspace_not_found`. */
export async function listLedger(workspaceId: string): Promise<{ entries: LedgerEntry[] }> {
  const { workspace_id } = await requireWorkspace(workspaceId);
  return { entries: await listEntries(workspace_id, ENTRIES_MAX) };
}

// The workspace that a command names.
import * as workspaces from '#store/workspaces/workspaces.ts';
import { GLOBAL_WORKSPACE_ID, type Workspace } from '#store/workspaces/workspaces.ts';
import { AdminError } from './admin-error.ts';

/** The workspace, whatever its status. Throws AdminError `workspace_not_found`. */
export async function requireWorkspace(workspaceId: string): Promise<Workspace> {
  const workspace = await workspaces.get(workspaceId);
  if (!workspace) throw new AdminError('workspace_not_found', `There is no workspace ${workspaceId}.`);
  return workspace;
}

/** The workspace, if it is not deleted. Throws AdminError `workspace_not_found`. */
export async function requireLivingWorkspace(workspaceId: string): Promise<Workspace> {
  if (workspaceId === GLOBAL_WORKSPACE_ID) await createGlobalWorkspace();
  const workspace = await requireWorkspace(workspaceId);
  if (workspace.status === 'deleted')
    throw new AdminError('workspace_not_found', `The workspace ${workspaceId} is deleted.`);
  return workspace;
}

/** The workspace of every service, whose records `xray` and `global_search` read. Safe to repeat. */
async function createGlobalWorkspace(): Promise<void> {
  const workspace: Workspace = {
    workspace_id: GLOBAL_WORKSPACE_ID,
    name: 'Global',
    tier: 'enterprise',
    status: 'active',
    features: [],
    credits: false,
    created_at: Date.now(),
  };
  await workspaces.create(workspace, undefined);
}

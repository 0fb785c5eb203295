// Bridges: which external system may push into which workspaces, and how its fields are mapped (rules.md: sync).
import { randomBytes } from 'node:crypto';
import type { BridgeFile } from '#contract/sync.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { sha256Hex } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealed.ts';
import type { BridgeRecord } from '#store/records/bridges.ts';
import * as bridges from '#store/records/bridges.ts';

/** A bridge as administrators see it, without its secret. */
export type BridgeReport = Omit<BridgeRecord, 'sealed_secret'>;

/**
 * Creates an active bridge. Only this reply contains the secret; its SHA-256 in hex, which verifies signatures, is
 * stored encrypted (rules.md: sync 12). Throws AdminError `workspace_not_found`, `forbidden_feature`.
 */
export async function createBridge(file: BridgeFile): Promise<{ bridge_id: string; secret: string }> {
  const { name, workspaces } = await checked(file);
  const bridge_id = newId();
  const secret = `brs_${randomBytes(24).toString('hex')}`;
  const sealed_secret = await seal(sha256Hex(secret), bridge_id);
  await bridges.put({
    bridge_id,
    name,
    status: 'active',
    workspaces,
    sealed_secret,
    created_at: Date.now(),
  });
  return { bridge_id, secret };
}

/** Changes a bridge's status, or everything in its file; the secret does not change. Throws AdminError. */
export async function updateBridge(
  bridgeId: string,
  change: { status?: BridgeRecord['status'] | undefined; bridge?: BridgeFile | undefined },
): Promise<BridgeReport> {
  const before = await bridges.get(bridgeId);
  if (!before) throw new AdminError('bridge_not_found', `There is no bridge ${bridgeId}.`);
  const file = change.bridge ? await checked(change.bridge) : {};
  const after = { ...before, ...file, ...(change.status && { status: change.status }) };
  await bridges.put(after);
  const { sealed_secret: _, ...report } = after;
  return report;
}

/** The file, if every workspace in it exists and may have bridges. */
async function checked(file: BridgeFile): Promise<BridgeFile> {
  const workspaces = file.workspaces.map((entry) => ({
    ...entry,
    workspace_id: entry.workspace_id.toLowerCase(),
  }));
  for (const { workspace_id } of workspaces) {
    const { features } = await requireLivingWorkspace(workspace_id);
    if (!features.includes('WEBHOOK_INTEGRATION'))
      throw new AdminError(
        'forbidden_feature',
        `The workspace ${workspace_id} lacks the feature WEBHOOK_INTEGRATION.`,
      );
  }
  return { ...file, workspaces };
}

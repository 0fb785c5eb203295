// Bridges: which external system may push into which workspaces, and how its fields are mapped (rules.md: sync).
import { randomBytes } from 'node:crypto';
import type { BridgeFile } from '#contract/sync.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { isSameJson, sha256Hex } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealed.ts';
import type { BridgeRecord } from '#store/records/bridge-states.ts';
import * as bridges from '#store/records/bridge-states.ts';
import type { Write } from '#store/table/table.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';

/** A bridge as administrators see it, without its secret. */
export type BridgeReport = Omit<BridgeRecord, 'sealed_secret'>;

/**
 * Creates an active bridge. Only this reply contains the secret; its SHA-256 in hex, which verifies signatures, is
 * stored encrypted (rules.md: sync 12). Throws AdminError `workspace_not_found`, `forbidden_feature`.
 */
export async function createBridge(
  file: BridgeFile,
  by: Actor,
): Promise<{ bridge_id: string; secret: string }> {
  const { name, workspaces } = await checkBridge(file);
  const bridge_id = newId();
  const secret = `brs_${randomBytes(24).toString('hex')}`;
  const sealed_secret = await seal(sha256Hex(secret), bridge_id);
  const bridge = { bridge_id, name, status: 'active', workspaces, sealed_secret } as const;
  const entries = entriesIn([workspaces], by, 'bridge.create', bridge_id);
  await bridges.put({ ...bridge, created_at: Date.now() }, entries);
  return { bridge_id, secret };
}

/** Changes a bridge's status, or everything in its file; the secret does not change. Throws AdminError. */
export async function updateBridge(
  bridgeId: string,
  change: { status?: BridgeRecord['status'] | undefined; bridge?: BridgeFile | undefined },
  by: Actor,
): Promise<BridgeReport> {
  const before = await bridges.get(bridgeId);
  if (!before) throw new AdminError('bridge_not_found', `There is no bridge ${bridgeId}.`);
  const file = change.bridge ? await checkBridge(change.bridge) : {};
  const after = { ...before, ...file, ...(change.status && { status: change.status }) };
  const reached = [before.workspaces, after.workspaces];
  if (!isSameJson(before, after))
    await bridges.put(after, entriesIn(reached, by, 'bridge.update', before.bridge_id));
  const { sealed_secret: _, ...report } = after;
  return report;
}

/** Writes that tell each workspace of a bridge what became of it. */
function entriesIn(
  reached: BridgeFile['workspaces'][],
  by: Actor,
  action: 'bridge.create' | 'bridge.update',
  bridgeId: string,
): Write[] {
  const ids = new Set(reached.flat().map(({ workspace_id }) => workspace_id));
  return [...ids].map((id) => auditWrite(id, by, action, bridgeId));
}

/** The file, if every workspace in it exists and may have bridges. */
async function checkBridge(file: BridgeFile): Promise<BridgeFile> {
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

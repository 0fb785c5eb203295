// API keys as administrators manage them: created and shown once, listed without secrets, revoked.
import { limits } from '#contract/limits.ts';
import { type Scope, scopes } from '#contract/scopes.ts';
import type { ApiKey } from '#store/workspaces/api-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { AdminError } from './admin-error.ts';
import { type IssuedKey, isFull, issueKey } from './issue-key.ts';
import { requireLivingWorkspace, requireWorkspace } from './require-workspace.ts';

export interface NewKey {
  workspace_id: string;
  name?: string | undefined;
  scopes: 'all' | Scope[];
  /** Epoch ms. */
  expires_at?: number | undefined;
  daily_cost_limit_usd?: number | undefined;
}

/** Creates a key. Only this reply contains `api_key`. Throws AdminError `workspace_not_found`, `keys_exceeded`. */
export async function createKey(wanted: NewKey, by: Actor): Promise<IssuedKey> {
  const { workspace_id } = await requireLivingWorkspace(wanted.workspace_id);
  const made = await issueKey(workspace_id, async (ring, keyId) => {
    if (isFull(ring, Date.now()))
      throw new AdminError('keys_exceeded', `A workspace has at most ${limits.keys_max} active keys.`);
    return {
      name: wanted.name ?? 'API key',
      scopes: wanted.scopes === 'all' ? [...scopes] : [...new Set(wanted.scopes)],
      expires_at: wanted.expires_at,
      daily_cost_limit_usd: wanted.daily_cost_limit_usd,
      writes: [auditWrite(workspace_id, by, 'key.create', keyId)],
    };
  });
  if (!made) throw new AdminError('workspace_not_found', `There is no workspace ${workspace_id}.`);
  return made;
}

/** Revokes a key at once. Idempotent. Throws AdminError `key_not_found`. */
export async function revokeKey(keyId: string, by: Actor): Promise<ApiKey> {
  const key = await apiKeys.revoke(keyId, by);
  if (!key) throw new AdminError('key_not_found', `There is no key ${keyId}.`);
  return key;
}

/** The keys of a workspace, including revoked ones, without secrets. Throws AdminError `workspace_not_found`. */
export async function listKeys(workspaceId: string): Promise<{ keys: ApiKey[] }> {
  await requireWorkspace(workspaceId);
  return { keys: await apiKeys.list(workspaceId) };
}

// API keys of a workspace: created and shown once, listed without secrets, revoked.
import { randomBytes } from 'node:crypto';
import { type Scope, scopes } from '#contract/scopes.ts';
import { apiKeyText, lookupHash } from '#domain/access/authenticate.ts';
import { sha256Hex } from '#platform/crypto.ts';
import { seal } from '#platform/sealed.ts';
import type { ApiKey } from '#store/workspaces/api-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { AdminError } from './admin-error.ts';
import { requireLivingWorkspace, requireWorkspace } from './require-workspace.ts';

export interface NewKey {
  workspace_id: string;
  name?: string | undefined;
  scopes: 'all' | Scope[];
  /** Epoch ms. */
  expires_at?: number | undefined;
  daily_cost_limit_usd?: number | undefined;
}

/**
 * Creates a key. Only this reply contains `api_key`: the table stores a keyed hash for look-ups and, encrypted, the
 * signing secret derived from it (rules.md: keys 6). Throws AdminError `workspace_not_found`.
 */
export async function createKey(wanted: NewKey, by: Actor): Promise<ApiKey & { api_key: string }> {
  const { workspace_id } = await requireLivingWorkspace(wanted.workspace_id);
  const api_key = apiKeyText(workspace_id, randomBytes(20).toString('hex'));
  const key: ApiKey = {
    key_id: `key_${workspace_id.replaceAll('-', '')}_${randomBytes(8).toString('hex')}`,
    workspace_id,
    name: wanted.name ?? 'API key',
    scopes: wanted.scopes === 'all' ? [...scopes] : [...new Set(wanted.scopes)],
    expires_at: wanted.expires_at,
    daily_cost_limit_usd: wanted.daily_cost_limit_usd,
    created_at: Date.now(),
  };
  const [hash, sealedSecret] = await Promise.all([lookupHash(api_key), seal(sha256Hex(api_key), key.key_id)]);
  await apiKeys.create(key, hash, sealedSecret, [auditWrite(workspace_id, by, 'key.create', key.key_id)]);
  return { ...key, api_key };
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

// Making an API key: its text is shown once, its hash and its encrypted signing secret are stored (rules.md: keys 6).
import { randomBytes } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import { apiKeyText, lookupHash } from '#domain/access/authenticate.ts';
import { sha256Hex } from '#platform/crypto.ts';
import { seal } from '#platform/sealed.ts';
import { takesEffect, type Write } from '#store/table/table.ts';
import type { ApiKey, KeyRing } from '#store/workspaces/api-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';

/** A key and its text. */
export type IssuedKey = ApiKey & { api_key: string };

/** A key to be made, and what is written with it. */
export interface KeyDraft extends Omit<ApiKey, 'key_id' | 'workspace_id' | 'created_at'> {
  writes: Write[];
  /** Of a rotation: when the old key expires, epoch ms. */
  grace_until?: number;
}

/** Whether the workspace has as many active keys as it may; `leaving` ends as the new one begins. */
export function isFull({ keys }: KeyRing, nowMs: number, leaving?: ApiKey): boolean {
  return keys.filter((key) => apiKeys.isActive(key, nowMs) && key !== leaving).length >= limits.keys_max;
}

/**
 * Makes a key as `decide` says, which is asked again whenever the keys of the workspace have changed in between. One
 * transaction writes everything, so a crash leaves nothing half done. Undefined if the workspace is gone.
 */
export async function issueKey(
  workspaceId: string,
  decide: (ring: KeyRing, keyId: string) => Promise<KeyDraft>,
): Promise<IssuedKey | undefined> {
  const hex = workspaceId.replaceAll('-', '');
  const api_key = apiKeyText(workspaceId, randomBytes(20).toString('hex'));
  const key_id = `key_${hex}_${randomBytes(8).toString('hex')}`;
  const [hash, sealedSecret] = await Promise.all([lookupHash(api_key), seal(sha256Hex(api_key), key_id)]);
  for (;;) {
    const ring = await apiKeys.readRing(workspaceId);
    if (!ring) return undefined;
    const { writes, grace_until, ...draft } = await decide(ring, key_id);
    const key = { ...draft, key_id, workspace_id: workspaceId, created_at: Date.now() };
    const others = [apiKeys.ringWrite(ring, grace_until), ...writes];
    if (await takesEffect(apiKeys.create(key, hash, sealedSecret, others))) return { ...key, api_key };
  }
}

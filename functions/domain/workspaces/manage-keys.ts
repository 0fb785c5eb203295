// API keys as the keys of a workspace manage them: none gives what it lacks, or prolongs itself (rules.md: keys 8).
import type { CreateKey, Key, NewKey, RotateKey } from '#contract/api-keys.ts';
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { type Caller, requireScope } from '#domain/access/authenticate.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { spendingKey } from '#store/money/costs.ts';
import type { Write } from '#store/table/table.ts';
import type { ApiKey, KeyRing } from '#store/workspaces/api-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { type IssuedKey, isFull, issueKey } from './issue-key.ts';

/** The keys of a workspace: all active ones, and of the others the newest. */
export async function listKeys(workspaceId: string): Promise<Key[]> {
  const keys = await apiKeys.listWithUse(workspaceId, limits.keys_listed_max, Date.now());
  return keys.map(toKey);
}

/** Creates a key. Throws schema_validation_failed, forbidden_feature, keys_exceeded; auth_invalid once revoked. */
export async function createKey({ key, workspace }: Caller, wanted: CreateKey, by: Actor): Promise<NewKey> {
  if (wanted.expires_at !== undefined && wanted.expires_at <= Date.now())
    throw refusedField('expires_at', 'a time in the future', wanted.expires_at);
  const { workspace_id } = workspace;
  const draft = { ...wanted, scopes: [...new Set(wanted.scopes)] };
  return toNewKey(
    await issueKey(workspace_id, async (ring, keyId) => {
      const caller = callerIn(ring, key);
      requireWithin(caller, draft);
      requireRoom(ring);
      const entry = auditWrite(workspace_id, by, 'key.create', keyId);
      return { ...draft, writes: [apiKeys.notRevokedCheck(caller), entry] };
    }),
  );
}

/**
 * Replaces a key by a new one with the same name, scopes, limit and expiry. The old one expires with its grace. Throws
 * key_not_found, key_not_active, and what `createKey` throws.
 */
export async function rotateKey(
  { key, workspace }: Caller,
  keyId: string | undefined,
  { grace_seconds = limits.key_grace_default_seconds }: RotateKey,
  by: Actor,
): Promise<NewKey> {
  const { workspace_id } = workspace;
  return toNewKey(
    await issueKey(workspace_id, async (ring, newId) => {
      const caller = callerIn(ring, key);
      const old = ring.keys.find(({ key_id }) => key_id === keyId);
      if (!old) throw fail('key_not_found');
      const now = Date.now();
      requireRotatable(old, now);
      requireWithin(caller, old);
      requireRoom(ring, grace_seconds === 0 ? old : undefined);
      const { name, scopes, expires_at, daily_cost_limit_usd } = old;
      const grace_until = Math.min(now + grace_seconds * 1000, expires_at ?? Number.POSITIVE_INFINITY);
      const entry = auditWrite(workspace_id, by, 'key.rotate', old.key_id);
      const replaced = await apiKeys.replaceWrites(old.key_id, newId, grace_until);
      // A transaction takes one action on an item, and the writes to the old key have this condition.
      const check: Write[] = caller === old ? [] : [apiKeys.notRevokedCheck(caller)];
      return {
        ...{ name, scopes, expires_at, daily_cost_limit_usd, grace_until },
        successor_of: old.key_id,
        spending_key_id: spendingKey(old),
        writes: [...replaced, ...check, entry],
      };
    }),
  );
}

/** Revokes a key at once. Safe to repeat. Throws key_not_found, key_in_use. */
export async function revokeKey(
  { key, workspace }: Caller,
  keyId: string | undefined,
  by: Actor,
): Promise<void> {
  if (keyId === key.key_id) throw fail('key_in_use');
  const isOwn = keyId !== undefined && apiKeys.workspaceOfKey(keyId) === workspace.workspace_id;
  if (!isOwn || !(await apiKeys.revoke(keyId, by))) throw fail('key_not_found');
}

/** The current state of the caller's key. Throws auth_invalid if it was revoked since the request was authenticated. */
function callerIn({ keys }: KeyRing, { key_id }: ApiKey): ApiKey {
  const caller = keys.find((key) => key.key_id === key_id);
  if (!caller || caller.revoked_at !== undefined) throw fail('auth_invalid');
  return caller;
}

/** Throws forbidden_feature, schema_validation_failed if a key would have more rights than the caller. */
function requireWithin(
  caller: ApiKey,
  wanted: Pick<ApiKey, 'scopes' | 'expires_at' | 'daily_cost_limit_usd'>,
): void {
  for (const scope of wanted.scopes) requireScope(caller, scope);
  for (const name of ['daily_cost_limit_usd', 'expires_at'] as const) {
    const own = caller[name];
    if (own !== undefined && (wanted[name] ?? Number.POSITIVE_INFINITY) > own)
      throw refusedField(name, `<= ${own}, as the caller has it`, wanted[name]);
  }
}

function requireRoom(ring: KeyRing, leaving?: ApiKey): void {
  if (isFull(ring, Date.now(), leaving)) throw fail('keys_exceeded', { details: { limit: limits.keys_max } });
}

function requireRotatable(key: ApiKey, nowMs: number): void {
  if (key.revoked_at !== undefined) throw fail('key_not_active', { details: { reason: 'revoked' } });
  if (key.successor !== undefined) throw fail('key_not_active', { details: { reason: 'rotated' } });
  if (!apiKeys.isActive(key, nowMs)) throw fail('key_not_active', { details: { reason: 'expired' } });
}

const refusedField = (param: string, expected: string, received: number | undefined) =>
  wrongParam(param, expected, String(received), `Expected ${expected}`);

function toKey(key: ApiKey): Key {
  const { key_id, name, scopes, created_at } = key;
  return {
    ...{ key_id, name, scopes, created_at },
    expires_at: key.expires_at ?? null,
    revoked_at: key.revoked_at ?? null,
    daily_cost_limit_usd: key.daily_cost_limit_usd ?? null,
    successor_of: key.successor_of ?? null,
    last_used_day: key.last_used_day ?? null,
  };
}

function toNewKey(issued: IssuedKey | undefined): NewKey {
  if (!issued) throw fail('workspace_not_found');
  return { ...toKey(issued), api_key: issued.api_key };
}

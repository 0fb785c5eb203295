// API keys as the keys of a workspace manage them: none gives what it lacks, or prolongs itself (rules.md: keys 8).
import type { CreateKey, Key, NewKey, RotateKey } from '#contract/api-keys.ts';
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { type Caller, checkStanding, requireScope } from '#domain/access/authenticate.ts';
import { requireUnrotated, whileActive } from '#domain/access/still-active.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { type KeyLimit, spendingKey } from '#store/money/costs.ts';
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

/**
 * Creates a key. Throws schema_validation_failed, forbidden_feature, keys_exceeded, and what `requireManager` throws.
 */
export async function createKey({ key, workspace }: Caller, wanted: CreateKey, by: Actor): Promise<NewKey> {
  if (wanted.expires_at !== undefined && wanted.expires_at <= Date.now())
    throw refusedField('expires_at', 'a time in the future', wanted.expires_at);
  const { workspace_id } = workspace;
  const draft = { ...wanted, scopes: [...new Set(wanted.scopes)] };
  return toNewKey(
    await issueKey(workspace_id, async (ring, keyId) => {
      const caller = callerIn(ring, { key, workspace });
      requireWithin(caller, draft);
      requireRoom(ring);
      const entry = auditWrite(workspace_id, by, 'key.create', keyId);
      const writes = [apiKeys.activeCheck(caller, { unrotated: true }), entry];
      return { ...draft, ...boundedBy(limitsUnder(caller)), writes };
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
  const issued = await issueKey(workspace_id, async (ring, newId) => {
    const caller = callerIn(ring, { key, workspace });
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
    const check: Write[] = caller === old ? [] : [apiKeys.activeCheck(caller, { unrotated: true })];
    // It has the text of the successor, so what that spends counts on it as well.
    const limits_above = [...(old.bounded_by ?? []), ...limitsUnder(caller)];
    return {
      ...{ name, scopes, expires_at, daily_cost_limit_usd, grace_until },
      successor_of: old.key_id,
      spending_key_id: spendingKey(old),
      ...boundedBy(limits_above.filter(({ key_id }) => key_id !== spendingKey(old))),
      writes: [...replaced, ...check, entry],
    };
  });
  return toNewKey(issued);
}

/** Revokes a key at once. Safe to repeat. Throws key_not_found, key_in_use, and what `requireManager` throws. */
export async function revokeKey(caller: Caller, keyId: string | undefined, by: Actor): Promise<void> {
  const { key, workspace } = caller;
  if (keyId === key.key_id) throw fail('key_in_use');
  requireManager(key, caller);
  const isOwn = keyId !== undefined && apiKeys.workspaceOfKey(keyId) === workspace.workspace_id;
  if (!isOwn) throw fail('key_not_found');
  const found = await whileActive(caller, (check) => apiKeys.revoke(keyId, by, check), { unrotated: true });
  if (!found) throw fail('key_not_found');
}

/** The current state of the caller's key. Throws what `requireManager` throws. */
function callerIn({ keys }: KeyRing, caller: Caller): ApiKey {
  return requireManager(
    keys.find(({ key_id }) => key_id === caller.key.key_id),
    caller,
  );
}

/**
 * The current state of the caller's key, which may manage others. Throws auth_invalid or auth_expired if it was revoked
 * or has expired since the request was authenticated; key_not_active if it was rotated (rules.md: keys 8, keys 15).
 */
function requireManager(now: ApiKey | undefined, { workspace }: Caller): ApiKey {
  const { key } = checkStanding(now, workspace);
  requireUnrotated(key);
  return key;
}

/** The limits that bound what a key hands on: those above it, and its own. */
function limitsUnder(key: ApiKey): KeyLimit[] {
  const { daily_cost_limit_usd: limit_usd, bounded_by = [] } = key;
  return [...bounded_by, ...(limit_usd === undefined ? [] : [{ key_id: spendingKey(key), limit_usd }])];
}

/** Throws keys_exceeded for more limits than a key may be bounded by: each cost counts on all of them. */
function boundedBy(above: KeyLimit[]): Pick<ApiKey, 'bounded_by'> {
  const distinct = [...new Map(above.map((one) => [one.key_id, one])).values()];
  const limit = limits.key_limits_above_max;
  if (distinct.length > limit)
    throw fail('keys_exceeded', {
      message: `At most ${limit} daily limits bound a key.`,
      details: { limit },
    });
  return distinct.length > 0 ? { bounded_by: distinct } : {};
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
  requireUnrotated(key);
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

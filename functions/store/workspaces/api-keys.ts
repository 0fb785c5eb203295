// API keys. A key itself is never stored: it is found by its keyed hash, and its signing secret is stored encrypted.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { scopes } from '#contract/scopes.ts';
import { uuidOfHex } from '#platform/crypto.ts';
import { costKeys, type DaySpent, KeyLimit, spentOnDay } from '../money/costs.ts';
import { deleteItems } from '../table/erase.ts';
import {
  ConditionFailed,
  getItem,
  getItems,
  type Item,
  type Key,
  queryAll,
  table,
  tableName,
  takesEffect,
  transact,
  type Write,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { type Actor, auditWrite } from './audit.ts';
import { Workspace } from './workspaces.ts';

/** Scopes that there were before keys said how many there were when they were made. */
const FIRST_SCOPES = 11;

const fields = z.object({
  key_id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** How many scopes there were when it was made: a key with all of them also has those that came later. */
  of_scopes: z.number().default(FIRST_SCOPES),
  expires_at: z.number().optional(),
  revoked_at: z.number().optional(),
  daily_cost_limit_usd: z.number().optional(),
  created_at: z.number(),
  /** The key that it replaces. */
  successor_of: z.string().optional(),
  /** The key that replaces it; `expires_at` is then the end of its grace at the latest. */
  successor: z.string().optional(),
  /** The key on which its costs are counted, if that is another one. */
  spending_key_id: z.string().optional(),
  /** The limits of the keys from which it descends (rules.md: keys 13). */
  bounded_by: z.array(KeyLimit).optional(),
  /** The UTC day of its last request; only in the item that a request reads. */
  last_used_day: z.string().optional(),
});

function withLaterScopes<K extends z.infer<typeof fields>>({ of_scopes, ...key }: K): Omit<K, 'of_scopes'> {
  return { ...key, scopes: key.scopes.length >= of_scopes ? [...scopes] : key.scopes };
}

export const ApiKey = fields.transform(withLaterScopes);
export type ApiKey = z.infer<typeof ApiKey>;

const StoredKey = fields
  .extend({ lookup_hash: z.string(), sealed_secret: z.string() })
  .transform(withLaterScopes);
type StoredKey = z.infer<typeof StoredKey>;

/** The key without what finds it and what signs for it. */
const apiKeyOf = ({ lookup_hash: _, sealed_secret: __, ...key }: StoredKey): ApiKey => key;

/** Whether a key may be used: neither revoked nor expired. */
export function isActive({ revoked_at, expires_at }: ApiKey, nowMs: number): boolean {
  return revoked_at === undefined && (expires_at === undefined || expires_at > nowMs);
}

const NOT_REVOKED = 'attribute_exists(pk) AND attribute_not_exists(revoked_at)';
const ACTIVE = `${NOT_REVOKED} AND (attribute_not_exists(expires_at) OR expires_at > :now)`;
const UNROTATED = 'attribute_not_exists(successor)';

/** The workspace in the id of a key, so that the id alone suffices to find it. */
export function workspaceOfKey(keyId: string): string | undefined {
  const hex = /^key_([0-9a-f]{32})_[0-9a-f]{16}$/.exec(keyId)?.[1];
  return hex === undefined ? undefined : uuidOfHex(hex);
}

/** A key and the workspace that its text names. */
export interface Bearer {
  key: ApiKey | undefined;
  workspace: Workspace | undefined;
}

/** What decides whether a workspace may start a run now. */
export interface Costs {
  /** Spent today by the workspace and by the key, 1e-12 USD. */
  spent_today: DaySpent;
}

/** The key of a bearer hash and the workspace that the bearer names. */
export async function findBearer(lookupHash: string, workspaceId: string): Promise<Bearer> {
  const [key, workspace] = await Promise.all(bearerKeys(lookupHash, workspaceId).map(getItem));
  return bearerOf(key, workspace);
}

/** As `findBearer`, with its costs: one read. */
export function findBearerWithCosts(lookupHash: string, workspaceId: string): Promise<Bearer & Costs> {
  return withCosts(keys.bearer(lookupHash), workspaceId);
}

async function withCosts(ofKey: Key, workspaceId: string): Promise<Bearer & Costs> {
  const atMs = Date.now();
  const [key, workspace, ...day] = await Promise.all(
    [ofKey, keys.workspace(workspaceId), ...costKeys(workspaceId, atMs)].map(getItem),
  );
  const bearer = bearerOf(key, workspace);
  return { ...bearer, spent_today: spentOnDay(bearer.key, atMs, day) };
}

/** The key of an id, which need not exist, with its workspace and its costs. */
export async function findKeyWithCosts(keyId: string, workspaceId: string): Promise<Bearer & Costs> {
  return withCosts(keys.apiKey(workspaceId, keyId), workspaceId);
}

function bearerKeys(lookupHash: string, workspaceId: string): Key[] {
  return [keys.bearer(lookupHash), keys.workspace(workspaceId)];
}

function bearerOf(key: Item | undefined, workspace: Item | undefined): Bearer {
  return { key: key && ApiKey.parse(key), workspace: workspace && Workspace.parse(workspace) };
}

/** Saves a new key under its hash (for callers) and under its id (for admins and for signing). */
export async function create(
  key: ApiKey,
  lookupHash: string,
  sealedSecret: string,
  others: Write[] = [],
): Promise<void> {
  const made = { ...key, of_scopes: scopes.length };
  await transact([
    { Put: { TableName: tableName(), Item: { ...keys.bearer(lookupHash), ...made } } },
    {
      Put: {
        TableName: tableName(),
        Item: {
          ...keys.apiKey(key.workspace_id, key.key_id),
          ...made,
          lookup_hash: lookupHash,
          sealed_secret: sealedSecret,
        },
      },
    },
    ...others,
  ]);
}

async function stored(keyId: string): Promise<StoredKey | undefined> {
  const workspaceId = workspaceOfKey(keyId);
  if (!workspaceId) return undefined;
  const item = await getItem(keys.apiKey(workspaceId, keyId));
  return item && StoredKey.parse(item);
}

/** The key of an id, without its secret. */
export async function getById(keyId: string): Promise<ApiKey | undefined> {
  const key = await stored(keyId);
  return key && apiKeyOf(key);
}

/** What signs for a key: its encrypted secret, and the key that also signs until `grace_until` (epoch ms). */
export interface Signer {
  sealed_secret: string;
  successor?: string | undefined;
  grace_until: number;
}

/** The signer of a key, revoked or not. Throws if the key never existed. */
export async function signerOf(keyId: string): Promise<Signer> {
  const key = await stored(keyId);
  if (!key) throw new Error(`key ${keyId} does not exist`);
  return {
    sealed_secret: key.sealed_secret,
    successor: key.successor,
    grace_until: key.successor === undefined ? 0 : (key.expires_at ?? 0),
  };
}

/**
 * Revokes a key and returns it; undefined if it does not exist. Safe to repeat. Throws ConditionFailed if the check is
 * given and fails.
 */
export async function revoke(keyId: string, by: Actor, check?: Write): Promise<ApiKey | undefined> {
  const key = await stored(keyId);
  if (!key || key.revoked_at !== undefined) return key && apiKeyOf(key);
  const revoked_at = Date.now();
  const set = {
    UpdateExpression: 'SET revoked_at = :at',
    ConditionExpression: NOT_REVOKED,
    ExpressionAttributeValues: { ':at': revoked_at },
  };
  try {
    await transact([
      ...(check ? [check] : []),
      { Update: { TableName: tableName(), Key: keys.bearer(key.lookup_hash), ...set } },
      { Update: { TableName: tableName(), Key: keys.apiKey(key.workspace_id, keyId), ...set } },
      auditWrite(key.workspace_id, by, 'key.revoke', keyId),
    ]);
    return { ...apiKeyOf(key), revoked_at };
  } catch (error) {
    if (!(error instanceof ConditionFailed) || (check && error.write === check)) throw error;
    // Another request has revoked the key, or a purge has deleted its bearer item.
    return getById(keyId);
  }
}

async function listStored(workspaceId: string): Promise<StoredKey[]> {
  return (await queryAll(keys.apiKeys(workspaceId))).map((item) => StoredKey.parse(item));
}

/** All keys of a workspace. */
export async function list(workspaceId: string): Promise<ApiKey[]> {
  return (await listStored(workspaceId)).map(apiKeyOf);
}

/** As `list`, newest first, with the days of their last use: every active key, and of the others the newest. */
export async function listWithUse(workspaceId: string, limit: number, nowMs: number): Promise<ApiKey[]> {
  const all = (await listStored(workspaceId)).sort((a, b) => b.created_at - a.created_at);
  const active = all.filter((key) => isActive(key, nowMs));
  const others = all.filter((key) => !isActive(key, nowMs)).slice(0, limit - active.length);
  const shown = all.filter((key) => active.includes(key) || others.includes(key));
  const bearers = shown.map(({ lookup_hash }) => keys.bearer(lookup_hash));
  const days = new Map((await getItems(bearers, 'pk, last_used_day')).map((one) => [one.pk, one]));
  return shown.map((key) => {
    const { last_used_day } = days.get(keys.bearer(key.lookup_hash).pk) ?? {};
    return { ...apiKeyOf(key), ...(typeof last_used_day === 'string' && { last_used_day }) };
  });
}

/** The keys of a workspace, and the workspace, whose version tells whether they are still the same. */
export interface KeyRing {
  workspace: Workspace;
  keys: ApiKey[];
}

/** The current keys of a workspace; undefined if it is gone. */
export async function readRing(workspaceId: string): Promise<KeyRing | undefined> {
  // The version first: a key that comes later changes it.
  const workspace = await getItem(keys.workspace(workspaceId));
  return workspace && { workspace: Workspace.parse(workspace), keys: await list(workspaceId) };
}

/** Write of every new key, which fails if another one has come. A rotation gives the end of its grace (epoch ms). */
export function ringWrite({ workspace }: KeyRing, graceUntil = 0): Write {
  const { workspace_id, keys_version = 0, grace_until = 0 } = workspace;
  return {
    Update: {
      TableName: tableName(),
      Key: keys.workspace(workspace_id),
      UpdateExpression: 'SET keys_version = :next, grace_until = :until',
      ConditionExpression:
        keys_version === 0
          ? 'attribute_exists(pk) AND attribute_not_exists(keys_version)'
          : 'keys_version = :read',
      ExpressionAttributeValues: {
        ':next': keys_version + 1,
        ':until': Math.max(grace_until, graceUntil),
        ...(keys_version > 0 && { ':read': keys_version }),
      },
    },
  };
}

/** Writes that let a key expire at `endsAt` (epoch ms), for another one. They fail if it has ended or was replaced. */
export async function replaceWrites(keyId: string, successor: string, endsAt: number): Promise<Write[]> {
  const key = await stored(keyId);
  if (!key) return [];
  return [keys.bearer(key.lookup_hash), keys.apiKey(key.workspace_id, keyId)].map((Key) => ({
    Update: {
      TableName: tableName(),
      Key,
      UpdateExpression: 'SET expires_at = :ends, successor = :successor',
      ConditionExpression: `${ACTIVE} AND ${UNROTATED}`,
      ExpressionAttributeValues: { ':ends': endsAt, ':successor': successor, ':now': Date.now() },
    },
  }));
}

/**
 * Write that fails if the key was revoked or has expired, so that nothing that it does takes effect after that; for
 * what it does to keys, also if it was rotated. DynamoDB orders it with the writes to the key: of keys that revoke each
 * other at once, in a pair or a ring, one is first.
 */
export function activeCheck(
  { workspace_id, key_id }: Pick<ApiKey, 'workspace_id' | 'key_id'>,
  { unrotated = false } = {},
): Write {
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key: keys.apiKey(workspace_id, key_id),
      ConditionExpression: unrotated ? `${ACTIVE} AND ${UNROTATED}` : ACTIVE,
      ExpressionAttributeValues: { ':now': Date.now() },
    },
  };
}

/** Saves the UTC day of a key's last use. At most one write of a day takes effect, whatever requests come at once. */
export async function saveUse(lookupHash: string, day: string): Promise<void> {
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: keys.bearer(lookupHash),
    UpdateExpression: 'SET last_used_day = :day',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(last_used_day) OR last_used_day < :day)',
    ExpressionAttributeValues: { ':day': day },
  });
  await takesEffect(table.send(update));
}

/** Deletes the bearer items of all keys, so that none of them authenticates. Safe to repeat. */
export async function deleteBearers(workspaceId: string): Promise<void> {
  const all = await listStored(workspaceId);
  await deleteItems(all.map(({ lookup_hash }) => keys.bearer(lookup_hash)));
}

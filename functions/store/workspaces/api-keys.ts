// API keys. A key itself is never stored: it is found by its keyed hash, and its signing secret is stored encrypted.
import * as z from 'zod';
import { scopes } from '#contract/scopes.ts';
import { uuidOfHex } from '#platform/crypto.ts';
import { type DaySpent, shardedByCounters, spentOnDay, sumKey } from '../money/costs.ts';
import { capacityOf } from '../money/counters.ts';
import { deleteItems } from '../table/erase.ts';
import { getItem, type Item, type Key, queryAll, tableName, transact } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { Workspace } from './workspaces.ts';

export const ApiKey = z.object({
  key_id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  expires_at: z.number().optional(),
  revoked_at: z.number().optional(),
  daily_cost_limit_usd: z.number().optional(),
  created_at: z.number(),
});
export type ApiKey = z.infer<typeof ApiKey>;

const StoredKey = ApiKey.extend({ lookup_hash: z.string(), sealed_secret: z.string() });

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
  /** Runs in flight and free credits of the workspace. */
  in_flight: number;
  credits_free?: number | undefined;
  /** Until then (epoch ms) the cost of a request goes to a shard of the day. */
  sharded_until: number;
}

/** The key of a bearer hash and the workspace that the bearer names. */
export async function findBearer(lookupHash: string, workspaceId: string): Promise<Bearer> {
  const [key, workspace] = await Promise.all(bearerKeys(lookupHash, workspaceId).map(getItem));
  return bearerOf(key, workspace);
}

/** As `findBearer`, with its costs: one read, and a second one on a day that may have shards. */
export function findBearerWithCosts(lookupHash: string, workspaceId: string): Promise<Bearer & Costs> {
  return withCosts(keys.bearer(lookupHash), workspaceId);
}

async function withCosts(ofKey: Key, workspaceId: string): Promise<Bearer & Costs> {
  const atMs = Date.now();
  const [key, workspace, counters, sum] = await Promise.all(
    [ofKey, keys.workspace(workspaceId), keys.counters(workspaceId), sumKey(workspaceId, atMs)].map(getItem),
  );
  const day = { workspaceId, keyId: String(key?.key_id), atMs };
  return {
    ...bearerOf(key, workspace),
    spent_today: await spentOnDay(day, counters, sum),
    ...capacityOf(counters),
    sharded_until: shardedByCounters(counters),
  };
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
export async function create(key: ApiKey, lookupHash: string, sealedSecret: string): Promise<void> {
  await transact([
    { Put: { TableName: tableName(), Item: { ...keys.bearer(lookupHash), ...key } } },
    {
      Put: {
        TableName: tableName(),
        Item: {
          ...keys.apiKey(key.workspace_id, key.key_id),
          ...key,
          lookup_hash: lookupHash,
          sealed_secret: sealedSecret,
        },
      },
    },
  ]);
}

async function stored(keyId: string): Promise<z.infer<typeof StoredKey> | undefined> {
  const workspaceId = workspaceOfKey(keyId);
  if (!workspaceId) return undefined;
  const item = await getItem(keys.apiKey(workspaceId, keyId));
  return item && StoredKey.parse(item);
}

/** The key of an id, without its secret. */
export async function getById(keyId: string): Promise<ApiKey | undefined> {
  const key = await stored(keyId);
  return key && ApiKey.parse(key);
}

/** The encrypted signing secret of a key, revoked or not. Throws if the key never existed. */
export async function sealedSecretOf(keyId: string): Promise<string> {
  const key = await stored(keyId);
  if (!key) throw new Error(`key ${keyId} does not exist`);
  return key.sealed_secret;
}

/** Revokes a key and returns it; undefined if it does not exist. Safe to repeat. */
export async function revoke(keyId: string, atMs: number): Promise<ApiKey | undefined> {
  const key = await stored(keyId);
  if (!key) return undefined;
  if (key.revoked_at !== undefined) return ApiKey.parse(key);
  const set = { UpdateExpression: 'SET revoked_at = :at', ExpressionAttributeValues: { ':at': atMs } };
  await transact([
    { Update: { TableName: tableName(), Key: keys.bearer(key.lookup_hash), ...set } },
    { Update: { TableName: tableName(), Key: keys.apiKey(key.workspace_id, keyId), ...set } },
  ]);
  return ApiKey.parse({ ...key, revoked_at: atMs });
}

/** All keys of a workspace. */
export async function list(workspaceId: string): Promise<ApiKey[]> {
  return (await queryAll(keys.apiKeys(workspaceId))).map((item) => ApiKey.parse(item));
}

/** Deletes the bearer items of all keys, so that none of them authenticates. Safe to repeat. */
export async function deleteBearers(workspaceId: string): Promise<void> {
  const all = (await queryAll(keys.apiKeys(workspaceId))).map((item) => StoredKey.parse(item));
  await deleteItems(all.map(({ lookup_hash }) => keys.bearer(lookup_hash)));
}

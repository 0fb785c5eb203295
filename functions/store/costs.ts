// Money spent by day: per workspace and per key, in 1e-12 USD. Sharded, so that many runs may add to one day at once.
import { newId } from '#platform/ids.ts';
import { expiryOf } from './expiry.ts';
import { getItems, type Item, type Key, tableName, transact, type Write } from './table.ts';
import { keys } from './table-keys.ts';

/** Commits of one workspace that meet on a shard conflict, and a commit that gives up repeats its model call. */
const SHARDS = 16;
const DAY_MS = 24 * 3600 * 1000;

/** The UTC day of a time, as `2026-11-20`. */
function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Epoch ms of the next UTC midnight after a time. */
export function nextUtcDay(ms: number): number {
  return (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
}

/** Write that adds a run's cost to its workspace's and its key's day. A run always adds to one shard. */
export function costWrite(
  run: { workspace_id: string; id: string; key_id: string },
  picoUsd: bigint,
  atMs: number,
): Write {
  const shard = Number.parseInt(run.id.slice(-1), 16) % SHARDS;
  return {
    Update: {
      TableName: tableName(),
      Key: keys.cost(run.workspace_id, utcDay(atMs), shard),
      UpdateExpression: 'SET expires_at_seconds = :end ADD spent :cost, #key :cost',
      ExpressionAttributeNames: { '#key': run.key_id },
      ExpressionAttributeValues: {
        ':cost': picoUsd,
        ':end': expiryOf('day_cost', nextUtcDay(atMs)).expires_at_seconds,
      },
    },
  };
}

/** Adds what belongs to no commit of a run, before it returns. As a transaction: the SDK may repeat it, and the table knows it again. */
export async function addCost(
  payer: { workspace_id: string; key_id: string },
  picoUsd: bigint,
  atMs: number,
): Promise<void> {
  if (picoUsd > 0n) await transact([costWrite({ ...payer, id: newId() }, picoUsd, atMs)]);
}

/** Keys of the items that hold what a workspace spent on the UTC day of `atMs`. */
export function costKeys(workspaceId: string, atMs: number): Key[] {
  return Array.from({ length: SHARDS }, (_, shard) => keys.cost(workspaceId, utcDay(atMs), shard));
}

/** Sums up those items: spent by the workspace, and by one key; 1e-12 USD. */
export function sumCosts(items: Item[], keyId: string): { workspace: bigint; key: bigint } {
  const sum = (name: string) => items.reduce((total, item) => total + toBigInt(item[name]), 0n);
  return { workspace: sum('spent'), key: sum(keyId) };
}

function toBigInt(value: unknown): bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : 0n;
}

/** What a workspace spent since the last UTC midnight, 1e-12 USD. */
export async function spentToday(workspaceId: string, nowMs: number): Promise<bigint> {
  return sumCosts(await getItems(costKeys(workspaceId, nowMs)), '').workspace;
}

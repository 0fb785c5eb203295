// Money spent by day, per workspace and per key, in 1e-12 USD. One item is the sum of a day; a create reads it together
// with the counters. The commit that ends a run adds its cost to the counters, which it updates anyway. Only runs among
// many others add to shards, and the counters say how long shards may exist, so other readers skip them.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { newId } from '#platform/ids.ts';
import { observe } from '#platform/observations.ts';
import { expiryOf } from '../table/expiry.ts';
import {
  getItem,
  getItems,
  type Item,
  type Key,
  queryAll,
  table,
  tableName,
  transact,
  type Write,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** Concurrent commits conflict on a shared item, and a commit that gives up repeats its model call. */
const SHARDS = 16;
const SUM = 0;
const DAY_MS = 24 * 3600 * 1000;

/** The UTC day of a time, as `2026-11-20`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Epoch ms of the next UTC midnight after a time. */
export function nextUtcDay(ms: number): number {
  return (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
}

/** The daily limit of a key, which never changes, by the key on which its costs are counted. */
export const KeyLimit = z.object({ key_id: z.string(), limit_usd: z.number() });
export type KeyLimit = z.infer<typeof KeyLimit>;

/** Who spends. The successor of a rotated key counts its costs on the first key of the line: they share one limit. */
export interface Spender {
  key_id: string;
  spending_key_id?: string | undefined;
  /** The limits of the keys that it descends from, on which its costs count as well (rules.md: keys 13). */
  bounded_by?: KeyLimit[] | undefined;
}

/** The key on which the costs of a spender are counted first. */
export function spendingKey({ key_id, spending_key_id }: Spender): string {
  return spending_key_id ?? key_id;
}

/** All keys on which the costs of a spender are counted, its own first. */
function countedOn(spender: Spender): string[] {
  return [spendingKey(spender), ...(spender.bounded_by ?? []).map(({ key_id }) => key_id)];
}

/** The part of an update that adds `:cost` to an attribute for each key. */
function addedByKey(spender: Spender, nameOf: (keyId: string) => string) {
  const named = countedOn(spender).map((keyId, i) => [`#key${i}`, nameOf(keyId)] as const);
  return {
    add: named.map(([placeholder]) => `${placeholder} :cost`).join(', '),
    names: Object.fromEntries(named),
  };
}

/** Who pays: a run, or the key of a request. Until `sharded_until` (epoch ms) its costs go to a shard. */
interface Payer extends Spender {
  workspace_id: string;
  id: string;
  sharded_until?: number | undefined;
}

/**
 * Until when a run adds to a shard if it claims its slot at `atMs`, before it is written: the end of the next UTC day.
 */
export function shardedUntil(atMs: number): number {
  return nextUtcDay(atMs) + DAY_MS;
}

/** Until when readers read the shards after such a claim. A day longer, because clocks differ. */
export function shardsReadUntil(atMs: number): number {
  return shardedUntil(atMs) + DAY_MS;
}

/** Until when (epoch ms) a request that reads these counters may add to a shard. */
export function shardedByCounters(counters: Item = {}): number {
  return Number(counters.shards_until ?? 0) - DAY_MS;
}

/** The names under which the counters store their part of a day, for the workspace and for a key. */
const inCounters = {
  prefix: 'spent#',
  workspace: (day: string) => `${inCounters.prefix}${day}`,
  key: (day: string, keyId: string) => `${inCounters.prefix}${day}#${keyId}`,
};

/** The part of an update of the counters that adds a cost to the day of its workspace and its keys. */
export function addedToCounters(
  spender: Spender,
  picoUsd: bigint,
  atMs: number,
): { add: string | undefined; names: Record<string, string>; values: Record<string, unknown> } {
  if (picoUsd === 0n) return { add: undefined, names: {}, values: {} };
  const day = utcDay(atMs);
  const byKey = addedByKey(spender, (keyId) => inCounters.key(day, keyId));
  return {
    add: `#spent :cost, ${byKey.add}`,
    names: { '#spent': inCounters.workspace(day), ...byKey.names },
    values: { ':cost': picoUsd },
  };
}

/** Removes past days from the counters. */
export async function forgetPastDays(workspaceId: string, nowMs: number): Promise<void> {
  const Key = keys.counters(workspaceId);
  const today = inCounters.workspace(utcDay(nowMs));
  const names = Object.keys((await getItem(Key)) ?? {});
  const past = names.filter((name) => name.startsWith(inCounters.prefix) && name < today);
  if (past.length === 0) return;
  const placeholders = past.map((name, i) => [`#past${i}`, name] as const);
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key,
      UpdateExpression: `REMOVE ${placeholders.map(([placeholder]) => placeholder).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(placeholders),
    }),
  );
}

/** Write that adds a cost to the day of its workspace and of its keys. */
export function costWrite(payer: Payer, picoUsd: bigint, atMs: number): Write {
  const isSharded = payer.sharded_until !== undefined && atMs < payer.sharded_until;
  const shard = isSharded ? 1 + (Number.parseInt(payer.id.slice(-1), 16) % SHARDS) : SUM;
  const byKey = addedByKey(payer, (keyId) => keyId);
  return {
    Update: {
      TableName: tableName(),
      Key: keys.cost(payer.workspace_id, utcDay(atMs), shard),
      UpdateExpression: `SET expires_at_seconds = :end ADD spent :cost, ${byKey.add}`,
      ExpressionAttributeNames: byKey.names,
      ExpressionAttributeValues: {
        ':cost': picoUsd,
        ':end': expiryOf('day_cost', nextUtcDay(atMs)).expires_at_seconds,
      },
    },
  };
}

/**
 * Adds a cost that belongs to no commit of a run. A transaction, because the table recognizes one that the SDK repeats.
 */
export async function addCost(payer: Omit<Payer, 'id'>, picoUsd: bigint, atMs: number): Promise<void> {
  if (picoUsd === 0n) return;
  await transact([costWrite({ ...payer, id: newId() }, picoUsd, atMs)]);
  observe({ what: 'cost', pico_usd: picoUsd });
}

/** Key of the sum of the UTC day of `atMs`. */
export function sumKey(workspaceId: string, atMs: number): Key {
  return keys.cost(workspaceId, utcDay(atMs), SUM);
}

/** What was spent on a day, 1e-12 USD. */
export interface DaySpent {
  workspace: bigint;
  key: bigint;
  /** On each key that bounds it, in their order. */
  above?: bigint[];
}

/**
 * What a workspace, and a key of it, spent on the UTC day of `atMs`. `counters` and `sum` must come from one read.
 * Exact: the counters announce shards before the first cost goes to one, and costs only grow.
 */
export async function spentOnDay(
  { workspaceId, spender, atMs }: { workspaceId: string; spender: Spender | undefined; atMs: number },
  counters: Item | undefined,
  sum: Item | undefined,
): Promise<DaySpent> {
  const day = utcDay(atMs);
  // Without counters, as in a purge, the shards have to be read.
  const readUntil = counters ? Number(counters.shards_until) : Number.POSITIVE_INFINITY;
  // A query is billed by its bytes, so the whole day is mostly one unit; each read by key would be one.
  const read = atMs < readUntil ? await queryAll(keys.costs(workspaceId), `${day}#`) : sum ? [sum] : [];
  const total = (name: string, counted: string) =>
    read.reduce((sum, item) => sum + toBigInt(item[name]), toBigInt(counters?.[counted]));
  const [key = 0n, ...above] = (spender ? countedOn(spender) : []).map((keyId) =>
    total(keyId, inCounters.key(day, keyId)),
  );
  return {
    workspace: total('spent', inCounters.workspace(day)),
    key,
    ...(above.length > 0 && { above }),
  };
}

function toBigInt(value: unknown): bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : 0n;
}

/** What a workspace spent since the last UTC midnight, 1e-12 USD. */
export async function spentToday(workspaceId: string, nowMs: number): Promise<bigint> {
  const wanted = [keys.counters(workspaceId), sumKey(workspaceId, nowMs)];
  const items = await getItems(wanted);
  const [counters, sum] = wanted.map(({ sk }) => items.find((item) => item.sk === sk));
  return (await spentOnDay({ workspaceId, spender: undefined, atMs: nowMs }, counters, sum)).workspace;
}

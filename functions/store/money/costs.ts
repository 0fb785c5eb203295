// Money spent by day, per workspace and per key, in 1e-12 USD. A day has several items, its shards: the costs of a run
// go to one of them, and a reader adds up all, in the batch in which it reads the workspace.
import * as z from 'zod';
import { newId } from '#platform/ids.ts';
import { observe } from '#platform/observations.ts';
import { expiryOf } from '../table/expiry.ts';
import { getItems, type Item, type Key, tableName, transact, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { dayInCounters } from './earlier-days.ts';

/** Concurrent commits conflict on a shared item, and a commit that gives up repeats its model call. */
const SHARDS = 17;
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

/** Who pays: a run, or the key of a request. */
interface Payer extends Spender {
  workspace_id: string;
  id: string;
}

/** The shard of a payer, by the end of its id, which is hexadecimal and random. */
const shardOf = (id: string) => Number.parseInt(id.slice(-4), 16) % SHARDS;

/** Write that adds a cost to the day of its workspace and of its keys. */
export function costWrite(payer: Payer, picoUsd: bigint, atMs: number): Write {
  const counted = countedOn(payer).map((keyId, i) => [`#key${i}`, keyId] as const);
  const added = ['spent', ...counted.map(([placeholder]) => placeholder)].map((name) => `${name} :cost`);
  return {
    Update: {
      TableName: tableName(),
      Key: keys.cost(payer.workspace_id, utcDay(atMs), shardOf(payer.id)),
      UpdateExpression: `SET expires_at_seconds = :end ADD ${added.join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(counted),
      ExpressionAttributeValues: {
        ':cost': picoUsd,
        ':end': expiryOf('day_cost', nextUtcDay(atMs)).expires_at_seconds,
      },
    },
  };
}

/**
 * Adds a cost that belongs to no commit of a run. A transaction, because the table recognizes one that is repeated: by
 * the SDK, or within ten minutes by a call with the same arguments and `token`.
 */
export async function addCost(
  payer: Omit<Payer, 'id'>,
  picoUsd: bigint,
  atMs: number,
  token = newId(),
): Promise<void> {
  if (picoUsd === 0n) return;
  await transact([costWrite({ ...payer, id: token }, picoUsd, atMs)], { token });
  observe({ what: 'cost', pico_usd: picoUsd });
}

/** Keys of the items that have what a workspace spent on the UTC day of `atMs`: its counters, and the shards. */
export function costKeys(workspaceId: string, atMs: number): Key[] {
  const day = utcDay(atMs);
  const shards = Array.from({ length: SHARDS }, (_, shard) => keys.cost(workspaceId, day, shard));
  return [keys.counters(workspaceId), ...shards];
}

/** What was spent on a day, 1e-12 USD. */
export interface DaySpent {
  workspace: bigint;
  key: bigint;
  /** On each key that bounds it, in their order. */
  above?: bigint[];
}

/** What a workspace, and a key of it, spent on the UTC day of `atMs`, by the items of `costKeys` that exist. */
export function spentOnDay(
  spender: Spender | undefined,
  atMs: number,
  [counters, ...shards]: (Item | undefined)[],
): DaySpent {
  const parts = [dayInCounters(counters, utcDay(atMs)), ...shards];
  const total = (name: string) => parts.reduce((sum, part) => sum + toBigInt(part?.[name]), 0n);
  const [key = 0n, ...above] = (spender ? countedOn(spender) : []).map(total);
  return { workspace: total('spent'), key, ...(above.length > 0 && { above }) };
}

function toBigInt(value: unknown): bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : 0n;
}

/** What a workspace spent since the last UTC midnight, 1e-12 USD. */
export async function spentToday(workspaceId: string, nowMs: number): Promise<bigint> {
  const wanted = costKeys(workspaceId, nowMs);
  const items = await getItems(wanted);
  const parts = wanted.map(({ sk }) => items.find((item) => item.sk === sk));
  return spentOnDay(undefined, nowMs, parts).workspace;
}

// What the runs of a day came to, in sum, so that the usage of weeks is read in some items. A sum is made of what the
// runs of its day say, as often as one of them changes: nothing is ever added to it, so nothing counts twice.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { InputType, RunStatus } from '#contract/runs.ts';
import { newNonce } from '#platform/ids.ts';
import { utcDay } from '../money/costs.ts';
import { expiryOf } from '../table/expiry.ts';
import {
  getItem,
  type Item,
  Key,
  queryBetween,
  table,
  tableName,
  takesEffect,
  type Write,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The beginning of a UTC day, as `2026-11-20`; epoch ms. */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The UTC day so many days later; earlier, if negative. */
export const dayAfter = (day: string, count = 1): string => utcDay(startOfDay(day) + count * DAY_MS);

/** The last UTC day that is summed up: runs of later ones still change all the time. */
export const lastSummedDay = (nowMs: number): string => utcDay(nowMs - 2 * DAY_MS);

/**
 * Writes that say that a run of a day which may be summed up has changed, or that it was counted otherwise. One item
 * for each change: one item for all changes of a day would have them wait for each other.
 */
export function usageChangeWrites(
  run: { workspace_id: string; id: string; created_at: number; version: number },
  nowMs: number,
): Write[] {
  const day = utcDay(run.created_at);
  if (day > lastSummedDay(nowMs)) return [];
  const Item = {
    ...keys.usageChange(run.workspace_id, day, run.id, run.version),
    ...expiryOf('usage', run.created_at),
  };
  return [{ Put: { TableName: tableName(), Item } }];
}

/** Runs that agree in all by which they can be grouped, and what they came to. */
export const UsageSum = z.object({
  status: RunStatus,
  input_type: InputType,
  key_id: z.string(),
  monitor_id: z.string().optional(),
  model: z.string().optional(),
  runs: z.number(),
  pico_usd: z.string(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** How long those that ended took, and how many took as long. */
  durations: z.array(z.tuple([z.number(), z.number()])),
});
export type UsageSum = z.infer<typeof UsageSum>;

/** Without sums: the day is read run by run. */
const SumsOfDay = z.object({ sk: z.string(), sums: z.instanceof(Uint8Array).optional() });

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** The days from `first` to `last` that are summed up, without those of which a run has changed since. */
export async function summedDays(
  workspaceId: string,
  first: string,
  last: string,
): Promise<Map<string, UsageSum[]>> {
  // First the changes: they are removed after the sums that have them are written.
  const changed = new Set((await changesOf(workspaceId, first, last)).map(dayOfChange));
  const days = new Map<string, UsageSum[]>();
  for await (const item of queryBetween(keys.usageDays(workspaceId), first, `${last}~`)) {
    const { sk, sums } = SumsOfDay.parse(item);
    if (sums && !changed.has(sk))
      days.set(sk, z.array(UsageSum).parse(JSON.parse(String(await unzip(sums)))));
  }
  return days;
}

/** The changes of runs that were created from the day `first` to the day `last`. */
export async function changesOf(workspaceId: string, first: string, last: string): Promise<Key[]> {
  const changes: Key[] = [];
  for await (const item of queryBetween(keys.usageChanges(workspaceId), first, `${last}~`))
    changes.push(Key.parse(item));
  return changes;
}

/** The day of the run of a change. */
export const dayOfChange = ({ sk }: Key): string => sk.slice(0, '2026-11-20'.length);

/** Which sums a day has now; undefined: none. */
export async function versionOfDay(workspaceId: string, day: string): Promise<string | undefined> {
  const item = await getItem(keys.usageDay(workspaceId, day));
  return item && String(item.version);
}

/** What an item has room for. The sums of a day of more kinds of runs are left out. */
const SUMS_MAX_BYTES = 350_000;

/** Saves the sums of a day that has none, or those of `seen`. False if another sweep was faster. */
export async function saveDay(
  workspaceId: string,
  day: string,
  sums: UsageSum[],
  seen: string | undefined,
): Promise<boolean> {
  const packed = await zip(JSON.stringify(sums));
  const Item: Item = {
    ...keys.usageDay(workspaceId, day),
    ...{ version: newNonce(), sums: packed.length > SUMS_MAX_BYTES ? undefined : packed },
    ...expiryOf('usage', startOfDay(day)),
  };
  const unseen = { ConditionExpression: 'attribute_not_exists(pk)' };
  const asSeen = {
    ConditionExpression: '#version = :seen',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':seen': seen },
  };
  const put = { TableName: tableName(), Item, ...(seen === undefined ? unseen : asSeen) };
  return takesEffect(table.send(new PutCommand(put)));
}

const State = z.object({ summed_to: z.string() });

/** The last day up to which the sweep has summed up all days; undefined: none yet. */
export async function summedTo(workspaceId: string): Promise<string | undefined> {
  const item = await getItem(keys.usageState(workspaceId));
  return item && State.parse(item).summed_to;
}

/** Saves how far the sweep has come. An older word only makes it sum up a day once more. */
export async function saveSummedTo(workspaceId: string, day: string): Promise<void> {
  const Item = { ...keys.usageState(workspaceId), summed_to: day };
  await table.send(new PutCommand({ TableName: tableName(), Item }));
}

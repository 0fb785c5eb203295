// The usage of a workspace by day and other groups (rules.md: usage 12). Days that the sweep has summed up are read as
// sums, others run by run.
import type * as z from 'zod';
import { limits } from '#contract/limits.ts';
import type { UsageList, UsageQuery } from '#contract/workspace-usage.ts';
import { DaySums, rowsOf } from '#domain/billing/usage-sums.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { settleAll } from '#platform/settle-all.ts';
import { utcDay } from '#store/money/costs.ts';
import { countEnded, runsInFlight } from '#store/runs/counted-runs.ts';
import { dayAfter, startOfDay, summedDays, type UsageSum } from '#store/runs/usage-days.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Days that are read run by run are read together, but not too many: their runs would fill the memory. */
const STRETCH_DAYS = 7;
const STRETCHES_AT_ONCE = 2;

/** The days of a query, in order. Throws schema_validation_failed. */
function daysOf({ from, to }: z.output<typeof UsageQuery>, now: number): string[] {
  const last = to ?? utcDay(now);
  const first = from ?? dayAfter(last, 1 - limits.usage_days_default);
  const count = (startOfDay(last) - startOfDay(first)) / DAY_MS + 1;
  if (count < 1) throw wrongParam('from', `at most ${last}`, first, `\`from\` is after ${last}`);
  if (count > limits.usage_days_max) {
    const expected = `at most ${limits.usage_days_max} days`;
    throw wrongParam('from', expected, String(count), `${count} days are too many: ${expected}`);
  }
  return Array.from({ length: count }, (_, i) => dayAfter(first, i));
}

/** What the runs of some days came to. Throws schema_validation_failed. */
export async function reportUsage(
  workspaceId: string,
  query: z.output<typeof UsageQuery>,
  now: number,
): Promise<z.output<typeof UsageList>> {
  const { by = ['day'] } = query;
  const days = daysOf(query, now);
  const rows = rowsOf(await sumsOf(workspaceId, days), by);
  if (rows.length > limits.usage_rows_max) {
    const expected = `at most ${limits.usage_rows_max} groups`;
    throw wrongParam('by', expected, String(rows.length), `${rows.length} groups are too many: ${expected}`);
  }
  return { object: 'list', data: rows };
}

/** The sums of each of the days. */
async function sumsOf(workspaceId: string, days: string[]): Promise<Map<string, UsageSum[]>> {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  // First: those that end while this reads are in a list by then.
  const flying = new Map((await runsInFlight(workspaceId)).map((run) => [run.counted_as, run]));
  const summed = await summedDays(workspaceId, first, last);
  const read = new Map(days.filter((day) => !summed.has(day)).map((day) => [day, new DaySums()]));
  await settleAll(stretchesOf([...read.keys()]), STRETCHES_AT_ONCE, ([from, to]) =>
    countEnded(workspaceId, from, to, (run) => {
      flying.delete(run.counted_as);
      read.get(utcDay(run.created_at))?.add(run);
    }),
  );
  const current = new Map(days.map((day) => [day, read.get(day) ?? new DaySums()]));
  for (const run of flying.values()) current.get(utcDay(run.created_at))?.add(run);
  return new Map([...current].map(([day, own]) => [day, [...(summed.get(day) ?? []), ...own.sums()]]));
}

/** The days, which are in order, as first and last days of stretches without a gap. */
function stretchesOf(days: string[]): [string, string][] {
  const stretches: [string, string][] = [];
  let length = 0;
  for (const day of days) {
    const open = stretches.at(-1);
    if (open && length < STRETCH_DAYS && dayAfter(open[1]) === day) {
      open[1] = day;
      length += 1;
    } else {
      stretches.push([day, day]);
      length = 1;
    }
  }
  return stretches;
}

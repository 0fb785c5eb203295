// The runs that were created within some days, as they are counted: those that ended by the lists of their status,
// deleted ones, and those in flight.
import { type RunStatus, terminalStatuses } from '#contract/runs.ts';
import { chunks } from '#platform/chunks.ts';
import { readCounters } from '../money/counters.ts';
import { getItems, queryBetween } from '../table/table.ts';
import { keys, runOfPartition } from '../table/table-keys.ts';
import { type CountedRun, countedOfDeleted, countedOfEntry, countedOfRecord } from './run-figures.ts';
import { dayAfter, startOfDay } from './usage-days.ts';

type Count = (run: CountedRun) => void;

/** The entries of a list that were created from the day `first` to the day `last`. */
const entries = (pk: string, first: string, last: string) =>
  queryBetween(pk, keys.listedBefore(startOfDay(first)), keys.listedBefore(startOfDay(dayAfter(last))));

/**
 * Counts each run of these days that has ended, deleted or not, once. The lists are read one page at a time: a day may
 * have a hundred thousand runs.
 */
export async function countEnded(
  workspaceId: string,
  first: string,
  last: string,
  count: Count,
): Promise<void> {
  const seen = new Set<string>();
  const once = (run: CountedRun) => {
    if (seen.has(run.counted_as)) return;
    seen.add(run.counted_as);
    count(run);
  };
  await Promise.all(terminalStatuses.map((status) => countListed(workspaceId, status, [first, last], once)));
  // Last: a run that was deleted meanwhile is here, if it was no longer in any list.
  for await (const item of entries(keys.deletedRuns(workspaceId), first, last)) once(countedOfDeleted(item));
}

/** Counts the runs in the list of a status; those whose entry an earlier release wrote by their records. */
async function countListed(
  workspaceId: string,
  status: RunStatus,
  [first, last]: [string, string],
  count: Count,
): Promise<void> {
  const earlier: string[] = [];
  for await (const item of entries(keys.runsOfStatus(workspaceId, status), first, last)) {
    const run = countedOfEntry(status, item);
    if (run) count(run);
    else earlier.push(String(item.run_id));
  }
  for (const run of await recordsOf(workspaceId, earlier)) count(run);
}

/** The runs that have not ended, whenever they were created. */
export async function runsInFlight(workspaceId: string): Promise<CountedRun[]> {
  const { slots } = await readCounters(workspaceId);
  const holding = await recordsOf(workspaceId, Object.keys(slots));
  return holding.filter(({ status }) => !terminalStatuses.includes(status));
}

const RECORDS_AT_ONCE = 100;

/** The runs of these ids that exist. */
async function recordsOf(workspaceId: string, runIds: string[]): Promise<CountedRun[]> {
  const found: CountedRun[] = [];
  for (const some of chunks(runIds, RECORDS_AT_ONCE)) {
    const items = await getItems(some.map((id) => keys.run(workspaceId, id)));
    found.push(...items.map((item) => countedOfRecord(runOfPartition(String(item.pk)).run_id, item)));
  }
  return found;
}

// Sums up the days of a workspace whose runs have settled, so that its usage is read in some items (rules.md: usage
// 12).
import { retentionDays } from '#contract/retention.ts';
import { DaySums } from '#domain/billing/usage-sums.ts';
import { log } from '#platform/log.ts';
import { utcDay } from '#store/money/costs.ts';
import { countEnded } from '#store/runs/counted-runs.ts';
import type { CountedRun } from '#store/runs/run-figures.ts';
import { firstRunAt } from '#store/runs/run-list.ts';
import * as days from '#store/runs/usage-days.ts';
import { deleteItems } from '#store/table/erase.ts';
import type { SweepTime } from './repair-due.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Before all days. */
const FIRST_DAY = '0';

/** Between the end of a day and its sum: clocks differ, and a commit says by its own clock that a day has changed. */
const CLOCKS_DIFFER_MS = 3600 * 1000;

/** How many days that have changed one visit sums up again: each reads the runs of its day. */
const CHANGED_AT_ONCE = 5;

/** A workspace has its turn in one of these, about once an hour: what is not summed up yet is read run by run. */
const TURNS = 12;
const TURN_MS = 5 * 60_000;

/** Whether the usage of a workspace is looked at now: a sweep of thousands of them has not the time for all. */
export const isUsageTurn = (workspaceId: string, now: number): boolean =>
  Number.parseInt(workspaceId.slice(0, 8), 16) % TURNS === Math.floor(now / TURN_MS) % TURNS;

/**
 * Sums up each day that has settled, and those of which a run has changed since. Safe to repeat, and to die anywhere:
 * the next visit goes on.
 */
export async function sumUpUsage(workspaceId: string, { now, until }: SweepTime): Promise<void> {
  const last = days.lastSummedDay(now - CLOCKS_DIFFER_MS);
  const summedTo = await days.summedTo(workspaceId);
  if (summedTo === undefined || summedTo < last) {
    const started = summedTo ?? (await dayBeforeRuns(workspaceId, now));
    for (let day = days.dayAfter(started); day <= last; day = days.dayAfter(day)) {
      if (Date.now() >= until) return;
      await sumUpDay(workspaceId, day, until);
      await days.saveSummedTo(workspaceId, day);
    }
    if (started >= last) await days.saveSummedTo(workspaceId, last);
  }
  const changes = await days.changesOf(workspaceId, FIRST_DAY, last);
  const changed = [...new Set(changes.map(days.dayOfChange))];
  for (const day of changed.slice(0, CHANGED_AT_ONCE)) {
    if (Date.now() >= until) return;
    await sumUpDay(workspaceId, day, until);
  }
}

/** The day before the first run of a workspace that is still counted. */
async function dayBeforeRuns(workspaceId: string, now: number): Promise<string> {
  const first = (await firstRunAt(workspaceId)) ?? now;
  return utcDay(Math.max(first, now - retentionDays.usage * DAY_MS) - DAY_MS);
}

/** A day with more runs than a sweep has time for, some 500,000, is left to be read run by run. */
async function sumUpDay(workspaceId: string, day: string, until: number): Promise<void> {
  // In this order: what changes after its change was looked for leaves a change that stays.
  const seen = await days.versionOfDay(workspaceId, day);
  const changes = await days.changesOf(workspaceId, day, day);
  const sums = new DaySums();
  const add = (run: CountedRun) => {
    if (Date.now() >= until) throw new OutOfTime();
    sums.add(run);
  };
  try {
    await countEnded(workspaceId, day, day, add);
    if (await days.saveDay(workspaceId, day, sums.sums(), seen)) await deleteItems(changes);
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    log.warn('a day is not summed up', { workspace_id: workspaceId, day });
  }
}

class OutOfTime extends Error {}

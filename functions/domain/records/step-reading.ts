// What one step may read: within its allowance, and only as long as its run goes on.
import { setImmediate as othersGoOn } from 'node:timers/promises';
import { type Allowance, ReadingStopped, stepAllowance, TooCostly } from '#record-index/reading-limits.ts';
import type { LimitedReading } from '#record-index/record-index.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';

/** A long reading looks this often whether its run was canceled. */
const LOOK_MS = 500;

type RunOfStep = Pick<RunRecord, 'workspace_id' | 'id'>;

/** The readings of a step. */
export interface StepReading extends LimitedReading {
  run: RunOfStep;
  /** Does the work of one reading. Until it ends, a cancel of the run fires the signal. */
  watch<T>(work: () => Promise<T>): Promise<T>;
  /** Makes something of each item: a reading too (rules.md: records 15). Throws TooCostly, ReadingStopped. */
  each<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]>;
}

/** The readings of a step of this run, which may still use `left`: without it, it has read nothing yet. */
export function createStepReading(
  { workspace_id, id }: RunOfStep,
  left: Allowance = stepAllowance,
): StepReading {
  const canceled = new AbortController();
  async function look(): Promise<void> {
    const present = await runs.get(workspace_id, id);
    if (!present || present.status === 'canceled') canceled.abort();
  }
  const reading: StepReading = {
    run: { workspace_id, id },
    left: { ...left },
    signal: canceled.signal,
    async watch(work) {
      // A failed look is followed by the next one.
      const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
      try {
        return await work();
      } finally {
        clearInterval(looking);
      }
    },
    each: (items, make) =>
      reading.watch(() => makeEach(items, (item) => withinAllowance(reading, () => make(item)))),
  };
  return reading;
}

/** A long reading pauses this often: only then does it learn of a cancel. */
const PAUSE_EVERY_MS = 10;

async function makeEach<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const made: R[] = [];
  let pauseAt = performance.now() + PAUSE_EVERY_MS;
  for (const item of items) {
    made.push(make(item));
    if (performance.now() < pauseAt) continue;
    await othersGoOn();
    pauseAt = performance.now() + PAUSE_EVERY_MS;
  }
  return made;
}

/** Does a part of a reading. Only its own time counts, not that of the pauses. */
function withinAllowance<T>({ left, signal }: LimitedReading, work: () => T): T {
  if (signal.aborted) throw new ReadingStopped();
  if (left.ms < 0) throw new TooCostly('time', stepAllowance.ms);
  const begun = performance.now();
  try {
    return work();
  } finally {
    left.ms -= performance.now() - begun;
  }
}

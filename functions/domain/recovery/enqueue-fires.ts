// Monitors that are due: the sweep queues a look at each, ahead of time, so that a fire is not as late as the sweep is
// rare. What it queued and was lost is still due at the next sweep.
import { takeUp } from '#domain/marks/marked-monitors.ts';
import { enqueueFire } from '#orchestration/fire-queue.ts';
import { markOfKey } from '#store/monitors/marks.ts';
import { monitorOfKey } from '#store/monitors/monitors.ts';
import { due } from '#store/table/table-keys.ts';
import { type Repairs, repairDue, type SweepTime } from './repair-due.ts';

/** A little longer than the time to the next sweep. */
const AHEAD_MS = 65_000;

/** Queues a message for each monitor that is due before the next sweep, delayed until then. */
export function enqueueFires({ now, until }: SweepTime): Promise<Repairs> {
  return repairDue(due.monitors, { now: now + AHEAD_MS, until }, async (item) => {
    await enqueueFire(monitorOfKey(item), item.due_at - now);
    return { fires_queued: 1 };
  });
}

/** Takes up changes of records whose writer died before it marked the monitors. */
export function takeUpMarks(time: SweepTime): Promise<Repairs> {
  return repairDue(due.marks, time, async (item) => {
    await takeUp(markOfKey(item));
    return { marks_taken_up: 1 };
  });
}

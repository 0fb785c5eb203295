// Monitors that are due: the sweep queues a look at each, ahead of time, so that a fire is not as late as the sweep is
// rare. What it queued and was lost is still due at the next sweep.
import { claimNotice } from '#domain/change-notices/notify-monitors.ts';
import { enqueueFire } from '#orchestration/fire-queue.ts';
import { noticeOfKey } from '#store/monitors/change-notices.ts';
import { monitorOfKey } from '#store/monitors/monitors.ts';
import { due, duePartition } from '#store/table/table-keys.ts';
import { type Repairs, repairDue, type SweepTime } from './repair-due.ts';

/** A little longer than the time to the next sweep. */
const AHEAD_MS = 65_000;

/**
 * How many monitors fire in a second, of each partition of the index and of each workspace in it. Many are due at the
 * full hour: all partitions together fire 240, because Step Functions starts 300 executions a second, and 24 of one
 * workspace, because their runs share its counters.
 */
const FIRES_A_SECOND = { partition: 30, workspace: 3 };
const SECOND_MS = 1000;

/**
 * Queues a message for each monitor that fires before the next sweep, delayed until then (rules.md: monitors 13). Later
 * sweeps find what has not fired in the same order, so a message that is queued again comes at the same time.
 */
export function enqueueFires({ now, until }: SweepTime): Promise<Repairs> {
  const taken = new Map<string, number>();
  return repairDue(due.monitors, { now: now + AHEAD_MS, until }, async (item) => {
    const monitor = monitorOfKey(item);
    const partition = duePartition(due.monitors, monitor.monitor_id);
    let fires_at = Math.max(item.due_at, now);
    while (!hasRoom(taken, Math.floor(fires_at / SECOND_MS), partition, monitor.workspace_id))
      fires_at += SECOND_MS;
    // The next sweep queues it in time.
    if (fires_at > now + AHEAD_MS) return {};
    await enqueueFire(monitor, fires_at - Date.now());
    return { fires_queued: 1 };
  });
}

/** Reserves one of the fires that a second allows; false if all are taken. */
function hasRoom(
  taken: Map<string, number>,
  second: number,
  partition: string,
  workspaceId: string,
): boolean {
  const ofPartition = `${partition} ${second}`;
  const ofWorkspace = `${ofPartition} ${workspaceId}`;
  const [all = 0, own = 0] = [taken.get(ofPartition), taken.get(ofWorkspace)];
  if (all >= FIRES_A_SECOND.partition || own >= FIRES_A_SECOND.workspace) return false;
  taken.set(ofPartition, all + 1).set(ofWorkspace, own + 1);
  return true;
}

/** Takes up changes of records whose writer died before it marked the monitors. */
export function claimNotices(time: SweepTime): Promise<Repairs> {
  return repairDue(due.marks, time, async (item) => {
    await claimNotice(noticeOfKey(item));
    return { marks_taken_up: 1 };
  });
}

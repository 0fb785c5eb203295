// Ends a workspace's work in progress before it is erased.
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { readSlots, reconcileSlots } from '#domain/runs/reconcile-slots.ts';
import { pause } from '#platform/pause.ts';
import { removeCounters } from '#store/money/counters.ts';
import * as heads from '#store/records/record-heads.ts';
import * as runs from '#store/runs/runs.ts';

const POLL_MS = 500;

/**
 * Cancels the runs of a workspace and waits until they and its compaction have ended and `settledAt` (epoch ms) has
 * passed; no run can start after that. `ended` is false when that takes longer than `until` (epoch ms). Safe to repeat.
 */
export async function endWork(
  workspaceId: string,
  { settledAt, until }: { settledAt: number; until: number },
): Promise<{ canceled: number; ended: boolean }> {
  let canceled = 0;
  for (;;) {
    canceled += await cancelAll(workspaceId);
    const now = Date.now();
    if (now >= settledAt && (await isOver(workspaceId, now))) return { canceled, ended: true };
    if (now > until) return { canceled, ended: false };
    await pause(POLL_MS);
  }
}

async function cancelAll(workspaceId: string): Promise<number> {
  const { in_flight } = await readSlots(workspaceId);
  const ids = in_flight.map(({ run_id }) => run_id);
  const open = (await runs.getMany(workspaceId, ids)).filter((run) => !isTerminal(run));
  await Promise.all(open.map(({ id }) => cancelRun(workspaceId, id, undefined)));
  return open.length;
}

/** Whether no work is in progress: a run has a slot until it is finalized, and without counters none gets one. */
async function isOver(workspaceId: string, nowMs: number): Promise<boolean> {
  await reconcileSlots(workspaceId);
  const head = await heads.get(workspaceId);
  if ((head?.compacting_until ?? 0) > nowMs) return false;
  return removeCounters(workspaceId);
}

// The end of a run that a monitor made: what waits for it need not wait for the sweep.
import { enqueueFire } from '#orchestration/fire-queue.ts';
import { monitorOfRun } from '#store/monitors/monitors.ts';
import type { RunRecord } from '#store/runs/run-record.ts';

/** Has the monitor of an ended run looked at; other runs cost nothing. Safe to repeat; the sweep looks every minute. */
export async function pushMonitor(run: RunRecord): Promise<void> {
  const monitor = monitorOfRun(run);
  if (monitor) await enqueueFire(monitor);
}

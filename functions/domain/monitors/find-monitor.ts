// Finding a monitor for a caller: one of another workspace looks like one that does not exist (rules.md: request 4).
import { fail } from '#contract/errors.ts';
import type { CreateRun } from '#contract/runs.ts';
import { isUuid } from '#platform/crypto.ts';
import type { MonitorRecord } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';

/** A monitor with the body of its runs. */
export interface MonitorView {
  monitor: MonitorRecord;
  run: CreateRun;
}

/** The monitor of an id. Throws monitor_not_found. */
export async function findMonitor(workspaceId: string, id: string | undefined): Promise<MonitorView> {
  const view = isUuid(id) ? await monitors.getWithRun(workspaceId, id.toLowerCase()) : undefined;
  if (!view) throw fail('monitor_not_found');
  return view;
}

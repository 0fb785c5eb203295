// Checks the log of an ended run against its state, in production too (rules.md: states 4).
import { faultInLog } from '#domain/runs/log-faults.ts';
import { isUnchanged } from '#domain/runs/transitions.ts';
import { log } from '#platform/log.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { eventId, oldestRetained, readCommits } from '#store/runs/events.ts';
import type { EndedRun } from '#store/runs/run-record.ts';
import { get, StaleRun } from '#store/runs/runs.ts';

/**
 * Whether the log of an ended run is legal, leads to the run, and its end has its delivery. Logs what is wrong, and
 * nothing of what the run contains. Throws StaleRun if the run has changed since it was read.
 */
export async function hasLegalLog(run: EndedRun): Promise<boolean> {
  const { workspace_id, id: run_id } = run;
  const commits = (await readCommits(run)).map(({ events }) => events);
  // The first events may have expired.
  if (run.created_at < oldestRetained(Date.now())) return true;
  const reason = faultInLog(run, commits) ?? (await lacksDelivery(run));
  if (reason === undefined) return true;
  const present = await get(workspace_id, run_id);
  // The run has been deleted since.
  if (!present) return true;
  if (present.version !== run.version) throw new StaleRun(run_id);
  log.error('log illegal', { workspace_id, run_id, reason });
  return false;
}

async function lacksDelivery(run: EndedRun): Promise<string | undefined> {
  const { workspace_id, id: run_id, config, status, last_sequence } = run;
  if (config.callback_url === undefined || status === 'canceled' || isUnchanged(run)) return undefined;
  const delivery = await deliveries.get({ workspace_id, run_id, event_id: eventId(run_id, last_sequence) });
  return delivery ? undefined : 'the end has no delivery';
}

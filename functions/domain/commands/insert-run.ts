// Writing a new run: its transaction, the start of its execution, and what a copy of the same request finds.
import type { EventBody } from '#contract/events.ts';
import type { RunInput } from '#contract/runs.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { startExecution } from '#orchestration/executions.ts';
import { describe, log } from '#platform/log.ts';
import { releaseSlot } from '#store/counters.ts';
import type { IdempotencyKey } from '#store/idempotency.ts';
import { getRunView, type RunView } from '#store/run-views.ts';
import * as runs from '#store/runs.ts';
import { ConditionFailed, type Write } from '#store/table.ts';
import { replayOf } from './idempotency.ts';

/** A run made now, or the one that the same request made before. */
export type Created = RunView & { replayed: boolean };

/** The run that an earlier copy of the request made. */
export async function replay({ caller }: { caller: Caller }, runId: string): Promise<Created> {
  const view = await getRunView(caller.workspace.workspace_id, runId);
  if (!view) throw new Error(`run ${runId} of an idempotency key does not exist`);
  // Whoever made it may have died before it was started; starting it again changes nothing.
  if (view.run.status === 'pending') await start(view.run);
  return { ...view, replayed: true };
}

/** The transaction that makes the run, and the start of its execution; the sweep starts one that a crash in between left unstarted. */
export async function write(
  request: { caller: Caller; idempotency: IdempotencyKey | undefined },
  run: runs.RunRecord,
  input: RunInput,
  events: EventBody[],
  effects: Write[],
): Promise<Created> {
  try {
    const created = await runs.create(run, events, effects);
    await start(created);
    return { run: created, input, replayed: false };
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !request.idempotency) throw error;
    return lostRace(request, run.id, request.idempotency);
  }
}

/** Starts a run's execution. A failure is left to the sweep: the run is acknowledged either way. */
export async function start(run: runs.RunRecord): Promise<void> {
  try {
    await startExecution({ workspace_id: run.workspace_id, run_id: run.id }, run.execution);
  } catch (error) {
    log.warn('execution not started, the sweep will', { run_id: run.id, error: describe(error) });
  }
}

/** A copy of the request was faster, or another request took the key. Nothing of ours may stay claimed. */
async function lostRace(request: { caller: Caller }, runId: string, key: IdempotencyKey): Promise<Created> {
  const { workspace_id } = request.caller.workspace;
  const existing = await getRunView(workspace_id, runId);
  // The slot is the run's own while it is in flight; a claim made after its end is ours and for nothing.
  if (!existing) await releaseSlot(workspace_id, runId, 0);
  else if (existing.run.log_finished)
    await releaseSlot(workspace_id, runId, 0, { after: existing.run.completed_at });
  const made = await replayOf(key);
  if (made === undefined) throw new Error('an idempotency key is claimed without a run');
  return replay(request, made);
}

// Acquiring the lease on a run: this invocation becomes its owner, and the run starts, continues or pauses.
import type { EventBody } from '#contract/events.ts';
import { isSimulated } from '#contract/models.ts';
import type { ExecutionKey } from '#contract/run-keys.ts';
import type { RunInput, Waiting } from '#contract/runs.ts';
import { learnStates } from '#domain/models/known-states.ts';
import { overdue } from '#domain/runs/deadlines.ts';
import { checkpointRun, isReplaced, isTerminal } from '#domain/runs/lifecycle.ts';
import { savedPlan } from '#domain/runs/saved-plan.ts';
import { beginStep, eventHead } from '#domain/runs/step-records.ts';
import { followTrace } from '#domain/runs/trace.ts';
import { canceled, followedBy, forMaintenance, paused } from '#domain/runs/transitions.ts';
import { inMaintenanceNow, waitOf } from '#domain/runs/waits.ts';
import { newNonce } from '#platform/ids.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import type { EndedRun, RunChange, RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { type FirstAttempt, readWork, type Work } from '#store/runs/work.ts';
import { waitsForModel } from '#store/runs/work-time.ts';
import { failOverdue } from './fail-run.ts';
import { finalizeRun } from './finalize-run.ts';
import type { ModelSetting } from './model-calls/model-calls.ts';
import { createDayCheck, type DayCheck } from './model-calls/spending-limits.ts';
import { acquiredLease, type RunLease, startingLease, waitingLease } from './run-lease.ts';

/** A run that wakes this much too early need not wait again. */
const EARLY_MS = 1000;

/** A leased run and its work. */
export interface LeasedRun {
  lease: RunLease;
  input: RunInput;
  plan: SavedPlan | undefined;
  records_head: SeenHead;
  source_names: ReadonlySet<string>;
  first_attempt: FirstAttempt;
  checkDay: DayCheck;
}

/**
 * Makes this invocation the owner of the run: starts it, continues it after a pause, or takes it over from an earlier
 * invocation. Returns what the run waits for, or `end`, if there is nothing to run. Throws StaleRun.
 */
export async function acquireLease(
  key: ExecutionKey,
  { model }: Pick<ModelSetting, 'model'>,
): Promise<'end' | Waiting | LeasedRun> {
  const found = await readWork(key.workspace_id, key.run_id, model.names);
  if (!found) return 'end';
  const { run, input, records_head, source_names, first_attempt, day } = found;
  learnStates(found.endpoints, model.names, found.read_at);
  followTrace(run);
  if (isReplaced(run, key)) return 'end';
  const plan = planOf(found);
  if (isTerminal(run) && !hasRunningStep(run)) return finalizeEnded(run);
  const now = Date.now();
  const late = overdue(run, now);
  if (late) {
    await failOverdue(run, late);
    return 'end';
  }
  const waiting = await stillWaiting(found, plan, now);
  if (waiting) return waiting;
  const checkDay = createDayCheck(run, day);
  // The costs of a run are real as soon as one of its models is.
  const owned = { owner: newNonce(), ...(!model.names.every(isSimulated) && { sim: undefined }) };
  const lease = await leaseOn(run, plan, owned, now);
  return { lease, input, plan, records_head, source_names, first_attempt, checkDay };
}

/**
 * What a run has still to wait for, if anything (rules.md: maintenance 1, waits 3). Maintenance takes the place of a
 * wait for a model.
 */
async function stillWaiting(
  { run, maintenance }: Work,
  plan: SavedPlan | undefined,
  now: number,
): Promise<Waiting | undefined> {
  const waiting = waitOf(run);
  const pauses = run.status === 'pending' && (maintenance || run.pause_requested === true);
  if (pauses) {
    const start = started(run, plan, now);
    const pause = paused(forMaintenance(now));
    const committed = await runs.commit(run, followedBy(start, pause));
    return waitOf(committed) ?? undefined;
  }
  if (!waiting) return undefined;
  // A slice that owns the run may have died before it sent the job.
  if (run.status === 'running' && run.owner !== undefined) return undefined;
  const goesOn = waiting.until !== undefined && waiting.until <= now + EARLY_MS;
  if (run.status === 'running') return goesOn ? undefined : waiting;
  if (maintenance && waitsForModel(run))
    return waitOf(await runs.commit(run, { change: inMaintenanceNow(run, now) })) ?? undefined;
  if (maintenance) return waiting;
  return waiting.until === undefined || goesOn ? undefined : waiting;
}

/** The token of a run that waited for a job is used once. */
const unparked = ({ status }: RunRecord): RunChange =>
  status === 'running' ? { task_token: undefined } : {};

async function leaseOn(
  run: RunRecord,
  plan: SavedPlan | undefined,
  owned: Pick<RunRecord, 'owner' | 'sim'>,
  now: number,
): Promise<RunLease> {
  if (run.status === 'running' || run.status === 'canceled')
    return acquiredLease(await runs.commit(run, { change: { ...owned, ...unparked(run) } }), run);
  const { change, events } = started(run, plan, now);
  const start = { change: { ...change, ...owned }, events };
  if (waitsForModel(run)) return waitingLease(run, start, { change: owned });
  // A model plans the query first, and must not be paid twice. A step in which the run waited goes on.
  if (!plan || run.steps[run.position]?.status === 'running')
    return acquiredLease(await runs.commit(run, start), run);
  const first = beginStep(run.steps, plan, run.position, now);
  const begun = { change: { ...start.change, steps: first.steps }, events: [...events, first.event] };
  return startingLease(run, begun);
}

function planOf(work: Work): SavedPlan | undefined {
  const { input } = work;
  return work.plan ?? (input.input_type === 'plan' ? savedPlan(input.plan) : undefined);
}

/** Whether the step of a canceled run has to finish: its slice is over, or its invocation died (rules.md: cancel 2). */
function hasRunningStep(run: RunRecord): boolean {
  return !run.log_finished && run.steps[run.position]?.status === 'running';
}

/** Finalizes a run that has ended, in case a crash prevented it. */
async function finalizeEnded(run: EndedRun): Promise<'end'> {
  const ended = run.log_finished ? run : await runs.commit(run, canceled(run, null, [], Date.now()));
  if (isTerminal(ended)) await finalizeRun(ended);
  return 'end';
}

/** From pending or paused to running: `run.started`, and the skipped steps. */
function started(
  run: RunRecord,
  plan: SavedPlan | undefined,
  now: number,
): { change: RunChange; events: EventBody[] } {
  const event: EventBody = {
    event_type: 'run.started',
    data: { status: 'running', step_count: plan ? plan.steps.length : null, ...resumeReason(run) },
  };
  return {
    change: {
      status: 'running',
      started_at: run.started_at ?? now,
      wait_error: undefined,
      pause_requested: undefined,
    },
    // The log of a paused run already has its skipped steps.
    events: [event, ...(run.status === 'pending' && plan ? skippedEvents(run, plan) : [])],
  };
}

type Restarted = { resumed?: true; reason?: 'resume' | 'maintenance_over' | 'model_available' };

function resumeReason(run: RunRecord): Restarted {
  if (waitsForModel(run)) return { resumed: true, reason: 'model_available' };
  if (run.status === 'paused') return { resumed: true, reason: 'maintenance_over' };
  return run.resume_count > 0 ? { resumed: true, reason: 'resume' } : {};
}

/** Steps that have a checkpoint: those of the source in a rerun, those done before in a resumed run. */
function skippedEvents(run: RunRecord, plan: SavedPlan): EventBody[] {
  return plan.steps.slice(0, run.position).map((step, position) => {
    const items_out = run.steps[position]?.items_out;
    return {
      event_type: 'step.skipped',
      data: {
        ...eventHead(step, 'skipped'),
        reason: 'checkpoint',
        checkpoint_run_id: checkpointRun(run, position),
        ...(items_out !== undefined && { items_out }),
      },
    };
  });
}

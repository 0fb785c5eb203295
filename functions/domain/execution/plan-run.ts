// Planning a query run: the first thing that its execution does.
import type { RunError, Warning } from '#contract/events.ts';
import type { RunInput } from '#contract/runs.ts';
import { maximumCreditsFrom } from '#domain/billing/credits.ts';
import { withUnpriced } from '#domain/billing/usage.ts';
import { planQuery } from '#domain/planning/plan-query.ts';
import { overdue } from '#domain/runs/deadlines.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { pendingSteps } from '#domain/runs/new-run.ts';
import { runError } from '#domain/runs/run-error.ts';
import { schemaOf } from '#domain/runs/run-output.ts';
import { planFingerprint } from '#domain/runs/saved-plan.ts';
import { beginStep } from '#domain/runs/step-records.ts';
import { canceled, failed, forMaintenance, paused } from '#domain/runs/transitions.ts';
import { awayError, waited } from '#domain/runs/waits.ts';
import { ModelsAway } from '#models/models-away.ts';
import { shortenedWarnings } from '#steps/shortened.ts';
import { readCounters } from '#store/money/counters.ts';
import { setReservation } from '#store/money/slots.ts';
import { savePlan } from '#store/monitors/monitor-plans.ts';
import { monitorOfRun } from '#store/monitors/monitors.ts';
import { planWrite, type SavedPlan } from '#store/runs/inputs.ts';
import { type JournaledCall, PLANNING, readJournal } from '#store/runs/journal.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import { type Write, WriteRefused } from '#store/table/table.ts';
import { finalizeRun } from './finalize-run.ts';
import { ModelCalls, type ModelSetting } from './model-calls/model-calls.ts';
import { type DayCheck, LimitReached } from './model-calls/spending-limits.ts';
import type { RunLease } from './run-lease.ts';
import { commitWithUsage } from './run-step.ts';
import { settleCalls } from './settle-calls.ts';

/**
 * Plans a query and starts its first step. Undefined if the run does not continue: it ended (the model failed, credits
 * were short, a client canceled), or it pauses before its first step. Throws LeaseLost.
 */
export async function planRun(
  lease: RunLease,
  input: RunInput,
  setting: ModelSetting,
  { checkDay, source_names }: { checkDay: DayCheck; source_names: ReadonlySet<string> },
): Promise<SavedPlan | undefined> {
  const calls: ModelCalls = new ModelCalls({
    lease,
    setting,
    checkDay,
    position: PLANNING,
    step_attempt: 1,
    journal: await earlierCalls(lease),
    deadline: Number.POSITIVE_INFINITY,
    commitUsage: async () => void (await commitWithUsage(lease, calls, () => ({ change: {} }))),
  });
  try {
    return await planWith(lease, input, calls, {
      source_names,
      model_wait_seconds: setting.model_wait_seconds,
    });
  } catch (error) {
    // The call is counted, and the next try of the task does not repeat it.
    await settleCalls(lease, calls, (run) => run.plan_fingerprint !== undefined);
    throw error;
  }
}

/** The call of an earlier invocation; a run that this one started has none. */
async function earlierCalls({ found, run }: RunLease): Promise<Map<number, JournaledCall>> {
  if (found.status === 'pending') return new Map();
  return readJournal({ workspace_id: run.workspace_id, run_id: run.id, position: PLANNING });
}

async function planWith(
  lease: RunLease,
  input: RunInput,
  calls: ModelCalls,
  { source_names, model_wait_seconds }: { source_names: ReadonlySet<string>; model_wait_seconds: number },
): Promise<SavedPlan | undefined> {
  const { workspace_id, id, created_at, interpretation = '', config } = lease.run;
  const asked = {
    workspace_id,
    query: input.input_type === 'query' ? input.query : '',
    asked_at: created_at,
    source_names,
    reads_texts: lease.run.no_texts === undefined,
    interpretation,
    unlimited_transform: config.unlimited_transform === true,
    output_schema: schemaOf(input),
    simulated: lease.run.sim === true,
    prompt_bytes: await calls.bytesFor('plan'),
  };
  const drafted = await planQuery(asked, (task, given) => calls.call(task, given)).catch((error: unknown) => {
    if (error instanceof LimitReached) return { error: error.errorAt() };
    if (error instanceof ModelsAway) return { away: error };
    throw error;
  });
  if ('away' in drafted) lease.modelIsAway();
  const planned = 'plan' in drafted ? await reservePlan(lease.run, drafted) : drafted;
  const effects = 'plan' in planned ? [await planWrite(workspace_id, id, planned.plan)] : [];
  const commit = (outcome: Planned, writes: Write[]) =>
    commitWithUsage(lease, calls, (counted) =>
      planTransition(counted, calls, outcome, { effects: writes, model_wait_seconds }),
    );
  const run = await commit(planned, effects).catch((error: unknown) => {
    if (!(error instanceof WriteRefused)) throw error;
    return commit({ error: runError('payload_too_large', { message: 'The plan is too large.' }) }, []);
  });
  // After a crash in between, the monitor's next run makes the plan that it keeps.
  if ('plan' in planned) await keepForMonitor(run, planned);
  if (isTerminal(run)) await finalizeRun(run);
  return run.status === 'running' && 'plan' in planned ? planned.plan : undefined;
}

/** The first plan of a monitor's query is that of all its runs. */
async function keepForMonitor(run: RunRecord, { plan }: { plan: SavedPlan }): Promise<void> {
  const monitor = monitorOfRun(run);
  if (!monitor || !run.fired_by) return;
  const { warnings, interpretation = '' } = run;
  // What this run's calls did says nothing of the next run.
  const lasting = warnings.filter(({ code }) => code !== 'unpriced_usage');
  await savePlan(monitor, run.fired_by.revision, { plan, warnings: lasting, interpretation });
}

/**
 * A plan with the credits reserved for it (undefined if the run draws none), the error that ends the run, or that no
 * model could be asked.
 */
type Planned =
  | { plan: SavedPlan; warnings: Warning[]; reserved: number | undefined }
  | { error: RunError }
  | { away: ModelsAway };

/** What a plan is saved with, and how long its run waits for a model. */
interface PlanSetting {
  effects: Write[];
  model_wait_seconds: number;
}

/**
 * Reserves the maximum cost of the plan before the plan is saved. After a crash in between, planning sets the
 * reservation again, and the end of the run releases what is actually reserved.
 */
async function reservePlan(
  run: RunRecord,
  { plan, warnings }: { plan: SavedPlan; warnings: Warning[] },
): Promise<Planned> {
  if (run.credits_at_most === undefined) return { plan, warnings, reserved: undefined };
  const required = maximumCreditsFrom(plan, 0);
  if (await setReservation(run.workspace_id, run.id, required)) return { plan, warnings, reserved: required };
  const { slots, credits_free = 0 } = await readCounters(run.workspace_id);
  const available = credits_free + (slots[run.id]?.held ?? 0);
  return {
    error: runError('workspace_cost_cap_exceeded', { details: { reason: 'credits', required, available } }),
  };
}

function planTransition(
  run: RunRecord,
  { usage, shortened }: ModelCalls,
  planned: Planned,
  setting: PlanSetting,
): Transition {
  const now = Date.now();
  // When planning goes on, it says its warnings again.
  const wait = 'away' in planned && waited(run, planned.away, setting.model_wait_seconds, now);
  if (wait) return wait;
  const ofPlan = 'plan' in planned ? planned.warnings : [];
  const before = [...run.warnings, ...ofPlan, ...shortenedWarnings(shortened)];
  const warnings = usage.unpriced > 0 ? withUnpriced(before, run.spent.unpriced_calls) : before;
  const after = { ...run, warnings };
  const transition = transitionTo(after, planned, setting.effects, now);
  return { ...transition, change: { warnings, ...transition.change } };
}

function transitionTo(run: RunRecord, planned: Planned, effects: Write[], now: number): Transition {
  if (run.status === 'canceled') return canceled(run, null, [], now);
  if ('error' in planned) return failed(run, planned.error, now);
  if ('away' in planned) return failed(run, awayError(run, planned.away), now);
  return firstStep(run, planned, effects, now);
}

/** Saves the plan and starts its first step, or pauses before it. */
function firstStep(
  run: RunRecord,
  { plan, reserved }: Extract<Planned, { plan: SavedPlan }>,
  effects: Write[],
  now: number,
): Transition {
  const steps = pendingSteps(plan);
  const saved = {
    plan_fingerprint: planFingerprint(plan),
    // The first step counts its calls from zero.
    ...{ journal_spent: undefined, calls_tried: undefined },
    ...(reserved !== undefined && { credits_at_most: reserved }),
  };
  const late = overdue(run, now);
  if (late) {
    const index = steps[0]?.index;
    const planned = { ...run, ...saved, steps };
    const { change, ...rest } = failed(planned, late.errorAt(index), now, { stepIndex: index });
    return {
      ...rest,
      change: { ...saved, steps, ...change },
      effects: [...effects, ...(rest.effects ?? [])],
    };
  }
  if (run.pause_requested) {
    const { change, events } = paused(forMaintenance(now));
    return { change: { ...saved, ...change, steps }, events, effects };
  }
  const first = beginStep(steps, plan, 0, now);
  return { change: { ...saved, steps: first.steps }, events: [first.event], effects };
}

// Planning a query run: the first thing that its execution does.
import type { RunError } from '#contract/events.ts';
import type { RunInput } from '#contract/runs.ts';
import { maximumCreditsFrom } from '#domain/billing/credits.ts';
import { unpricedWarnings } from '#domain/billing/usage.ts';
import { planQuery } from '#domain/planning/plan-query.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { pendingSteps } from '#domain/runs/new-run.ts';
import { runError } from '#domain/runs/run-error.ts';
import { planFingerprint } from '#domain/runs/saved-plan.ts';
import { beginStep } from '#domain/runs/step-records.ts';
import { canceled, failed, paused } from '#domain/runs/transitions.ts';
import { readCounters } from '#store/money/counters.ts';
import { setReservation } from '#store/money/slots.ts';
import { planWrite, type SavedPlan } from '#store/runs/inputs.ts';
import type { RunRecord, Transition } from '#store/runs/runs.ts';
import { finalizeRun } from './finalize-run.ts';
import { callWithRetry } from './model-calls/call-with-retry.ts';
import { CostLimitReached, costLimitFailure } from './model-calls/cost-limit.ts';
import type { ModelSetting } from './model-calls/model-calls.ts';
import { createUsageCounter, type UsageCounter } from './model-calls/usage-counter.ts';
import type { RunLease } from './run-lease.ts';

/**
 * Plans a query and starts its first step. Undefined if the run does not continue: it ended (the model failed, credits
 * were short, a client canceled), or it pauses before its first step. Throws LeaseLost.
 */
export async function planRun(
  lease: RunLease,
  input: RunInput,
  { model, prices }: ModelSetting,
): Promise<SavedPlan | undefined> {
  const usage = createUsageCounter(prices, new Map(), lease.run);
  const planner = { model, counter: usage, step_attempt: 1 };
  const counted = { itemIndex: undefined, count: usage.countDirect };
  const { workspace_id, id, interpretation = '', config } = lease.run;
  const asked = {
    workspace_id,
    query: input.input_type === 'query' ? input.query : '',
    interpretation,
    unlimited_transform: config.unlimited_transform === true,
  };
  const drafted = await planQuery(asked, (task, given) => callWithRetry(planner, task, given, counted)).catch(
    (error: unknown) => {
      if (!(error instanceof CostLimitReached)) throw error;
      return { error: costLimitFailure(error) };
    },
  );
  const planned = 'plan' in drafted ? await reservePlan(lease.run, drafted.plan) : drafted;
  const effects = 'plan' in planned ? [await planWrite(workspace_id, id, planned.plan)] : [];
  const run = await lease.commit((now) => planTransition(now, usage, planned, effects));
  if (isTerminal(run)) await finalizeRun(run);
  return run.status === 'running' && 'plan' in planned ? planned.plan : undefined;
}

/** A plan with the credits reserved for it (undefined if the run draws none), or the error that ends the run. */
type Planned = { plan: SavedPlan; reserved: number | undefined } | { error: RunError };

/**
 * Reserves the maximum cost of the plan before the plan is saved. After a crash in between, planning sets the
 * reservation again, and the end of the run releases what is actually reserved.
 */
async function reservePlan(run: RunRecord, plan: SavedPlan): Promise<Planned> {
  if (run.credits_at_most === undefined) return { plan, reserved: undefined };
  const required = maximumCreditsFrom(plan, 0);
  if (await setReservation(run.workspace_id, run.id, required)) return { plan, reserved: required };
  const { slots, credits_free = 0 } = await readCounters(run.workspace_id);
  const available = credits_free + (slots[run.id]?.held ?? 0);
  return {
    error: runError('workspace_cost_cap_exceeded', { details: { reason: 'credits', required, available } }),
  };
}

function planTransition(
  run: RunRecord,
  counter: UsageCounter,
  planned: Planned,
  planEffects: Transition['effects'],
): Transition {
  const now = Date.now();
  const usage = counter.uncounted(run);
  const { spent } = usage.change;
  const warnings = [...run.warnings, ...unpricedWarnings(counter.unpriced)];
  const after = { ...run, spent, warnings };
  const transition = transitionTo(after, planned, planEffects, now);
  return {
    ...transition,
    change: { spent, warnings, ...transition.change },
    cost: usage.cost,
  };
}

function transitionTo(
  run: RunRecord,
  planned: Planned,
  planEffects: Transition['effects'],
  now: number,
): Transition {
  if (run.status === 'canceled') return canceled(run, null, [], now);
  if ('error' in planned) return failed(run, planned.error, undefined, [], now);
  return firstStep(run, planned, planEffects, now);
}

/** Saves the plan and starts its first step, or pauses before it. */
function firstStep(
  run: RunRecord,
  { plan, reserved }: Extract<Planned, { plan: SavedPlan }>,
  effects: Transition['effects'],
  now: number,
): Transition {
  const steps = pendingSteps(plan);
  const saved = {
    plan_fingerprint: planFingerprint(plan),
    ...(reserved !== undefined && { credits_at_most: reserved }),
  };
  if (run.pause_requested) {
    const { change, events } = paused([]);
    return { change: { ...saved, ...change, steps }, events, effects };
  }
  const first = beginStep(steps, plan, 0, now);
  return { change: { ...saved, steps: first.steps }, events: [first.event], effects };
}

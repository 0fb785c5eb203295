// From a query to its steps: the first thing that the execution of a query run does.
import type { RunError } from '#contract/events.ts';
import type { RunInput } from '#contract/runs.ts';
import { heldFrom } from '#domain/billing/credits.ts';
import { unpricedWarnings } from '#domain/billing/unpriced.ts';
import { planQuery } from '#domain/planning/plan-query.ts';
import { planFingerprint } from '#domain/planning/validate-plan.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { pendingSteps } from '#domain/runs/new-run.ts';
import { runError } from '#domain/runs/run-error.ts';
import { beginStep } from '#domain/runs/step-records.ts';
import { canceled, failed } from '#domain/runs/transitions.ts';
import { readCounters, setReservation } from '#store/counters.ts';
import { planWrite, type SavedPlan } from '#store/inputs.ts';
import type { RunRecord } from '#store/runs.ts';
import { pausedEvent } from './acquire-lease.ts';
import { settle } from './finalize-run.ts';
import { createMeter, type Meter, type ModelSetting } from './model-calls.ts';
import type { Decision, HeldRun } from './run-lease.ts';

/**
 * Plans a query and begins its first step. Undefined when the run does not go on: it ended over this (the model failed, its credits did
 * not suffice, a client canceled), or it pauses before its first step. Throws LostRun.
 */
export async function makePlan(
  held: HeldRun,
  input: RunInput,
  setting: ModelSetting,
  deadline: number,
): Promise<SavedPlan | undefined> {
  const meter = createMeter({
    held,
    setting,
    position: -1,
    step_attempt: 1,
    journal: new Map(),
    deadline,
    onRetry: async () => undefined,
  });
  const asked = {
    workspace_id: held.run.workspace_id,
    query: input.input_type === 'query' ? input.query : '',
    interpretation: held.run.interpretation ?? '',
    unlimited_transform: held.run.config.unlimited_transform === true,
  };
  const planned = await withHold(held.run, await planQuery(asked, (task, given) => meter.call(task, given)));
  const effects =
    'plan' in planned ? [await planWrite(held.run.workspace_id, held.run.id, planned.plan)] : [];
  const run = await held.commit((now) => planDecision(now, meter, planned, effects));
  if (isTerminal(run)) await settle(run);
  return run.status === 'running' && 'plan' in planned ? planned.plan : undefined;
}

type Planned = { plan: SavedPlan; hold: number | undefined } | { error: RunError };

/**
 * Makes the run hold what its plan can cost. The hold changes before the plan is saved: after a crash in between, planning again sets it
 * anew, and an end releases what is really held.
 */
async function withHold(
  run: RunRecord,
  planned: { plan: SavedPlan } | { error: RunError },
): Promise<Planned> {
  if (!('plan' in planned) || run.credits_at_most === undefined) return { hold: undefined, ...planned };
  const hold = heldFrom(planned.plan, 0);
  if (await setReservation(run.workspace_id, run.id, hold)) return { ...planned, hold };
  const { slots, credits_free = 0 } = await readCounters(run.workspace_id);
  const available = credits_free + (slots[run.id]?.held ?? 0);
  return {
    error: runError('workspace_cost_cap_exceeded', {
      details: { reason: 'credits', required: hold, available },
    }),
  };
}

function planDecision(
  run: RunRecord,
  meter: Meter,
  planned: Planned,
  planEffects: Decision['effects'] = [],
): Decision {
  const now = Date.now();
  const dues = meter.dues(run);
  const { spent } = dues.change;
  const warnings = [...run.warnings, ...unpricedWarnings(meter.unpriced)];
  const after = { ...run, spent, warnings };
  const decision =
    run.status === 'canceled'
      ? canceled(after, null, [], now)
      : 'error' in planned
        ? failed(after, planned.error, undefined, [], now)
        : withFirstStep(run, planned, planEffects, now);
  return {
    ...decision,
    change: { spent, warnings, ...decision.change },
    effects: [...dues.effects, ...(decision.effects ?? [])],
  };
}

function withFirstStep(
  run: RunRecord,
  { plan, hold }: Extract<Planned, { plan: SavedPlan }>,
  effects: Decision['effects'],
  now: number,
): Decision {
  const steps = pendingSteps(plan);
  const saved = {
    plan_fingerprint: planFingerprint(plan),
    ...(hold !== undefined && { credits_at_most: hold }),
  };
  if (run.pause_requested) {
    const paused = { status: 'paused', pause_requested: undefined, owner: undefined } as const;
    return { change: { ...saved, ...paused, steps }, events: [pausedEvent], effects };
  }
  const first = beginStep(steps, plan, 0, now);
  return { change: { ...saved, steps: first.steps }, events: [first.event], effects };
}

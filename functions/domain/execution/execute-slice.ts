// One slice of a run: consecutive steps, each committed, until the run ends, pauses, or the slice's time is up.
import type { EventBody, RunError } from '#contract/events.ts';
import type { RunInput } from '#contract/runs.ts';
import { heldFrom } from '#domain/billing/credits.ts';
import { planQuery } from '#domain/plans/plan-query.ts';
import { planFingerprint, savedPlan } from '#domain/plans/prepare.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { pendingSteps } from '#domain/runs/new-run.ts';
import { runError } from '#domain/runs/run-error.ts';
import { newId } from '#platform/ids.ts';
import type { Sources } from '#sources/source.ts';
import { closingMessage } from '#steps/closing.ts';
import { setHold } from '#store/counters.ts';
import { planWrite, type SavedPlan } from '#store/inputs.ts';
import { commit, type RunRecord, retryIfStale, type StepRecord } from '#store/runs.ts';
import { readWork, type Work } from '#store/work.ts';
import { canceled, failed, settle, succeeded } from './ending.ts';
import { type Decision, type HeldRun, holdRun, LostRun } from './held-run.ts';
import { createMeter, type Meter, type ModelSetting } from './meter.ts';
import {
  checkpointRun,
  completedStep,
  failedStep,
  type PlannedStep,
  runStep,
  type StepOutcome,
  startedStep,
  type Workbench,
} from './run-step.ts';
import { saveOutput } from './saved-output.ts';

export interface SliceSetting extends ModelSetting {
  sourcesFor(run: RunRecord, meter: Meter): Sources;
  /** How long a slice may begin model calls. */
  slice_ms: number;
  steps_per_slice: number | undefined;
}

/** What the state machine does next: another slice, wait for the end of maintenance, or nothing more. */
export type NextAction = 'continue' | 'park' | 'end';

function planOf(work: Work): SavedPlan | undefined {
  const input: RunInput = work.input;
  return work.plan ?? (input.input_type === 'plan' ? savedPlan(input.plan) : undefined);
}

/**
 * Goes on with a run from where the store says it stands. Safe to repeat and to run twice at once: the newer invocation takes
 * the run over and the older one's next commit fails.
 */
export async function executeSlice(
  place: { workspace_id: string; run_id: string },
  setting: SliceSetting,
): Promise<NextAction> {
  const taken = await retryIfStale(() => takeOver(place));
  if (typeof taken === 'string') return taken;
  try {
    return await work(taken, setting);
  } catch (error) {
    if (error instanceof LostRun) return 'end';
    throw error;
  }
}

type Taken = { held: HeldRun; input: RunInput; plan: SavedPlan | undefined; fresh: boolean };

/** Makes this invocation the owner of the run and writes what its going on means: started, over maintenance, or paused. */
async function takeOver(place: { workspace_id: string; run_id: string }): Promise<NextAction | Taken> {
  const found = await readWork(place.workspace_id, place.run_id);
  if (!found) return 'end';
  const { run, input } = found;
  const plan = planOf(found);
  if (isTerminal(run)) return endAgain(run);
  const paused = found.maintenance || run.pause_requested === true;
  if (run.status === 'paused' && found.maintenance) return 'park';
  if (run.status === 'pending' && paused) {
    await commit(run, { status: 'paused', pause_requested: undefined, task_token: undefined }, [pausedEvent]);
    return 'park';
  }
  const owner = newId();
  if (run.status === 'running')
    return { held: holdRun(await commit(run, { owner })), input, plan, fresh: false };
  const { change, events } = begin(run, plan, Date.now());
  return { held: holdRun(await commit(run, { ...change, owner }, events)), input, plan, fresh: true };
}

const pausedEvent: EventBody = {
  event_type: 'run.paused',
  data: { status: 'paused', reason: 'maintenance' },
};

/** A run that has ended: nothing is left but what a crash after its end may have left undone. */
async function endAgain(run: RunRecord): Promise<NextAction> {
  if (run.log_finished) {
    await settle(run);
    return 'end';
  }
  // The invocation that had the step in hand is gone, or its commit will find this one done.
  const step = run.steps[run.position];
  const inHand = step?.status === 'running' ? step.index : null;
  const { change, events } = canceled(run, inHand, [], Date.now());
  await settle(await commit(run, change, events));
  return 'end';
}

/** From pending or paused to running: what is said, what is skipped, and the first step. */
function begin(
  run: RunRecord,
  plan: SavedPlan | undefined,
  now: number,
): { change: Partial<RunRecord>; events: EventBody[] } {
  const step_count = plan ? plan.steps.length : null;
  const resumed =
    run.status === 'paused'
      ? ({ resumed: true, reason: 'maintenance_over' } as const)
      : run.resume_count > 0
        ? ({ resumed: true, reason: 'resume' } as const)
        : {};
  const started: EventBody = {
    event_type: 'run.started',
    data: { status: 'running', step_count, ...resumed },
  };
  const skipped = run.status === 'pending' && plan ? skippedEvents(run, plan) : [];
  const change: Partial<RunRecord> = {
    status: 'running',
    started_at: run.started_at ?? now,
    task_token: undefined,
    pause_requested: undefined,
  };
  if (!plan) return { change, events: [started] };
  const first = beginStep(run.steps, plan, run.position, now);
  return { change: { ...change, steps: first.steps }, events: [started, ...skipped, first.event] };
}

/** Steps whose output is there already: those of the source run in a rerun, those done before in a resumed one. */
function skippedEvents(run: RunRecord, plan: SavedPlan): EventBody[] {
  return plan.steps.slice(0, run.position).map((step, position) => ({
    event_type: 'step.skipped',
    data: {
      step_index: step.index,
      kind: step.kind,
      title: step.title,
      status: 'skipped',
      reason: 'checkpoint',
      checkpoint_run_id: checkpointRun(run, position),
      ...itemsOut(run.steps[position]),
    },
  }));
}

function itemsOut(step: StepRecord | undefined): { items_out?: number } {
  return step?.items_out === undefined ? {} : { items_out: step.items_out };
}

function beginStep(
  steps: StepRecord[],
  plan: SavedPlan,
  position: number,
  now: number,
): { steps: StepRecord[]; event: EventBody } {
  const { record, step } = at(steps, plan, position);
  const started = startedStep(record, step, now);
  return { steps: steps.with(position, started.record), event: started.event };
}

function at(
  steps: StepRecord[],
  plan: SavedPlan,
  position: number,
): { record: StepRecord; step: PlannedStep } {
  const record = steps[position];
  const step = plan.steps[position];
  if (!record || !step) throw new Error(`the plan has no step at position ${position}`);
  return { record, step };
}

async function work(
  { held, input, plan: saved, fresh: begun }: Taken,
  setting: SliceSetting,
): Promise<NextAction> {
  const deadline = Date.now() + setting.slice_ms;
  const plan = saved ?? (await makePlan(held, input, setting, deadline));
  if (!plan) return 'end';
  const bench: Workbench = {
    held,
    plan,
    setting,
    sourcesFor: (meter) => setting.sourcesFor(held.run, meter),
    outputs: new Map(),
    deadline,
  };
  // A plan made just now has begun its first step, too.
  let fresh = begun || !saved;
  for (let done = 0; ; done += 1) {
    if (done > 0 && (Date.now() > deadline || done === setting.steps_per_slice)) return 'continue';
    const position = held.run.position;
    const { record, step } = at(held.run.steps, plan, position);
    const outcome = await runStep(bench, position, step, record, fresh);
    fresh = true;
    const action = await commitOutcome(bench, position, outcome);
    if (action) return action;
  }
}

/** Writes what a step came to. Undefined: the next step has begun. */
async function commitOutcome(
  bench: Workbench,
  position: number,
  outcome: StepOutcome,
): Promise<NextAction | undefined> {
  const { held, plan } = bench;
  if (outcome.kind === 'unfinished') {
    const dues = outcome.meter.dues(held.run);
    await held.commit(() => ({ change: dues.change, effects: dues.effects }));
    return 'continue';
  }
  const saved =
    outcome.kind === 'done'
      ? await saveOutput(
          held.run,
          position,
          at(held.run.steps, plan, position).step.index,
          finished(bench, position, outcome.output),
        )
      : undefined;
  if (outcome.kind === 'done') bench.outputs.set(position, outcome.output);
  const run = await held.commit((before) => {
    const dues = outcome.meter.dues(before);
    const noted: RunRecord = {
      ...before,
      ...dues.change,
      warnings: [...before.warnings, ...outcome.warnings],
      errors: [...before.errors, ...outcome.errors],
    };
    const decision =
      outcome.kind === 'done' && saved
        ? afterStep(noted, plan, position, outcome, saved)
        : afterFailure(noted, plan, position, outcome);
    return {
      ...decision,
      change: { ...pick(noted), ...decision.change },
      effects: [...dues.effects, ...(decision.effects ?? [])],
    };
  });
  if (run.status === 'paused') return 'park';
  if (!isTerminal(run)) return undefined;
  await settle(run);
  return 'end';
}

/** What every step's commit writes besides its own decision. */
function pick({ spent, journal_spent, warnings, errors }: RunRecord): Partial<RunRecord> {
  return { spent, journal_spent, warnings, errors };
}

/** A run whose last step wrote no answer still ends with a message (Contract 4.6). */
function finished(
  bench: Workbench,
  position: number,
  output: Extract<StepOutcome, { kind: 'done' }>['output'],
) {
  const last = position === bench.plan.steps.length - 1;
  if (!last || output.message !== undefined) return output;
  return { ...output, message: output.text ?? closingMessage(bench.plan.title, output.items ?? []) };
}

type Saved = Awaited<ReturnType<typeof saveOutput>>;

function afterStep(
  run: RunRecord,
  plan: SavedPlan,
  position: number,
  outcome: Extract<StepOutcome, { kind: 'done' }>,
  saved: Saved,
): Decision {
  const now = Date.now();
  const { record, step } = at(run.steps, plan, position);
  const completed = completedStep(run, plan, outcome, now)(record, step);
  const after: RunRecord = {
    ...run,
    steps: run.steps.with(position, completed.record),
    position: position + 1,
    journal_spent: undefined,
    artifacts: [...run.artifacts, ...saved.artifacts],
    note_ids: [...run.note_ids, ...saved.note_ids],
    message: saved.message ?? run.message,
  };
  const { steps, artifacts, note_ids, message, journal_spent } = after;
  const change = { steps, artifacts, note_ids, message, journal_spent, position: after.position };
  const done = [...saved.events, completed.event];
  const next = nextDecision(after, plan, step, done, now);
  return {
    ...next,
    change: { ...change, ...next.change },
    effects: [...saved.effects, ...(next.effects ?? [])],
  };
}

function nextDecision(
  after: RunRecord,
  plan: SavedPlan,
  step: PlannedStep,
  done: EventBody[],
  now: number,
): Decision {
  if (after.status === 'canceled') return canceled(after, step.index, done, now);
  if (after.position === plan.steps.length) return succeeded(after, done, now);
  if (after.pause_requested)
    return {
      change: { status: 'paused', pause_requested: undefined, owner: undefined },
      events: [...done, pausedEvent],
    };
  const next = beginStep(after.steps, plan, after.position, now);
  return { change: { steps: next.steps }, events: [...done, next.event] };
}

function afterFailure(run: RunRecord, plan: SavedPlan, position: number, outcome: StepOutcome): Decision {
  if (outcome.kind !== 'failed') throw new Error('only a failed step has a failure');
  const now = Date.now();
  const { record, step } = at(run.steps, plan, position);
  const failure = failedStep(record, step, outcome.error, now);
  const after = { ...run, steps: run.steps.with(position, failure.record) };
  const decision =
    run.status === 'canceled'
      ? canceled(after, step.index, [failure.event], now)
      : failed(after, outcome.error, step.index, [failure.event], now);
  return { ...decision, change: { steps: after.steps, ...decision.change } };
}

/** Plans a query. Undefined when the run ended over it: the model failed, or a client canceled meanwhile. */
async function makePlan(
  held: HeldRun,
  input: RunInput,
  setting: SliceSetting,
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
  const planned = await planQuery(asked, (task, input) => meter.call(task, input));
  const effects =
    'plan' in planned ? [await planWrite(held.run.workspace_id, held.run.id, planned.plan)] : [];
  const hold =
    'plan' in planned && held.run.credits_at_most !== undefined ? heldFrom(planned.plan, 0) : undefined;
  // The hold changes first: after a crash in between, planning again sets it anew, and an end releases what is really held.
  const short = hold !== undefined && !(await setHold(held.run.workspace_id, held.run.id, hold));
  const run = await held.commit((now) =>
    planDecision(now, meter, short ? noCredits(planned) : planned, hold, effects),
  );
  if (!isTerminal(run)) return 'plan' in planned ? planned.plan : undefined;
  await settle(run);
  return undefined;
}

type Planned = { plan: SavedPlan } | { error: RunError };

function noCredits(planned: Planned): Planned {
  return 'plan' in planned
    ? { error: runError('workspace_cost_cap_exceeded', { details: { reason: 'credits' } }) }
    : planned;
}

function planDecision(
  run: RunRecord,
  meter: Meter,
  planned: Planned,
  hold: number | undefined,
  effects: Decision['effects'],
): Decision {
  const now = Date.now();
  const { journal_spent: _, ...spent } = meter.dues(run).change;
  const costs = meter.dues(run).effects;
  if (run.status === 'canceled') {
    const decision = canceled({ ...run, ...spent }, null, [], now);
    return { ...decision, change: { ...spent, ...decision.change }, effects: costs };
  }
  if ('error' in planned) {
    const decision = failed({ ...run, ...spent }, planned.error, undefined, [], now);
    return {
      ...decision,
      change: { ...spent, ...decision.change },
      effects: [...costs, ...(decision.effects ?? [])],
    };
  }
  const first = beginStep(pendingSteps(planned.plan), planned.plan, 0, now);
  const paused = run.pause_requested === true;
  return {
    change: {
      ...spent,
      plan_fingerprint: planFingerprint(planned.plan),
      steps: paused ? pendingSteps(planned.plan) : first.steps,
      ...(hold !== undefined && { credits_at_most: hold }),
      ...(paused && { status: 'paused', pause_requested: undefined, owner: undefined }),
    },
    events: [paused ? pausedEvent : first.event],
    effects: [...costs, ...(effects ?? [])],
  };
}

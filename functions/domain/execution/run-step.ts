// Running one step: gives a kind what it needs, and turns what comes of it into one commit.
import type { EventBody, RunError, Warning } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { type ParamsOf, type StepKind, stepTable } from '#contract/steps.ts';
import { checkpointRun } from '#domain/runs/lifecycle.ts';
import { modelFailure, runError } from '#domain/runs/run-error.ts';
import { eventHead, type PlannedStep, stepAt } from '#domain/runs/step-records.ts';
import { ModelError } from '#models/model.ts';
import { describe, log } from '#platform/log.ts';
import type { Sources } from '#sources/source.ts';
import { runDossier } from '#steps/dossier.ts';
import { steps as kinds } from '#steps/index.ts';
import type { StepContext, StepOutput } from '#steps/step.ts';
import { readCheckpoints } from '#store/checkpoints.ts';
import type { SavedPlan } from '#store/inputs.ts';
import { readJournal } from '#store/journal.ts';
import { createMeter, type Meter, type ModelSetting, SliceOver } from './model-calls.ts';
import { type HeldRun, LostRun } from './run-lease.ts';
import { parseStepOutput } from './step-output.ts';

/** What one run of a step, or of a slice of it, came to. */
export type StepOutcome = { warnings: Warning[]; errors: RunError[]; meter: Meter } & (
  | { kind: 'done'; output: StepOutput }
  | { kind: 'failed'; error: RunError }
  | { kind: 'unfinished' }
);

export interface Workbench {
  held: HeldRun;
  plan: SavedPlan;
  setting: ModelSetting;
  sourcesFor(meter: Meter): Sources;
  /** Outputs that this invocation has seen, by position. */
  outputs: Map<number, StepOutput>;
  /** Epoch ms after which no further model call is begun. */
  deadline: number;
}

const MAX_ITEM_ERRORS = 50;

async function outputAt(bench: Workbench, position: number): Promise<StepOutput> {
  const known = bench.outputs.get(position);
  if (known) return known;
  const { run } = bench.held;
  const place = { workspace_id: run.workspace_id, run_id: checkpointRun(run, position), position };
  const [saved] = await readCheckpoints([place], parseStepOutput);
  const output = saved ?? {};
  bench.outputs.set(position, output);
  return output;
}

/** Commits an event of the step in hand together with what its calls have cost so far. */
async function commitEvent(held: HeldRun, meter: Meter, event: EventBody): Promise<void> {
  let direct = meter.dues(held.run).direct;
  await held.commit((run) => {
    const dues = meter.dues(run);
    direct = dues.direct;
    return { change: dues.change, events: [event], effects: dues.effects };
  });
  meter.settle(direct);
}

function progressWriter(
  held: HeldRun,
  step: PlannedStep,
  options: { items_total: number; items_per_call: number; message: string },
) {
  let writtenAt = Date.now();
  return async (meter: Meter, done: number) => {
    const items_done = Math.min(done * options.items_per_call, options.items_total);
    // At most one a second, and never the last: `step.completed` tells that (Contract 4.7).
    if (items_done === options.items_total || Date.now() - writtenAt < limits.progress_interval_ms) return;
    writtenAt = Date.now();
    const data = {
      step_index: step.index,
      kind: step.kind,
      message: options.message,
      items_done,
      items_total: options.items_total,
    };
    await commitEvent(held, meter, { event_type: 'step.progress', data });
  };
}

/** Runs the step at `position`; `fresh` says that no earlier invocation has begun it. Throws LostRun, and what a crash would be. */
export async function runStep(bench: Workbench, position: number, fresh: boolean): Promise<StepOutcome> {
  const { held, plan } = bench;
  const { run } = held;
  const { record, step } = stepAt(run.steps, plan, position);
  const place = { workspace_id: run.workspace_id, run_id: run.id, position };
  const warnings: Warning[] = [];
  const errors: RunError[] = [];
  const meter: Meter = createMeter({
    held,
    setting: bench.setting,
    position,
    step_attempt: record.attempt,
    journal: fresh && record.attempt === 1 ? new Map() : await readJournal(place),
    deadline: bench.deadline,
    onRetry: ({ attempt, delay_ms, error }) => {
      const data = {
        ...eventHead(step, 'running'),
        attempt,
        max_attempts: limits.model_attempts,
        delay_ms,
        error: modelFailure(error),
      };
      return commitEvent(held, meter, { event_type: 'step.retrying', data });
    },
  });
  const positionOf = (index: number) => plan.steps.findIndex((other) => other.index === index);
  const context: StepContext = {
    index: step.index,
    earlier: plan.steps.slice(0, position).map((other) => other.index),
    title: step.title,
    instructions: step.instructions ?? '',
    params: {},
    run: {
      title: plan.title,
      unlimited_transform: run.config.unlimited_transform === true,
      now: run.created_at,
    },
    sources: bench.sourcesFor(meter),
    outputOf: (index) => outputAt(bench, positionOf(index)),
    call: (task, input) => meter.call(task, input),
    callEach: (task, inputs, options) => {
      const write = progressWriter(held, step, options);
      return meter.callEach(task, inputs, (done) => write(meter, done));
    },
    warn: (warning) => warnings.push({ ...warning, step_index: step.index }),
    itemFailed: (message, details) => {
      if (errors.length < MAX_ITEM_ERRORS) errors.push(itemError(step, message, details));
    },
  };
  try {
    return { kind: 'done', output: await perform(bench, step, context), warnings, errors, meter };
  } catch (error) {
    if (error instanceof SliceOver) return { kind: 'unfinished', warnings, errors, meter };
    if (error instanceof LostRun || isServiceTrouble(error)) throw error;
    return { kind: 'failed', error: stepError(error, step), warnings, errors, meter };
  }
}

async function perform(bench: Workbench, step: PlannedStep, context: StepContext): Promise<StepOutput> {
  const { dossier } = bench.plan;
  if (dossier && step === bench.plan.steps.at(-1)) {
    const [entity] = await context.sources.entities([dossier.entity_id]);
    if (!entity) throw new ModelError('The record of the dossier no longer exists.', false);
    return runDossier(context, { entity, sections: dossier.sections, max_tokens: dossier.max_tokens });
  }
  return performKind(step.kind, context, step.params);
}

function performKind<K extends StepKind>(
  kind: K,
  context: StepContext,
  params: JsonObject,
): Promise<StepOutput> {
  // The schema is looked up by the same kind whose params it describes.
  const parsed = stepTable[kind].params.parse(params) as ParamsOf<K>;
  return kinds[kind]({ ...context, params: parsed });
}

function itemError(step: PlannedStep, message: string, details: JsonObject): RunError {
  return modelFailure(message, { step_index: step.index, ...details });
}

/** A service that we stand on was out of reach: the task is tried again, which a step that failed would not be. */
function isServiceTrouble(error: unknown): boolean {
  return error instanceof Error && '$metadata' in error;
}

function stepError(error: unknown, step: PlannedStep): RunError {
  const details = { step_index: step.index };
  if (error instanceof ModelError) return modelFailure(error.message, details);
  log.error('step failed', { step_kind: step.kind, error: describe(error) });
  return runError('internal_error', { details });
}

// Running one step: its kind gets a context, and its outcome says what to commit.
import type { EventBody, RunError, Warning } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { type ParamsOf, type StepKind, stepTable } from '#contract/steps.ts';
import { RecordsBehind } from '#domain/records/records-behind.ts';
import { checkpointRun } from '#domain/runs/lifecycle.ts';
import { modelFailure, runError } from '#domain/runs/run-error.ts';
import { eventHead, type PlannedStep, stepAt } from '#domain/runs/step-records.ts';
import { ModelError } from '#models/model.ts';
import { describe, log } from '#platform/log.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { ReadingStopped, TooCostly } from '#record-index/reading.ts';
import type { Sources } from '#sources/source.ts';
import { runDossier } from '#steps/dossier.ts';
import { steps as kinds } from '#steps/index.ts';
import type { StepContext, StepOutput } from '#steps/step.ts';
import { readCheckpoints } from '#store/runs/checkpoints.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { type JournaledCall, readJournal } from '#store/runs/journal.ts';
import { StaleRun } from '#store/runs/runs.ts';
import { isRefusal } from '#store/table/table.ts';
import { CostLimitReached, costLimitFailure } from './model-calls/cost-limit.ts';
import { SliceOver } from './model-calls/journaled-calls.ts';
import { createModelCalls, type ModelCalls, type ModelSetting } from './model-calls/model-calls.ts';
import { LeaseLost, type RunLease } from './run-lease.ts';
import { parseStepOutput } from './step-output.ts';

/** The outcome of a step; `unfinished`: the slice ended first. */
export type StepOutcome = { warnings: Warning[]; errors: RunError[]; calls: ModelCalls } & (
  | { kind: 'done'; output: StepOutput }
  | { kind: 'failed'; error: RunError }
  | { kind: 'unfinished' }
);

/** What the steps of one slice share. */
export interface SliceContext {
  lease: RunLease;
  plan: SavedPlan;
  setting: ModelSetting;
  sourcesFor(calls: ModelCalls): Sources;
  /** Outputs that this invocation has produced or read, by position. */
  outputs: Map<number, StepOutput>;
  /** Epoch ms after which no further model call is started. */
  deadline: number;
}

const MAX_ITEM_ERRORS = 50;

async function outputAt(slice: SliceContext, position: number): Promise<StepOutput> {
  const known = slice.outputs.get(position);
  if (known) return known;
  const { run } = slice.lease;
  const key = { workspace_id: run.workspace_id, run_id: checkpointRun(run, position), position };
  const [saved] = await readCheckpoints([key], parseStepOutput);
  const output = saved ?? {};
  slice.outputs.set(position, output);
  return output;
}

/** Commits the cost of the running step's calls so far, with events. */
async function commitUsage(lease: RunLease, { usage }: ModelCalls, ...events: EventBody[]): Promise<void> {
  let { direct } = usage.uncounted(lease.run);
  await lease.commit((run) => {
    const counted = usage.uncounted(run);
    direct = counted.direct;
    return { change: counted.change, events, cost: counted.cost };
  });
  usage.markCounted(direct);
}

function progressWriter(
  lease: RunLease,
  step: PlannedStep,
  options: { items_total: number; items_per_call: number; message: string },
) {
  let writtenAt = Date.now();
  return async (calls: ModelCalls, done: number) => {
    const items_done = Math.min(done * options.items_per_call, options.items_total);
    // At most one a second, and none for the last items: `step.completed` follows (rules.md: events 2).
    if (items_done === options.items_total || Date.now() - writtenAt < limits.progress_interval_ms) return;
    writtenAt = Date.now();
    const data = {
      step_index: step.index,
      kind: step.kind,
      message: options.message,
      items_done,
      items_total: options.items_total,
    };
    await commitUsage(lease, calls, { event_type: 'step.progress', data });
  };
}

/** The calls that earlier invocations of a step made. A step that this invocation started first has none. */
async function earlierCalls({ found, run }: RunLease, position: number): Promise<Map<number, JournaledCall>> {
  const taken = found.steps[position]?.status === 'running';
  if (!taken && run.steps[position]?.attempt === 1) return new Map();
  return readJournal({ workspace_id: run.workspace_id, run_id: run.id, position });
}

/** Runs the step at `position`. Throws LeaseLost, and errors of AWS services. */
export async function runStep(slice: SliceContext, position: number): Promise<StepOutcome> {
  const { lease, plan } = slice;
  const { run } = lease;
  const { record, step } = stepAt(run.steps, plan, position);
  const warnings: Warning[] = [];
  const errors: RunError[] = [];
  const calls: ModelCalls = createModelCalls({
    run,
    setting: slice.setting,
    position,
    step_attempt: record.attempt,
    journal: await earlierCalls(lease, position),
    deadline: slice.deadline,
    onRetry: ({ attempt, delay_ms, error }) => {
      const data = {
        ...eventHead(step, 'running'),
        attempt,
        max_attempts: limits.model_attempts,
        delay_ms,
        error: modelFailure(error),
      };
      return commitUsage(lease, calls, { event_type: 'step.retrying', data });
    },
    beforeCall: () => lease.acquire(),
    commitUsage: () => commitUsage(lease, calls),
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
    sources: slice.sourcesFor(calls),
    outputOf: (index) => outputAt(slice, positionOf(index)),
    call: (task, input) => calls.call(task, input),
    callEach: (task, inputs, options) => {
      const write = progressWriter(lease, step, options);
      return calls.callEach(task, inputs, (done) => write(calls, done));
    },
    warn: (warning) => warnings.push({ ...warning, step_index: step.index }),
    itemFailed: (message, details) => {
      if (errors.length < MAX_ITEM_ERRORS) errors.push(itemError(step, message, details));
    },
  };
  try {
    return { kind: 'done', output: await perform(slice, step, context), warnings, errors, calls };
  } catch (error) {
    if (error instanceof SliceOver) return { kind: 'unfinished', warnings, errors, calls };
    if (error instanceof LeaseLost || error instanceof StaleRun || isTransient(error)) throw error;
    return { kind: 'failed', error: stepError(error, step), warnings, errors, calls };
  }
}

async function perform(slice: SliceContext, step: PlannedStep, context: StepContext): Promise<StepOutput> {
  const { dossier } = slice.plan;
  if (dossier && step === slice.plan.steps.at(-1)) {
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

/** Whether an AWS service failed or the record index is behind: the task is then retried, unlike a failed step. */
function isTransient(error: unknown): boolean {
  if (error instanceof RecordsBehind || error instanceof ServiceTrouble) return true;
  // A write that is too large would be refused again, after model calls that cost again.
  return error instanceof Error && '$metadata' in error && !isRefusal(error);
}

function stepError(error: unknown, step: PlannedStep): RunError {
  const details = { step_index: step.index };
  if (error instanceof CostLimitReached) return costLimitFailure(error, step.index);
  if (error instanceof ModelError) return modelFailure(error.message, details);
  if (error instanceof ReadingStopped) return runError('canceled_by_user', { details });
  if (error instanceof TooCostly) {
    const { reason, limit } = error;
    return runError('step_too_costly', { details: { reason, limit, ...details } });
  }
  log.error('step failed', { step_kind: step.kind, error: describe(error) });
  return runError('internal_error', { details });
}

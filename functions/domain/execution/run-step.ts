// Running one step: its kind gets a context, and its outcome says what to commit.
import { fail } from '#contract/errors.ts';
import type { EventBody, RunError, Warning } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { isSimulated } from '#contract/models.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { type ParamsOf, type StepKind, stepTable } from '#contract/steps.ts';
import { leftMs } from '#domain/runs/deadlines.ts';
import { modelFailure } from '#domain/runs/run-error.ts';
import { outputPosition } from '#domain/runs/run-output.ts';
import { eventHead, type PlannedStep, stepAt } from '#domain/runs/step-records.ts';
import { followedBy } from '#domain/runs/transitions.ts';
import { ModelError, unusable } from '#models/model.ts';
import type { Retry } from '#models/retry.ts';
import type { Sources } from '#sources/source-port.ts';
import { fieldsNamedBy } from '#steps/column-order.ts';
import { runDossier } from '#steps/dossier-step.ts';
import { shortenedWarnings } from '#steps/shortened.ts';
import type { CallProgress, StepContext, StepOutput } from '#steps/step.ts';
import { steps as kinds } from '#steps/step-kinds.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { type JournaledCall, readJournal } from '#store/runs/journal.ts';
import { changedRun, type RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import type { FirstAttempt } from '#store/runs/work.ts';
import { ModelCalls, type ModelSetting } from './model-calls/model-calls.ts';
import { checkDeadline, type DayCheck } from './model-calls/spending-limits.ts';
import type { RunLease } from './run-lease.ts';
import type { LiveReading } from './run-sources.ts';
import { classify, type StepEnd, sourceFailure } from './step-errors.ts';
import type { StepOutputs } from './step-outputs.ts';

/** The outcome of a step. */
export type StepOutcome = { warnings: Warning[]; errors: RunError[] } & (
  | { kind: 'done'; output: StepOutput }
  | Exclude<StepEnd, { kind: 'retry' }>
);

/** What the steps of one slice share. */
export interface SliceContext {
  lease: RunLease;
  plan: SavedPlan;
  output_schema: OutputSchema | undefined;
  /** What was asked, of a run by a query. */
  query: string | undefined;
  setting: ModelSetting;
  checkDay: DayCheck;
  sourcesFor(calls: ModelCalls, step: Omit<LiveReading, 'names'>): Sources;
  outputs: StepOutputs;
  /** For the message of the run's webhook. */
  first_attempt: FirstAttempt;
  /** Epoch ms after which no further model call is started. */
  deadline: number;
}

const MAX_ITEM_ERRORS = 50;

/**
 * Commits the transition that `decide` makes of the run with the cost of the calls so far. Throws as a commit of the
 * lease.
 */
export async function commitWithUsage(
  lease: RunLease,
  calls: Pick<ModelCalls, 'usage' | 'untraced' | 'markTraced'>,
  decide: (counted: RunRecord) => Transition,
): Promise<RunRecord> {
  const { usage, untraced } = calls;
  let last: Transition = { change: {} };
  // A commit that finds the run changed decides again; what counts is the last decision.
  const committed = await lease.commit((run) => {
    const { change, cost } = usage.uncounted(run);
    const decided = decide(changedRun(run, change));
    const hasEvents = decided.events !== undefined && decided.events.length > 0;
    last = followedBy({ change, cost, ...(hasEvents && { traced: untraced }) }, decided);
    return last;
  });
  usage.markCounted();
  if (last.traced) calls.markTraced(untraced);
  return committed;
}

/** Commits the cost of the running step's calls so far, with events. */
async function commitUsage(lease: RunLease, calls: ModelCalls, ...events: EventBody[]): Promise<void> {
  await commitWithUsage(lease, calls, () => ({ change: {}, events }));
}

/**
 * Commits progress with the cost of the calls so far: at most once a second, and not for the last items, because
 * `step.completed` follows (rules.md: events 2).
 */
function createProgress(
  lease: RunLease,
  step: PlannedStep,
  calls: ModelCalls,
  { sizes, message }: CallProgress,
) {
  const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const items_total = total(sizes);
  let writtenAt = Date.now();
  let items_done = 0;
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writtenAt = Date.now();
    const data = { step_index: step.index, kind: step.kind, message, items_done, items_total };
    await commitUsage(lease, calls, { event_type: 'step.progress', data });
  }

  return {
    async onDone(done: number[]): Promise<void> {
      items_done = total(done.map((call) => sizes[call] ?? 0));
      if (items_done === items_total) return;
      const wait_ms = limits.progress_interval_ms - (Date.now() - writtenAt);
      if (wait_ms <= 0) return write();
      // The caps of the day see a cost within a second, however long the next call takes. A failure surfaces on the
      // next commit.
      timer ??= setTimeout(() => void write().catch(() => undefined), wait_ms);
    },
    stop: () => clearTimeout(timer),
  };
}

/** The event of a failed call that is tried again. */
function retrying(step: PlannedStep, { attempt, delay_ms }: Retry, error: RunError): EventBody {
  const data = {
    ...eventHead(step, 'running'),
    attempt,
    max_attempts: limits.model_attempts,
    delay_ms,
    error,
  };
  return { event_type: 'step.retrying', data };
}

/** The failed try of a call as an error of its run. */
function retryError(error: Error, { index }: PlannedStep): RunError {
  const failed = error instanceof ModelError ? error : unusable(error.message);
  return modelFailure(failed, { step_index: index });
}

/** The calls that earlier invocations of a step made. A step that this invocation started first has none. */
async function earlierCalls({ found, run }: RunLease, position: number): Promise<Map<number, JournaledCall>> {
  const taken = found.steps[position]?.status === 'running';
  if (!taken && run.steps[position]?.attempt === 1) return new Map();
  return readJournal({ workspace_id: run.workspace_id, run_id: run.id, position });
}

/** The model calls of the step at `position`. */
export async function callsOf(
  { lease, plan, setting, checkDay, deadline }: SliceContext,
  position: number,
): Promise<ModelCalls> {
  const { record, step } = stepAt(lease.run.steps, plan, position);
  const calls: ModelCalls = new ModelCalls({
    lease,
    setting,
    checkDay,
    position,
    step_attempt: record.attempt,
    journal: await earlierCalls(lease, position),
    deadline,
    onRetry: (retry) => commitUsage(lease, calls, retrying(step, retry, retryError(retry.error, step))),
    commitUsage: () => commitUsage(lease, calls),
  });
  return calls;
}

/** Runs the step at `position`. Throws LeaseLost, and errors of AWS services. */
export async function runStep(
  slice: SliceContext,
  position: number,
  calls: ModelCalls,
): Promise<StepOutcome> {
  const { lease, plan } = slice;
  const { run } = lease;
  const { step } = stepAt(run.steps, plan, position);
  const warnings: Warning[] = [];
  const errors: RunError[] = [];
  const positionOf = (index: number) => plan.steps.findIndex((other) => other.index === index);
  const context: StepContext = {
    index: step.index,
    earlier: plan.steps.slice(0, position).map((other) => other.index),
    title: step.title,
    instructions: step.instructions ?? '',
    params: {},
    run: {
      title: plan.title,
      ...(slice.query !== undefined && { query: slice.query }),
      unlimited_transform: run.config.unlimited_transform === true,
      simulated: isSimulated(slice.setting.model.name),
      now: run.created_at,
      ...(slice.output_schema && { output_schema: slice.output_schema }),
    },
    sources: slice.sourcesFor(calls, {
      step_index: step.index,
      async beforeCall() {
        checkDeadline(lease.run);
        // No other invocation reads the same source.
        await lease.acquire();
      },
      leftMs: () => leftMs(lease.run, Date.now()),
      onRetry: (source, retry) =>
        commitUsage(lease, calls, retrying(step, retry, sourceFailure(source, retry.error, step))),
      onCall: (source, call) => calls.tried({ source, ...call }),
      asking: {
        ...{ lease, position, step_index: step.index },
        begun: lease.found.steps[position]?.status === 'running',
        commit: (decide) => commitWithUsage(lease, calls, decide),
        async checkLimits() {
          checkDeadline(lease.run);
          calls.usage.checkLimit();
          await slice.checkDay(lease.run, calls.usage.cost);
        },
      },
    }),
    namedFields: () => fieldsNamedBy(plan.steps),
    writes_output: position === outputPosition(plan.steps),
    outputOf: (index) => slice.outputs.at(positionOf(index)),
    call: (task, input) => calls.call(task, input),
    callEach: async (task, inputs, shown) => {
      if (!shown) return calls.callEach(task, inputs);
      const progress = createProgress(lease, step, calls, shown);
      return calls.callEach(task, inputs, progress.onDone).finally(progress.stop);
    },
    bytesFor: (task) => calls.bytesFor(task),
    warn: (warning) => warnings.push({ ...warning, step_index: step.index }),
    itemFailed: (error, item) => {
      if (errors.length >= MAX_ITEM_ERRORS) return;
      errors.push(modelFailure(error, { step_index: step.index, ...item }));
    },
  };
  try {
    const output = await perform(slice, step, context);
    for (const warning of shortenedWarnings(calls.shortened)) context.warn(warning);
    return { kind: 'done', output, warnings, errors };
  } catch (error) {
    const reason = classify(error, step);
    if (reason.kind === 'retry') throw error;
    return { ...reason, warnings, errors };
  }
}

async function perform(slice: SliceContext, step: PlannedStep, context: StepContext): Promise<StepOutput> {
  const { dossier } = slice.plan;
  if (dossier && step === slice.plan.steps.at(-1)) {
    const [entity] = await context.sources.entities([dossier.entity_id]);
    if (!entity) throw fail('entity_not_found', { message: 'The record of the dossier no longer exists.' });
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

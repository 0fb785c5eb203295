// The state of a run, folded from its envelope and log. Pure: everything drawn of a run derives from it.
import type { ArtifactSummary, Run, RunError, RunEvent, StepSummary, Usage } from './types.ts';

/** A model call that failed transiently and was retried. */
export interface StepRetry {
  at: number;
  attempt: number;
  max_attempts: number;
  delay_ms: number;
  error: RunError;
}

/** A step with the details that only events have. */
export interface StepState extends StepSummary {
  /** The progress of a running step; removed when it ends. */
  progress?: { items_done: number; items_total: number; message?: string };
  /** Retries of this attempt. */
  retries?: StepRetry[];
}

/** The known state of a run; any envelope is one. Message, notes, warnings and usage come with the next envelope. */
export interface RunState extends Omit<Run, 'steps'> {
  steps: StepState[];
}

/**
 * The state after an event. Start from any envelope of the run, even the one of its creation, and fold the later
 * events, or the whole log: `run.created` starts over. An event of an unknown type changes nothing.
 */
export function reduce(state: RunState, event: RunEvent): RunState {
  switch (event.event_type) {
    case 'run.created':
      return created(state);
    case 'run.pre_validation':
      return state.warnings.length > 0 ? state : { ...state, warnings: event.data.warnings };
    case 'run.started':
      return {
        ...resumed(state),
        ...{ status: 'running', waiting: null, started_at: state.started_at ?? event.occurred_at },
      };
    case 'run.paused':
      return { ...resumed(state), status: 'paused', waiting: waitAfter(event) };
    case 'run.succeeded':
      return ended(state, 'succeeded', event.data, event.data.credits_used);
    case 'run.failed':
      return failed(state, event.data);
    case 'run.canceled':
      return canceled(resumed(state), event.occurred_at);
    case 'artifact.created':
      return { ...state, artifacts: withArtifact(state.artifacts, event.data) };
    case 'step.started':
    case 'step.completed':
    case 'step.failed':
    case 'step.skipped':
    case 'step.retrying':
    case 'step.progress':
      return withStep(state, event);
    default:
      return state;
  }
}

/** Its later times are only in the envelope. */
function waitAfter({ data, occurred_at }: Extract<RunEvent, { event_type: 'run.paused' }>): Run['waiting'] {
  const { reason, resume_at, step_index } = data;
  return {
    ...{ reason, since: occurred_at },
    ...(resume_at !== undefined && { until: resume_at }),
    ...(step_index !== undefined && { step_index }),
  };
}

/** A newer envelope, merged with what only events say about its steps. */
export function withEnvelope(state: RunState, run: Run): RunState {
  const retries = new Map(state.steps.map((step) => [step.index, step.retries]));
  const steps = run.steps.map((step) => {
    const seen = retries.get(step.index);
    return seen ? { ...step, retries: seen } : step;
  });
  return { ...run, steps };
}

/** The state with the pending steps that only an envelope has: a query gets its plan late. */
export function withPlan(state: RunState, run: Run): RunState {
  const known = new Set(state.steps.map(({ index }) => index));
  const planned = run.steps.filter(({ index }) => !known.has(index)).map(pendingStep);
  return { ...state, steps: [...state.steps, ...planned] };
}

/** The run before any event, with what is known of its plan. */
function created(state: RunState): RunState {
  const { completed_at: _, started_at: __, ...rest } = state;
  return {
    ...rest,
    status: 'pending',
    waiting: null,
    // A rerun is created with skipped steps.
    steps: state.steps.map((step) => (step.status === 'skipped' ? step : pendingStep(step))),
    message: null,
    artifacts: [],
    note_ids: [],
    warnings: [],
    errors: [],
    usage: withCredits(state.usage, null),
    resumable: false,
    resume_count: 0,
  };
}

function pendingStep({ index, kind, title }: Pick<StepSummary, 'index' | 'kind' | 'title'>): StepState {
  return { index, kind, title, status: 'pending', attempt: 0 };
}

/** An event on a failed run implies a resume. An envelope from after the resume shows that already. */
function resumed(state: RunState): RunState {
  if (state.status !== 'failed') return state;
  const { completed_at: _, ...rest } = state;
  const open = state.steps.filter(({ status }) => status !== 'completed' && status !== 'skipped');
  const again = new Set(open.map(({ index }) => index));
  return {
    ...rest,
    errors: [],
    warnings: state.warnings.filter(({ step_index }) => step_index === undefined || !again.has(step_index)),
    steps: state.steps.map((step) => (again.has(step.index) ? reopened(step) : step)),
    usage: withCredits(state.usage, null),
    resumable: false,
    resume_count: state.resume_count + 1,
  };
}

/** A step that a resume will run again. */
function reopened({
  error: _,
  duration_ms: __,
  progress: ___,
  retries: ____,
  ...step
}: StepState): StepState {
  return { ...step, status: 'pending' };
}

function ended(
  state: RunState,
  status: 'succeeded' | 'failed',
  { duration_ms }: { duration_ms: number },
  credits: number | undefined,
): RunState {
  const usage = withCredits(state.usage, credits);
  return { ...state, status, waiting: null, completed_at: state.created_at + duration_ms, usage };
}

/** A run may be resumed, and fail again before its start: the second failure has another time. */
function failed(state: RunState, failure: Extract<RunEvent, { event_type: 'run.failed' }>['data']): RunState {
  const isKnown = state.completed_at === state.created_at + failure.duration_ms;
  const before = isKnown ? state : resumed(state);
  return {
    ...ended(before, 'failed', failure, 0),
    errors: appended(before.errors, failure.error),
    resumable: failure.resumable,
  };
}

function canceled(state: RunState, at: number): RunState {
  return {
    ...state,
    status: 'canceled',
    waiting: null,
    completed_at: state.status === 'canceled' ? (state.completed_at ?? at) : at,
    resumable: false,
    steps: state.steps.map((step) =>
      step.status === 'pending' || step.status === 'running' ? settled(step, { status: 'canceled' }) : step,
    ),
  };
}

/** Runs without credits lack these fields. */
function withCredits(usage: Usage, credits_used: number | null | undefined): Usage {
  return usage.credits_at_most === undefined || credits_used === undefined
    ? usage
    : { ...usage, credits_used };
}

function appended(errors: RunError[], error: RunError): RunError[] {
  const last = errors.at(-1);
  return last?.code === error.code && last.message === error.message ? errors : [...errors, error];
}

type ArtifactCreated = Extract<RunEvent, { event_type: 'artifact.created' }>['data'];

function withArtifact(artifacts: ArtifactSummary[], created: ArtifactCreated): ArtifactSummary[] {
  const { artifact_id: id, kind, title, row_count } = created;
  if (artifacts.some((artifact) => artifact.id === id)) return artifacts;
  return [...artifacts, { id, kind, title, ...(row_count !== undefined && { row_count }) }];
}

type StepEvent = Extract<RunEvent, { event_type: `step.${string}` }>;

/** The run with a step changed; the steps of a query are unknown until they start. */
function withStep(state: RunState, event: StepEvent): RunState {
  const { step_index: index, kind } = event.data;
  const known = state.steps.find((step) => step.index === index);
  const title = 'title' in event.data ? event.data.title : '';
  const changed = stepAfter(known ?? pendingStep({ index, kind, title }), event, state.id);
  const others = state.steps.filter((step) => step !== known);
  return { ...state, steps: [...others, changed].sort((a, b) => a.index - b.index) };
}

function stepAfter(step: StepState, event: StepEvent, runId: string): StepState {
  switch (event.event_type) {
    case 'step.started':
      return begun(step, event.data.attempt, event.occurred_at);
    case 'step.completed': {
      const { items_out, duration_ms } = event.data;
      return settled(step, {
        status: 'completed',
        duration_ms,
        ...(items_out !== undefined && { items_out }),
      });
    }
    case 'step.failed':
      return settled(step, {
        status: 'failed',
        duration_ms: event.data.duration_ms,
        error: event.data.error,
      });
    case 'step.skipped': {
      // A checkpoint of this run: the step completed before a resume.
      const status = event.data.checkpoint_run_id === runId ? 'completed' : 'skipped';
      const { items_out } = event.data;
      return settled(step, { status, ...(items_out !== undefined && { items_out }) });
    }
    case 'step.retrying':
      return withRetry(step, event);
    case 'step.progress': {
      const { items_done, items_total, message } = event.data;
      return { ...step, progress: { items_done, items_total, ...(message !== undefined && { message }) } };
    }
  }
}

function begun(step: StepState, attempt: number, at: number): StepState {
  const { error: _, duration_ms: __, progress: ___, retries: ____, ...rest } = step;
  const started_at = step.attempt === attempt ? (step.started_at ?? at) : at;
  return { ...rest, status: 'running', attempt, started_at };
}

function settled(step: StepState, outcome: Partial<StepState>): StepState {
  const { progress: _, ...rest } = step;
  return { ...rest, ...outcome };
}

function withRetry(step: StepState, event: Extract<StepEvent, { event_type: 'step.retrying' }>): StepState {
  const { attempt, max_attempts, delay_ms, error } = event.data;
  const retry = { at: event.occurred_at, attempt, max_attempts, delay_ms, error };
  return { ...step, retries: [...(step.retries ?? []), retry] };
}

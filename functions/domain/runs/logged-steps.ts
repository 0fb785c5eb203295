// The steps of a run as its log reports them, folded event by event.
import * as z from 'zod';
import type { EventType } from '#contract/events.ts';
import type { StepRecord } from '#store/runs/run-record.ts';

/** What events say of a step. */
export interface LoggedStep {
  index: number;
  status: StepRecord['status'];
  attempt: number;
  items_out?: number | undefined;
  duration_ms?: number | undefined;
  /** Code of the error with which it failed. */
  error?: string | undefined;
}

/** An event as far as the fold reads it. */
export interface Folded {
  event_type: EventType;
  data: unknown;
}

const Started = z.object({ attempt: z.number() });
const Ended = z.object({
  duration_ms: z.number(),
  items_out: z.number().optional(),
  error: z.object({ code: z.string() }).optional(),
});
const OfStep = z.object({ step_index: z.number() });

/** The status in which an event may meet its step. */
const expected: Partial<Record<EventType, readonly LoggedStep['status'][]>> = {
  'step.started': ['pending'],
  'step.progress': ['running'],
  'step.retrying': ['running'],
  'step.completed': ['running'],
  'step.failed': ['running'],
  'step.skipped': ['completed', 'skipped'],
};

/** The part of a summary that events report. */
export function loggedStep({
  index,
  status,
  attempt,
  items_out,
  duration_ms,
  error,
}: StepRecord): LoggedStep {
  return { index, status, attempt, items_out, duration_ms, error: error?.code };
}

/** Whether two lists of steps are equal. */
export function sameSteps(some: readonly LoggedStep[], others: readonly LoggedStep[]): boolean {
  return textOf(some) === textOf(others);
}

const textOf = (steps: readonly LoggedStep[]) =>
  JSON.stringify(
    steps.map(({ index, status, attempt, items_out, duration_ms, error }) => [
      ...[index, status, attempt, items_out, duration_ms, error],
    ]),
  );

/** A step that has not begun. */
export const unbegun = (index: number): LoggedStep => ({ index, status: 'pending', attempt: 0 });

/** The steps after an event; undefined if the event cannot follow. */
export function stepsAfter(
  steps: readonly LoggedStep[],
  { event_type, data }: Folded,
): readonly LoggedStep[] | undefined {
  if (event_type === 'run.canceled')
    return steps.map((step) => (isOpen(step) ? { ...step, status: 'canceled' } : step));
  const statuses = expected[event_type];
  if (!statuses) return steps;
  const { step_index } = OfStep.parse(data);
  const position = steps.findIndex(({ index }) => index === step_index);
  const step = steps[position];
  if (!step || !statuses.includes(step.status)) return undefined;
  const after = stepAfter(step, event_type, data);
  return after && steps.with(position, after);
}

function stepAfter(step: LoggedStep, type: EventType, data: unknown): LoggedStep | undefined {
  const { index, attempt, items_out } = step;
  if (type === 'step.started') {
    const started = Started.parse(data);
    const next = { index, status: 'running' as const, attempt: started.attempt, items_out };
    return started.attempt === attempt + 1 ? next : undefined;
  }
  if (type !== 'step.completed' && type !== 'step.failed') return step;
  const { error, ...ended } = Ended.parse(data);
  const status = type === 'step.failed' ? 'failed' : 'completed';
  return { index, status, attempt, items_out, ...ended, error: error?.code };
}

const isOpen = ({ status }: LoggedStep) => status === 'pending' || status === 'running';

/** The steps after a resume, which no event reports: what has no checkpoint will run again. */
export function reopened(steps: readonly LoggedStep[]): LoggedStep[] {
  return steps.map((step) =>
    step.status === 'completed' || step.status === 'skipped'
      ? step
      : { index: step.index, status: 'pending', attempt: step.attempt, items_out: step.items_out },
  );
}

// A step's summary when it starts and ends, each with its event.
import type { EventBody, RunError } from '#contract/events.ts';
import { creditsChargedFor } from '#domain/billing/credits.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import type { RunRecord, StepRecord } from '#store/runs/run-record.ts';

export type PlannedStep = SavedPlan['steps'][number];

/** The new summary of a step, and the event of the change. */
export interface StepChange {
  record: StepRecord;
  event: EventBody;
}

/** The fields that every event of a step has. */
export function eventHead(step: PlannedStep, status: string) {
  return { step_index: step.index, kind: step.kind, title: step.title, status };
}

/** The step at a position: its summary and its plan. Throws when the two do not belong together. */
export function stepAt(
  steps: StepRecord[],
  plan: SavedPlan,
  position: number,
): { record: StepRecord; step: PlannedStep } {
  const record = steps[position];
  const step = plan.steps[position];
  if (!record || !step) throw new Error(`the plan has no step at position ${position}`);
  return { record, step };
}

/** The steps with the one at `position` started, and its event. */
export function beginStep(
  steps: StepRecord[],
  plan: SavedPlan,
  position: number,
  now: number,
): { steps: StepRecord[]; event: EventBody } {
  const { record, step } = stepAt(steps, plan, position);
  const started = startedStep(record, step, now);
  return { steps: steps.with(position, started.record), event: started.event };
}

function startedStep(record: StepRecord, step: PlannedStep, now: number): StepChange {
  const attempt = record.attempt + 1;
  return {
    record: {
      ...record,
      status: 'running',
      attempt,
      started_at: now,
      duration_ms: undefined,
      error: undefined,
    },
    event: { event_type: 'step.started', data: { ...eventHead(step, 'running'), attempt } },
  };
}

/**
 * The step once it is done; `calls` is the number of model calls that it asked for, `itemsOut` the number of items in
 * its output.
 */
export function completedStep(
  run: RunRecord,
  plan: SavedPlan,
  { record, step }: { record: StepRecord; step: PlannedStep },
  outcome: { calls: number; itemsOut: number | undefined; now: number },
): StepChange {
  const duration_ms = Math.max(0, outcome.now - (record.started_at ?? outcome.now));
  const items = outcome.itemsOut === undefined ? {} : { items_out: outcome.itemsOut };
  const charged =
    run.credits_at_most === undefined
      ? {}
      : { credits_charged: creditsChargedFor(plan, step, outcome.calls) };
  return {
    record: { ...record, status: 'completed', duration_ms, ...items, ...charged, error: undefined },
    event: {
      event_type: 'step.completed',
      data: { ...eventHead(step, 'completed'), ...items, duration_ms },
    },
  };
}

/** The step once it has failed. */
export function failedStep(record: StepRecord, error: RunError, now: number): StepChange {
  const { index: step_index, kind, title } = record;
  const duration_ms = Math.max(0, now - (record.started_at ?? now));
  return {
    record: { ...record, status: 'failed', duration_ms, error },
    event: {
      event_type: 'step.failed',
      data: { step_index, kind, title, status: 'failed', error, duration_ms },
    },
  };
}

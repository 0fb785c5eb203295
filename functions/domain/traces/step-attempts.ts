// The attempts of a run's steps, as its log reports them.
import * as z from 'zod';
import type { RunEvent } from '#contract/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';

/** One attempt of a step; times are epoch ms. */
export interface StepAttempt {
  index: number;
  kind: string;
  attempt: number;
  start: number;
  /** Absent while it is running. */
  end?: number;
  /** Code of the error with which it failed. */
  error?: string;
}

const Started = z.object({ step_index: z.number(), kind: z.string(), attempt: z.number() });
const Ended = z.object({
  step_index: z.number(),
  duration_ms: z.number(),
  error: z.object({ code: z.string() }).optional(),
});

/** Every attempt, in order. Of what the log no longer has, the summaries of the steps still have the last one. */
export function stepAttempts(run: RunRecord, events: readonly RunEvent[]): StepAttempt[] {
  const attempts: StepAttempt[] = [];
  const open = new Map<number, StepAttempt>();
  for (const { event_type, data, occurred_at } of events) {
    if (event_type === 'step.started') {
      const { step_index: index, kind, attempt } = Started.parse(data);
      const begun = { index, kind, attempt, start: occurred_at };
      attempts.push(begun);
      open.set(index, begun);
    } else if (event_type === 'step.completed' || event_type === 'step.failed') {
      const { step_index, duration_ms, error } = Ended.parse(data);
      const begun = open.get(step_index);
      if (!begun) continue;
      // The start of a short step is reported with its end.
      begun.start = Math.min(begun.start, occurred_at - duration_ms);
      begun.end = occurred_at;
      if (error) begun.error = error.code;
      open.delete(step_index);
    }
  }
  const known = new Set(attempts.map(({ index, attempt }) => `${index}/${attempt}`));
  const unlogged = run.steps.filter(({ index, attempt }) => !known.has(`${index}/${attempt}`));
  return [...unlogged.flatMap(attemptOf), ...attempts];
}

function attemptOf(step: RunRecord['steps'][number]): StepAttempt[] {
  const { index, kind, attempt, started_at: start, duration_ms, error } = step;
  if (start === undefined) return [];
  const end = duration_ms === undefined ? {} : { end: start + duration_ms };
  return [{ index, kind, attempt, start, ...end, ...(error && { error: error.code }) }];
}

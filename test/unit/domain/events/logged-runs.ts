// Runs whose logs grow event by event.
import type { EventBody } from '#contract/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { commit, create } from '#store/runs/runs.ts';
import { runRecord } from '../../../support/runs.ts';

/** An event that any run may have in mid-log. */
export const progress = (done: number): EventBody => ({
  event_type: 'step.progress',
  data: { step_index: 0, kind: 'transform', items_done: done, items_total: 100 },
});
export const paused: EventBody = {
  event_type: 'run.paused',
  data: { status: 'paused', reason: 'maintenance' },
};
export const succeeded: EventBody = {
  event_type: 'run.succeeded',
  data: { status: 'succeeded', step_count: 1, artifact_count: 0, duration_ms: 1 },
};
export const canceled: EventBody = {
  event_type: 'run.canceled',
  data: { status: 'canceled', reason: 'canceled_by_user', step_index: null },
};
const error = { code: 'internal_error', type: 'internal', message: 'm', doc_url: 'd' } as const;
export const failed: EventBody = {
  event_type: 'run.failed',
  data: { status: 'failed', error, resumable: true, duration_ms: 1 },
};

/** A run whose log begins with `events`. */
export const newRun = (events: EventBody[] = [paused]) => create(runRecord(), events, []);

/** Adds events to a run. */
export const emits = (run: RunRecord, ...events: EventBody[]) => commit(run, { change: {}, events });
/** Ends a run with the event of its end. */
export const ends = (run: RunRecord, event: EventBody) =>
  commit(run, { change: { log_finished: true }, events: [event] });

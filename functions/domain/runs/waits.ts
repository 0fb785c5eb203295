// What a run waits for, and until when (rules.md: waits, jobs).
import type { RunError } from '#contract/events.ts';
import type { Waiting } from '#contract/runs.ts';
import type { ModelsAway } from '#models/models-away.ts';
import type { RunChange, RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import { modelWaitedMs, waitsForModel } from '#store/runs/work-time.ts';
import { leftMs } from './deadlines.ts';
import { modelsAwayFailure } from './run-error.ts';
import { forMaintenance, paused } from './transitions.ts';

/** The planning of a query comes before its steps. */
const PLANNING_INDEX = -1;

/** What a run waits for; null: it does not wait. */
export function waitOf(run: RunRecord): Waiting | null {
  if (run.status === 'running') return run.waiting ?? null;
  if (run.status !== 'paused') return null;
  return run.waiting ?? forMaintenance(run.last_event_at);
}

/** Maintenance that has begun takes the place of a wait for a model (rules.md: waits 3). */
export function inMaintenanceNow(run: RunRecord, now: number): RunChange {
  return waitsForModel(run) ? { waiting: forMaintenance(now) } : {};
}

/** How long the run may still wait for a model at `now`. `stage_seconds`: how long, where its config does not say. */
function patienceMs(run: RunRecord, stage_seconds: number, now: number): number {
  const { model_wait_seconds = stage_seconds } = run.config;
  return model_wait_seconds * 1000 - modelWaitedMs(run, now);
}

/** No model could be asked: the error of a run that waits no longer, with the last words that it has heard. */
export function awayError({ wait_error }: RunRecord, away: ModelsAway, step_index?: number): RunError {
  if (!away.last && wait_error) return wait_error;
  return modelsAwayFailure(away, step_index === undefined ? {} : { step_index });
}

/**
 * The run waits until a call is next worth while, at most to the end of its patience or its deadline. One that waits
 * already goes on waiting, without an event. Undefined: it may wait no longer.
 */
export function waited(
  run: RunRecord,
  away: ModelsAway,
  stage_seconds: number,
  now: number,
): Transition | undefined {
  if (run.status !== 'running' && run.status !== 'paused') return undefined;
  const present = waitOf(run);
  // Maintenance that has begun in the meantime comes first.
  if (present?.reason === 'maintenance') return { change: { owner: undefined } };
  const patience_ms = patienceMs(run, stage_seconds, now);
  if (patience_ms <= 0) return undefined;
  const last = now + Math.min(patience_ms, leftMs(run, now) ?? patience_ms);
  const until = Math.ceil(Math.max(now, Math.min(away.until, last)));
  const step = run.steps[run.position];
  const wait_error = awayError(run, away, step?.index);
  if (present) return { change: { waiting: { ...present, until }, wait_error, owner: undefined } };
  const step_index = step?.index ?? PLANNING_INDEX;
  const { change, events } = paused({ reason: 'model_unavailable', since: now, until, step_index });
  return { change: { ...change, wait_error }, events };
}

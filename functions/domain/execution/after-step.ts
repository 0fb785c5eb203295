// The transition after a step, done or failed: the next step, a pause, or one of the ends.
import type { EventBody, RunError } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { appended } from '#domain/runs/appended.ts';
import { overdue } from '#domain/runs/deadlines.ts';
import { beginStep, completedStep, failedStep, stepAt } from '#domain/runs/step-records.ts';
import { canceled, failed, forMaintenance, paused, succeeded } from '#domain/runs/transitions.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { bothChanges, changedRun, type RunChange, type RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import type { Comparison } from './compare-run.ts';
import type { SavedOutput } from './save-output.ts';

/** A step that is done. */
export interface DoneStep {
  position: number;
  /** How many model calls the step requested. */
  calls: number;
  itemsOut: number | undefined;
  saved: SavedOutput;
  /** Of the last step of a run that a monitor made. */
  comparison?: Comparison | undefined;
}

/** The transition after a finished step. A client's cancel wins over the end of the run, the end over a pause. */
export function afterStep(run: RunRecord, plan: SavedPlan, done: DoneStep): Transition {
  const now = Date.now();
  const { position, saved, comparison } = done;
  const at = stepAt(run.steps, plan, position);
  const completed = completedStep(run, plan, at, { ...done, now });
  const change: RunChange = {
    steps: run.steps.with(position, completed.record),
    position: position + 1,
    journal_spent: undefined,
    calls_tried: undefined,
    artifacts: appended(run.artifacts, saved.artifacts),
    note_ids: appended(run.note_ids, saved.note_ids),
    warnings: appended(
      run.warnings,
      [...saved.warnings, ...(comparison?.warnings ?? [])],
      limits.run_warnings_max,
    ),
    message: saved.message ?? run.message,
    ...(comparison && { changes: comparison.counts }),
  };
  const next = nextOf(changedRun(run, change), plan, at.step.index, [...saved.events, completed.event], now);
  const succeeds = next.change.status === 'succeeded';
  const compared = succeeds ? comparison?.effects([...run.artifacts, ...saved.artifacts]) : undefined;
  return {
    ...next,
    change: bothChanges(change, next.change),
    effects: [...saved.effects, ...(compared ?? []), ...(next.effects ?? [])],
  };
}

function nextOf(
  after: RunRecord,
  plan: SavedPlan,
  stepIndex: number,
  stepEvents: EventBody[],
  now: number,
): Transition {
  if (after.status === 'canceled') return canceled(after, stepIndex, stepEvents, now);
  if (after.position === plan.steps.length) return succeeded(after, stepEvents, now);
  const late = overdue(after, now);
  if (late) {
    const nextIndex = plan.steps[after.position]?.index;
    return failed(after, late.errorAt(nextIndex), now, { stepIndex: nextIndex, stepEvents });
  }
  if (after.pause_requested) return paused(forMaintenance(now), stepEvents);
  const next = beginStep(after.steps, plan, after.position, now);
  return { change: { steps: next.steps }, events: [...stepEvents, next.event] };
}

/**
 * The transition after a failed step: to failed, or to canceled if a client canceled the run in the meantime (rules.md:
 * cancel 3).
 */
export function afterFailure(run: RunRecord, plan: SavedPlan, position: number, error: RunError): Transition {
  const now = Date.now();
  const { record, step } = stepAt(run.steps, plan, position);
  const failure = failedStep(record, error, now);
  const after = { ...run, steps: run.steps.with(position, failure.record) };
  const stepEvents = [failure.event];
  const transition =
    run.status === 'canceled'
      ? canceled(after, step.index, stepEvents, now)
      : failed(after, error, now, { stepIndex: step.index, stepEvents });
  return { ...transition, change: { steps: after.steps, ...transition.change } };
}

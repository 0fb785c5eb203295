// What an error means for the step that threw it.
import { ApiError } from '#contract/errors.ts';
import type { RunError } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { RecordsBehind } from '#domain/records/records-protocol.ts';
import { modelFailure, runError } from '#domain/runs/run-error.ts';
import type { PlannedStep } from '#domain/runs/step-records.ts';
import { SourceFailed } from '#domain/sources/read-source.ts';
import { SourceFailure } from '#domain/sources/source-failure.ts';
import { ModelError } from '#models/model.ts';
import { ModelsAway } from '#models/models-away.ts';
import { describe, log } from '#platform/log.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { ReadingStopped, TooCostly } from '#record-index/reading-limits.ts';
import { OutputInvalid } from '#steps/answer-as-data.ts';
import { StaleRun } from '#store/runs/runs.ts';
import { isRefusal, WriteRefused } from '#store/table/table.ts';
import { JobWaits } from './ask-job.ts';
import { SliceOver } from './model-calls/journaled-calls.ts';
import { LimitReached } from './model-calls/spending-limits.ts';
import { LeaseLost } from './run-lease.ts';
import { CheckpointGone, ResultTooLarge } from './step-outputs.ts';

/**
 * How an error ends a step. `unfinished`: the slice ended first. `away`: no model could be asked. `waits`: for its
 * job, which the run says. `retry`: another try
 * of the task may succeed. `failed`: the step has failed with this error.
 */
export type StepEnd =
  | { kind: 'unfinished' }
  | { kind: 'away'; error: ModelsAway }
  | { kind: 'waits' }
  | { kind: 'retry' }
  | { kind: 'failed'; error: RunError };

/** How an error ends its step. Logs what should not happen. */
export function classify(error: unknown, step: PlannedStep): StepEnd {
  if (error instanceof SliceOver) return { kind: 'unfinished' };
  if (error instanceof ModelsAway) return { kind: 'away', error };
  if (error instanceof JobWaits) return { kind: 'waits' };
  return isForRetry(error) ? { kind: 'retry' } : { kind: 'failed', error: stepError(error, step) };
}

/**
 * Whether another try of the task may succeed: the run changed or has another owner, an AWS service failed, or the
 * record index is behind. Any other error fails the step.
 */
function isForRetry(error: unknown): boolean {
  if (error instanceof LeaseLost || error instanceof StaleRun) return true;
  if (error instanceof RecordsBehind || error instanceof ServiceTrouble) return true;
  // A write that is too large would be refused again, after model calls that cost again.
  return error instanceof Error && '$metadata' in error && !isRefusal(error);
}

function stepError(error: unknown, step: PlannedStep): RunError {
  const details = { step_index: step.index };
  if (error instanceof ResultTooLarge)
    return runError('payload_too_large', {
      message: 'The result of the step is larger than 64 MB.',
      details: { max_bytes: limits.step_result_max_bytes, received_bytes: error.bytes, ...details },
    });
  if (error instanceof WriteRefused)
    return runError('payload_too_large', { message: 'The step brought more than a run can keep.', details });
  if (error instanceof CheckpointGone) return runError('checkpoint_not_found', { details });
  if (error instanceof LimitReached) return error.errorAt(step.index);
  if (error instanceof ModelError) return modelFailure(error, details);
  if (error instanceof ApiError) return runError(error.code, { message: error.message, details });
  if (error instanceof SourceFailed)
    return sourceFailure(error.source, error.failure, step, triesOf(error.failure));
  if (error instanceof OutputInvalid)
    return runError('output_invalid', {
      details: { issues: error.issues.map(({ path, message }) => ({ path, message })), ...details },
    });
  if (error instanceof ReadingStopped) return runError('canceled_by_user', { details });
  if (error instanceof TooCostly) {
    const { reason, limit } = error;
    return runError('step_too_costly', { details: { reason, limit, ...details } });
  }
  log.error('step failed', { step_kind: step.kind, error: describe(error) });
  return runError('internal_error', { details });
}

/** How often a source was asked whose failure may pass. */
function triesOf({ transient }: SourceFailure): string {
  return transient ? `, tried ${limits.model_retry_delays_ms.length + 1} times` : '';
}

/** The failure of a live source, after so many tries or one, as an error of its run. */
export function sourceFailure(source: string, error: Error, step: PlannedStep, tries = ''): RunError {
  const why = error instanceof SourceFailure ? error.detailsFor(source) : {};
  return runError('source_failed', {
    message: `The source ${source} could not be read: ${error.message}${tries}`,
    details: { ...why, step_index: step.index },
  });
}

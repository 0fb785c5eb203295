// Errors inside a run: the same codes and pages as HTTP errors, written into `errors` and events.
import { type ErrorCode, errors } from '#contract/errors.ts';
import type { RunError } from '#contract/events.ts';
import { defaultWords } from '#contract/issue-words.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { ModelError } from '#models/model.ts';
import type { ModelsAway } from '#models/models-away.ts';
import { cut } from '#platform/cut.ts';
import { docUrl } from './doc-url.ts';
import { modelErrorCode, modelErrorDetails, modelsAwayDetails } from './model-errors.ts';

/** An entry of a run's `errors`. */
export function runError(code: ErrorCode, extra: { message?: string; details?: JsonObject } = {}): RunError {
  const { type, message } = errors[code];
  return {
    code,
    type,
    message: cut(
      extra.message ?? defaultWords(code, extra.details) ?? message,
      limits.run_error_message_max_characters,
    ),
    doc_url: docUrl(code),
    ...(extra.details && { details: extra.details }),
  };
}

/** A failed model call as an error of its run: the code used over HTTP, with what is known of the cause. */
export function modelFailure({ message, fault }: ModelError, at: JsonObject = {}): RunError {
  return runError(modelErrorCode(fault), { message, details: { ...modelErrorDetails(fault), ...at } });
}

/** No model could be asked: the error of a run that does not wait for one. */
export function modelsAwayFailure(away: ModelsAway, at: JsonObject = {}): RunError {
  const details = { ...modelsAwayDetails(away), ...at };
  return runError('model_unavailable', { message: away.message, details });
}

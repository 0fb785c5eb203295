// The error envelope of the API (rules.md: errors 1).
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { ApiError, type ErrorEnvelope, errors, fail, retryAfterStatuses } from '#contract/errors.ts';
import { describe, log } from '#platform/log.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { envelope } from './envelope.ts';
import type { Reply } from './replies.ts';
import { shortRefusal } from './shorten-refusal.ts';
import { TooLate } from './too-late.ts';

/** When a client may come again, unless the error knows a time. */
export const RETRY_SECONDS = 5;

function retryAfter(error: ApiError): Record<string, string> {
  if (!retryAfterStatuses.has(errors[error.code].status)) return {};
  const secondsTo = (at: number) => Math.ceil((at - Date.now()) / 1000);
  if (error.retry_at !== undefined) return { 'Retry-After': String(Math.max(1, secondsTo(error.retry_at))) };
  const resetsAt = error.details && 'resets_at' in error.details ? Number(error.details.resets_at) : 0;
  return { 'Retry-After': String(Math.max(RETRY_SECONDS, secondsTo(resetsAt))) };
}

type SdkError = Parameters<typeof isTransientError>[0];

/** A client marks what it throws after its last attempt, including errors of the network. */
function isSdkError(thrown: unknown): thrown is SdkError {
  return thrown instanceof Error && '$metadata' in thrown;
}

/**
 * An AWS service that is unavailable or has no capacity left, or a machine that is too slow for the moment: a retry
 * helps.
 */
function isTransient(thrown: unknown): boolean {
  if (thrown instanceof TooLate || thrown instanceof ServiceTrouble) return true;
  return isSdkError(thrown) && (isTransientError(thrown) || isThrottlingError(thrown));
}

/**
 * The envelope for whatever was thrown; anything but an ApiError is logged and becomes service_unavailable or
 * internal_error.
 */
export function renderError(thrown: unknown, requestId: string): Reply<number, ErrorEnvelope> {
  if (!(thrown instanceof ApiError))
    log.error('request failed', { request_id: requestId, error: describe(thrown) });
  const error =
    thrown instanceof ApiError
      ? thrown
      : fail(isTransient(thrown) ? 'service_unavailable' : 'internal_error');
  const { status, type } = errors[error.code];
  const { code, message, param, details } = error;
  const body = shortRefusal(envelope({ code, type, message, param, details }, requestId));
  return { status, body, headers: retryAfter(error), unfinished: error.unfinished };
}

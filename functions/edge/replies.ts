// Replies: successes as JSON, failures in the envelope; both carry the request id.
import type { ErrorEnvelope } from '#contract/errors.ts';
import { ApiError, errors, fail, retryAfterStatuses } from '#contract/errors.ts';
import { docUrl } from '#domain/runs/run-error.ts';
import { describe, log } from '#platform/log.ts';
import type { Pieces } from './pipe-body.ts';

export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A reply whose body comes piece by piece. */
export interface StreamedReply {
  status: number;
  headers: Record<string, string>;
  stream: Pieces;
}

export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return { status, body, headers };
}

/** The reply of a create: 202 for a new run, 200 for the one that the same request made before (Contract 4.1). */
export function created(body: unknown, replayed: boolean): Reply {
  return replayed ? reply(200, body, { 'Idempotency-Replayed': 'true' }) : reply(202, body);
}

const RETRY_SECONDS = 5;

function retryAfter(error: ApiError): Record<string, string> {
  if (!retryAfterStatuses.has(errors[error.code].status)) return {};
  const resetsAt = error.details && 'resets_at' in error.details ? Number(error.details.resets_at) : 0;
  return { 'Retry-After': String(Math.max(RETRY_SECONDS, Math.ceil((resetsAt - Date.now()) / 1000))) };
}

/** The envelope of whatever was thrown; anything but an ApiError is logged and shows as internal_error. */
export function errorReply(thrown: unknown, requestId: string): Reply {
  if (!(thrown instanceof ApiError))
    log.error('request failed', { request_id: requestId, error: describe(thrown) });
  const error = thrown instanceof ApiError ? thrown : fail('internal_error');
  const { status, type } = errors[error.code];
  const body: ErrorEnvelope = {
    error: {
      code: error.code,
      type,
      message: error.message,
      doc_url: docUrl(error.code),
      request_id: requestId,
      ...(error.param !== undefined && { param: error.param }),
      ...(error.details && { details: { ...error.details } }),
    },
  };
  return { status, body, headers: retryAfter(error) };
}

/** Headers of every reply (Contract 4.1). */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'Content-Type': 'application/json', 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
}

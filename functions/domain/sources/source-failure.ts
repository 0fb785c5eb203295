// Why a live source could not be read.
import type { ErrorReason } from '#contract/error-reasons.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Outcome } from '#outbound/request.ts';

type Reason = ErrorReason<'source_failed'>;

/** A call of a source that failed (rules.md: sources 5). */
export class SourceFailure extends Error {
  readonly reason: Reason;
  readonly status_code: number | undefined;
  /** Another try may succeed. */
  readonly transient: boolean;
  constructor(
    reason: Reason,
    { transient = false, status_code }: { transient?: boolean; status_code?: number } = {},
  ) {
    super(`the source failed: ${reason}`);
    this.name = 'SourceFailure';
    this.reason = reason;
    this.transient = transient;
    this.status_code = status_code;
  }

  /** The details of the error of the run. */
  detailsFor(source: string): JsonObject {
    const { reason, status_code } = this;
    return { source, reason, ...(status_code !== undefined && { status_code }) };
  }
}

/** Failures of the connection that say what is wrong with the reply; all others are of the connection itself. */
const reasons: Readonly<Record<string, Reason>> = {
  body_too_large: 'too_large',
  address_mismatch: 'address',
  content_encoding: 'shape',
  invalid_http: 'shape',
  too_many_informational: 'shape',
  UND_ERR_HEADERS_OVERFLOW: 'shape',
  UND_ERR_INVALID_ARG: 'shape',
};

/** The failure of a call without a response. */
export function failureOf(outcome: Exclude<Outcome, { kind: 'response' }>): SourceFailure {
  if (outcome.kind === 'blocked') return new SourceFailure('address');
  if (outcome.error === 'timeout') return new SourceFailure('timeout', { transient: true });
  const reason = reasons[outcome.error];
  return reason ? new SourceFailure(reason) : new SourceFailure('connection', { transient: true });
}

/** The failure of a call with another status than it should have. */
export function wrongStatus(status_code: number): SourceFailure {
  return new SourceFailure('status', { status_code, transient: status_code === 429 || status_code >= 500 });
}

// Why a live source could not be read.
import type { ErrorReason } from '#contract/error-reasons.ts';
import type { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { Outcome } from '#outbound/request.ts';
import { fitForeign } from '#platform/foreign-words.ts';

type Reason = ErrorReason<'source_failed'>;

/** A call of a source that failed (rules.md: sources 5). */
export class SourceFailure extends Error {
  readonly reason: Reason;
  readonly status_code: number | undefined;
  /** Another try may succeed. */
  readonly transient: boolean;
  constructor(
    reason: Reason,
    message: string,
    { transient = false, status_code }: { transient?: boolean; status_code?: number | undefined } = {},
  ) {
    super(message);
    this.name = 'SourceFailure';
    this.reason = reason;
    this.transient = transient;
    this.status_code = status_code;
  }

  /** The same in words that clients may see (rules.md: sources 12). */
  fitFor(secrets: readonly string[]): SourceFailure {
    const { reason, transient, status_code } = this;
    const message = fitForeign(this.message, { secrets, most: limits.source_message_max_characters });
    return new SourceFailure(reason, message || 'it did not say why', { transient, status_code });
  }

  /** The details of the error of the run. */
  detailsFor(source: string): JsonObject {
    const { reason, message, status_code } = this;
    return { source, reason, message, ...(status_code !== undefined && { status_code }) };
  }
}

const NOT_HTTP = 'the reply is not HTTP as it should be';

/** Failures of the connection that say what is wrong with the reply; all others are of the connection itself. */
const reasons: Readonly<Record<string, [reason: Reason, message: string]>> = {
  body_too_large: ['too_large', `a page is larger than ${limits.source_page_max_bytes} bytes`],
  address_mismatch: ['address', 'its address is not public'],
  content_encoding: ['shape', 'the reply has a content encoding that was not asked for'],
  invalid_http: ['shape', NOT_HTTP],
  too_many_informational: ['shape', 'too many interim responses came before the reply'],
  UND_ERR_HEADERS_OVERFLOW: ['shape', 'the headers of the reply are too long'],
  UND_ERR_INVALID_ARG: ['shape', NOT_HTTP],
};

/** What a code of the connection means. */
const connections: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'its host is unknown',
  EAI_AGAIN: 'its host could not be looked up',
};

/** The failure of a call without a response. */
export function failureOf(outcome: Exclude<Outcome, { kind: 'response' }>): SourceFailure {
  if (outcome.kind === 'blocked') return new SourceFailure('address', 'its address is not public');
  if (outcome.error === 'timeout') return late();
  const [reason, message] = reasons[outcome.error] ?? [];
  if (reason && message) return new SourceFailure(reason, message);
  const words = connections[outcome.error] ?? 'there was no connection, or it broke';
  return new SourceFailure('connection', `${words} (${outcome.error})`, { transient: true });
}

/** The failure of a call that took too long. */
export const late = () => new SourceFailure('timeout', 'it did not answer in time', { transient: true });

/** The failure of a call with another status than it should have. */
export function wrongStatus(status_code: number): SourceFailure {
  const transient = status_code === 429 || status_code >= 500;
  return new SourceFailure('status', `it answered with the status ${status_code}`, {
    status_code,
    transient,
  });
}

/** The failure of a reply that is no page; the message has the place and what is wrong there. */
export const wrongShape = (message: string) => new SourceFailure('shape', message);

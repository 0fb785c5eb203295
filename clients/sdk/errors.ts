// What the client throws: service errors by code, lost connections, and runs that did not succeed.
import type { DetailsOf, ErrorBody, ErrorCode, ErrorType, Run } from './types.ts';

interface Circumstances {
  status: number;
  /** How often the request was sent. */
  attempts: number;
  retryAfterMs: number | undefined;
}

/** An error reply of the service. `docUrl` explains it. */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly type: ErrorType;
  readonly status: number;
  readonly requestId: string;
  readonly docUrl: string;
  /** The invalid field, as a dotted path. */
  readonly param: string | undefined;
  readonly details: DetailsOf<C>;
  /** How long the service asks to wait before a retry. */
  readonly retryAfterMs: number | undefined;
  readonly attempts: number;

  constructor(body: ErrorBody & { code: C }, circumstances: Circumstances) {
    super(body.message);
    this.name = 'ApiError';
    this.code = body.code;
    this.type = body.type;
    this.status = circumstances.status;
    this.requestId = body.request_id;
    this.docUrl = body.doc_url;
    this.param = body.param;
    // The document ties the details of an error to its code.
    this.details = ('details' in body ? body.details : undefined) as DetailsOf<C>;
    this.retryAfterMs = circumstances.retryAfterMs;
    this.attempts = circumstances.attempts;
  }
}

/** Whether this is a service error, of this code if given; `details` then has the type of that code. */
export function isApiError<C extends ErrorCode = ErrorCode>(error: unknown, code?: C): error is ApiError<C> {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** The service never answered: the connection was lost, or something else answered. */
export class ConnectionError extends Error {
  /** How often the request was sent. */
  readonly attempts: number;
  /** HTTP status of what answered instead of the service; undefined when nothing did. */
  readonly status: number | undefined;

  constructor(message: string, attempts: number, cause?: unknown, status?: number) {
    super(message, { cause });
    this.name = 'ConnectionError';
    this.attempts = attempts;
    this.status = status;
  }
}

/** The awaited run ended without success: it failed or was canceled. */
export class RunFailed extends Error {
  readonly run: Run;

  constructor(run: Run) {
    super(run.errors.at(-1)?.message ?? `The run ${run.id} has ended as ${run.status}.`);
    this.name = 'RunFailed';
    this.run = run;
  }
}

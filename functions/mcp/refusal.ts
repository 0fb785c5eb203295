// Refusals for agents: an HTTP status with a JSON-RPC error, whose data is the API's error.
import { renderError } from '#edge/render-error.ts';
import { type Reply, reply } from '#edge/replies.ts';
import { shortRefusal } from '#edge/shorten-refusal.ts';

/** The code of transport errors, which JSON-RPC leaves to the server. */
const SERVER_ERROR = -32_000;

/** A refusal that only this endpoint makes. */
export class Refused extends Error {
  readonly status: number;
  /** The code of JSON-RPC. */
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    message: string,
    { code = SERVER_ERROR, headers = {} }: { code?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * How to authenticate, which a 401 must say (RFC 6750). A REST API renames the header; only a proxy in front of it can
 * undo that.
 */
function challenge(code: string): string {
  return code === 'auth_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
}

/** The reply to a refused request; logs what the caller must not see. */
export function renderRefusal(thrown: unknown, requestId: string): Reply {
  if (thrown instanceof Refused)
    return reply(
      thrown.status,
      errorOf(thrown.code, thrown.message, { request_id: requestId }),
      thrown.headers,
    );
  const { status, body, headers } = renderError(thrown, requestId);
  const { error } = body;
  return reply(status, errorOf(SERVER_ERROR, error.message, error), {
    ...headers,
    ...(status === 401 && { 'WWW-Authenticate': challenge(error.code) }),
  });
}

function errorOf(code: number, message: string, data: object) {
  return shortRefusal({ jsonrpc: '2.0', id: null, error: { code, message, data } });
}

// A refusal as agents read it: an HTTP status with an error of JSON-RPC, whose data is the error of the API.
import { renderError } from '#edge/render-error.ts';
import { type Reply, reply } from '#edge/replies.ts';

/** For errors of the transport, which JSON-RPC leaves to the server. */
const SERVER_ERROR = -32_000;

/** A refusal that only this door knows. */
export class Refused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.headers = headers;
  }
}

/** What a 401 must say of how to authenticate (RFC 6750). A REST API renames the header, which only what stands before it can undo. */
function challenge(code: string): string {
  return code === 'auth_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
}

/** The reply to a request that is not served; logs what the caller must not see. */
export function renderRefusal(thrown: unknown, requestId: string): Reply {
  if (thrown instanceof Refused)
    return reply(thrown.status, errorOf(thrown.message, { request_id: requestId }), thrown.headers);
  const { status, body, headers } = renderError(thrown, requestId);
  const { error } = body;
  return reply(status, errorOf(error.message, error), {
    ...headers,
    ...(status === 401 && { 'WWW-Authenticate': challenge(error.code) }),
  });
}

function errorOf(message: string, data: object) {
  return { jsonrpc: '2.0', id: null, error: { code: SERVER_ERROR, message, data } };
}

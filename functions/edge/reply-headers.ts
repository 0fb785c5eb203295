// Middleware: headers of every reply, successes and errors alike; those that a reply brings itself win.
import type { HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';
import type { AnyReply } from './replies.ts';

type Headers = Readonly<Record<string, string>>;

/** Adds headers to the reply at hand. */
export function addHeaders(call: { response?: AnyReply | null | undefined }, headers: Headers): void {
  if (call.response) call.response = { ...call.response, headers: { ...headers, ...call.response.headers } };
}

/** Adds to every reply the headers that replies to its request have. */
export function replyHeaders(headersFor: (request: HttpRequest) => Headers): Middleware {
  const add: Middleware['after'] = (call) => addHeaders(call, headersFor(call.context.request));
  return { after: add, onError: add };
}

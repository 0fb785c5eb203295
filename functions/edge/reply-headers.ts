// Middleware: adds headers to every reply, success or error; a reply's own headers win.
import type { HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';
import type { AnyReply } from './replies.ts';

type Headers = Readonly<Record<string, string>>;

/** Adds headers to the reply of a call. */
export function addHeaders(call: { response?: AnyReply | null | undefined }, headers: Headers): void {
  if (call.response) call.response = { ...call.response, headers: { ...headers, ...call.response.headers } };
}

/** Adds to every reply the headers that `headersFor` returns for its request. */
export function replyHeaders(headersFor: (request: HttpRequest) => Headers): Middleware {
  const add: Middleware['after'] = (call) => addHeaders(call, headersFor(call.context.request));
  return { after: add, onError: add };
}

// The middleware stack of every HTTP function: a request with an id, a reply with headers, an error as an envelope.
import middy from '@middy/core';
import { errorEnvelope, type RenderError } from './error-envelope.ts';
import type { GatewayEvent, HttpRequest } from './http-request.ts';
import { readRequest } from './read-request.ts';
import type { AnyReply, Reply } from './replies.ts';
import { replyHeaders } from './reply-headers.ts';
import { replyText } from './reply-text.ts';
import { requestId } from './request-id.ts';
import { REPLY_MS, TooLate } from './too-late.ts';

const early = {
  timeoutEarlyInMillis: REPLY_MS,
  timeoutEarlyResponse: () => {
    throw new TooLate();
  },
};
const jsonHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/**
 * The stack of every HTTP function. Add further middlewares with `use` and the handler with `handler`; `render` makes
 * the reply of whatever they throw. Every reply carries the headers that `headersFor` returns for its request. `Other`:
 * reply types besides JSON.
 */
export function edge<Other extends AnyReply = never>(
  render: RenderError,
  headersFor: (request: HttpRequest) => Readonly<Record<string, string>> = () => ({}),
) {
  return middy<GatewayEvent, Reply | Other>(early)
    .use(readRequest())
    .use(requestId())
    .use(replyHeaders((request) => ({ ...jsonHeaders, ...headersFor(request) })))
    .use(errorEnvelope(render))
    .use(replyText());
}

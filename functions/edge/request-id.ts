// Middleware: the id of a request, in the context for handlers and logs and in every reply as X-Request-Id.
import { limits } from '#contract/limits.ts';
import { newId } from '#platform/ids.ts';
import type { Middleware } from './middleware.ts';
import { addHeaders } from './reply-headers.ts';

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.request_id_max_characters}}$`);

/** Uses the caller's X-Request-Id when it is well-formed, else a new one (rules.md: request 2). */
export function requestId(): Middleware {
  const mark: Middleware['after'] = (call) => addHeaders(call, { 'X-Request-Id': call.context.request_id });
  return {
    before: ({ context }) => {
      const sent = context.request.headers['x-request-id'];
      context.request_id = sent !== undefined && REQUEST_ID.test(sent) ? sent : newId();
    },
    after: mark,
    onError: mark,
  };
}

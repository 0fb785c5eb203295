// Middleware: turns whatever is thrown into the error reply that the function's callers expect.
import type { Middleware } from './middleware.ts';
import type { Reply } from './replies.ts';

/** Makes the reply for whatever was thrown; logs what the caller must not see. */
export type RenderError = (thrown: unknown, requestId: string) => Reply;

/** Turns an error into a reply. Errors of later middlewares and the handler do not fail the invocation. */
export function errorEnvelope(render: RenderError): Middleware {
  return {
    onError: (call) => {
      call.response = render(call.error, call.context.request_id);
    },
  };
}

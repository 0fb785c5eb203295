// Middleware: whatever was thrown becomes a reply, in the form that the callers of a function are promised.
import type { Middleware } from './middleware.ts';
import type { Reply } from './replies.ts';

/** Makes the reply of whatever was thrown; logs what the caller must not see. */
export type RenderError = (thrown: unknown, requestId: string) => Reply;

/** Turns an error into a reply. Nothing that is used after it fails an invocation. */
export function errorEnvelope(render: RenderError): Middleware {
  return {
    onError: (call) => {
      call.response = render(call.error, call.context.request_id);
    },
  };
}

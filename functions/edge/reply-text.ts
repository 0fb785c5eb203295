// Middleware: writes the JSON of a reply early, so that a failure to do so still becomes the error envelope.
import type { Middleware } from './middleware.ts';

/** Turns a reply with a JSON body into its text. */
export function replyText(): Middleware {
  return {
    after: async (call) => {
      const { response } = call;
      if (response && 'body' in response)
        call.response = {
          status: response.status,
          text: response.body === undefined ? '' : JSON.stringify(response.body),
          headers: response.headers ?? {},
          unfinished: response.unfinished,
        };
    },
  };
}

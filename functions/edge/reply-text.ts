// Middleware: writes the JSON of a reply where a failure to do so still becomes the error envelope.
import type { Middleware } from './middleware.ts';
import { bodyText } from './replies.ts';

/** Turns a reply with a JSON body into its text. */
export function replyText(): Middleware {
  return {
    after: (call) => {
      const { response } = call;
      if (response && 'body' in response)
        call.response = {
          status: response.status,
          text: bodyText(response),
          headers: response.headers ?? {},
          unfinished: response.unfinished,
        };
    },
  };
}

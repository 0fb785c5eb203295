// Middleware: the reader of an event stream, by the event token in the query.
import { checkEventToken } from '#domain/events/token.ts';
import type { Middleware } from './middleware.ts';

interface Reader {
  query: { event_token?: string | undefined };
  /** The workspace of the run that the token is for. */
  workspace_id: string;
}

/**
 * Adds the workspace in which the token of the query may read the run of the path. Throws what `checkEventToken`
 * throws.
 */
export function eventToken(): Middleware<Reader> {
  return {
    before: async ({ context }) => {
      context.workspace_id = await checkEventToken(context.query.event_token, context.request.params.id);
    },
  };
}

// Middleware: the reader of an event stream, by the event token in the query or a key in the Authorization header.
import type { Route } from '#contract/routes.ts';
import { authenticate, requireScope } from '#domain/access/authenticate.ts';
import type { StreamReader } from '#domain/events/open-streams.ts';
import { checkEventToken } from '#domain/events/token.ts';
import type { Middleware } from './middleware.ts';
import { inTime } from './too-late.ts';

interface Reader {
  query: { event_token?: string | undefined };
  /** The key, and the workspace in which it may read the run of the path. */
  reader: StreamReader;
}

/**
 * Adds the reader. A token takes precedence over a key (rules.md: stream 1). Throws what
 * `checkEventToken`, `authenticate` and `requireScope` throw; TooLate.
 */
export function streamReader(route: Route): Middleware<Reader> {
  return {
    before: async ({ context }) => {
      const { request, query } = context;
      const { authorization } = request.headers;
      if (query.event_token !== undefined || authorization === undefined) {
        context.reader = await checkEventToken(query.event_token, request.params.id);
        return;
      }
      const { key, workspace } = await inTime(context, authenticate(authorization));
      if (route.scope) requireScope(key, route.scope);
      context.reader = { workspace_id: workspace.workspace_id, key_id: key.key_id };
    },
  };
}

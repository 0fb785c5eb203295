// Middlewares: who calls, by the bearer key of a program or by the event token of a browser.
import type { Route } from '#contract/routes.ts';
import { authenticate, type Caller, requireScope } from '#domain/access/authenticate.ts';
import { checkEventToken } from '#domain/events/token.ts';
import type { Middleware } from './middleware.ts';

/** Adds the caller, whose key has the route's scope. Throws what `authenticate` and `requireScope` throw. */
export function bearerKey(route: Route): Middleware<{ caller: Caller }> {
  return {
    before: async ({ context }) => {
      const { authorization } = context.request.headers;
      context.caller = await authenticate(authorization, route.spends ?? false);
      if (route.scope) requireScope(context.caller.key, route.scope);
    },
  };
}

interface Reader {
  query: { event_token?: string | undefined };
  /** The workspace of the run that the token is for. */
  workspace_id: string;
}

/** Adds the workspace in which the token of the query may read the run of the path. Throws what `checkEventToken` throws. */
export function eventToken(): Middleware<Reader> {
  return {
    before: async ({ context }) => {
      context.workspace_id = await checkEventToken(context.query.event_token, context.request.params.id);
    },
  };
}

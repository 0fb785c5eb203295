// Middleware: the caller of a route, by the bearer key in the Authorization header.
import type { Route } from '#contract/routes.ts';
import { authenticate, type Caller, requireScope } from '#domain/access/authenticate.ts';
import type { Middleware } from './middleware.ts';
import { inTime } from './too-late.ts';

/** Adds the caller, whose key has the route's scope. Throws what `authenticate` and `requireScope` throw, and TooLate. */
export function bearerKey(route: Route): Middleware<{ caller: Caller }> {
  return {
    before: async ({ context }) => {
      const { authorization } = context.request.headers;
      context.caller = await inTime(context, authenticate(authorization, route.with_costs ?? false));
      if (route.scope) requireScope(context.caller.key, route.scope);
    },
  };
}

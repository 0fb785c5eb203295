// Middleware: the caller of a route, by the bearer key in the Authorization header.
import type { Route } from '#contract/routes.ts';
import { type Caller, requireScope } from '#domain/access/authenticate.ts';
import type { HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';
import { inTime } from './too-late.ts';

/** Finds the caller behind an Authorization header. */
export type Authenticate<C extends Caller> = (header: string | undefined, request: HttpRequest) => Promise<C>;

/**
 * Adds the caller, whose key has the route's scope. The day of the key's use is saved while the handler works, once a
 * day. Throws what `authenticate` and `requireScope` throw; TooLate.
 */
export function bearerKey<C extends Caller>(
  route: Route,
  authenticate: Authenticate<C>,
): Middleware<{ caller: C }> {
  const marked: Middleware<{ caller?: C }>['after'] = async ({ context }) => context.caller?.marked;
  return {
    before: async ({ context }) => {
      const { request } = context;
      context.caller = await inTime(context, authenticate(request.headers.authorization, request));
      if (route.scope) requireScope(context.caller.key, route.scope);
    },
    after: marked,
    onError: marked,
  };
}

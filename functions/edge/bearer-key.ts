// Middleware: the caller of a route, by the bearer key in the Authorization header.
import type { Route } from '#contract/routes.ts';
import { authenticate, type Caller, claimedWorkspace, requireScope } from '#domain/access/authenticate.ts';
import type { Middleware } from './middleware.ts';
import { inTime } from './too-late.ts';

/**
 * Adds the caller, whose key has the route's scope. Throws what `authenticate` and `requireScope` throw, and TooLate.
 */
export function bearerKey(route: Route): Middleware<{ caller: Caller }> {
  return {
    before: async ({ context }) => {
      const { authorization } = context.request.headers;
      context.caller = await inTime(context, authenticate(authorization, route.with_costs ?? false));
      if (route.scope) requireScope(context.caller.key, route.scope);
    },
  };
}

/** Finds something of a workspace by the id in the path. */
export type Find<Found> = (workspaceId: string, id: string | undefined) => Promise<Found>;

/**
 * As `bearerKey`, and starts to look up what the path names, so that both reads share a request. Await `finding` only
 * after every check has passed: only an authenticated caller may learn what was found, or why nothing was.
 */
export function bearerKeyAnd<Found>(
  route: Route,
  find: Find<Found>,
): Middleware<{ caller: Caller; finding: Promise<Found> }> {
  const key = bearerKey(route);
  return {
    before: async (call) => {
      const { request } = call.context;
      const workspaceId = claimedWorkspace(request.headers.authorization);
      if (workspaceId !== undefined) {
        call.context.finding = find(workspaceId, request.params.id);
        call.context.finding.catch(() => undefined);
      }
      await key.before?.(call);
    },
  };
}

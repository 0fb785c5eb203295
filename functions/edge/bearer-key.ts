// The caller of a route, by the bearer key in the Authorization header.
import {
  authenticate,
  authenticateReading,
  authenticateWithCosts,
  type Caller,
  type CallerReading,
  type CallerWithCosts,
  requireScope,
} from '#domain/access/authenticate.ts';
import type { Identify } from './api.ts';
import type { HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';
import { inTime } from './too-late.ts';

/**
 * Adds the caller, whose key has the route's scope. The day of the key's use is saved while the handler works, once a
 * day. Throws what `find` and `requireScope` throw; TooLate.
 */
function bearerKey<C extends Caller>(
  find: (header: string | undefined, request: HttpRequest) => Promise<C>,
): Identify<{ caller: C }> {
  return (route) => {
    const useSaved: Middleware<{ caller?: C }>['after'] = async ({ context }) => context.caller?.useSaved;
    return {
      before: async ({ context }) => {
        const { request } = context;
        context.caller = await inTime(context, find(request.headers.authorization, request));
        if (route.scope) requireScope(context.caller.key, route.scope);
      },
      after: useSaved,
      onError: useSaved,
    };
  };
}

/** A caller with a key. */
export const byKey: Identify<{ caller: Caller }> = bearerKey(authenticate);

/** The same, with the costs of the caller. */
export const byKeyWithCosts: Identify<{ caller: CallerWithCosts }> = bearerKey(authenticateWithCosts);

/** The same for a route whose path names what `read` reads while the key is checked. */
export const byKeyReading = <T>(
  read: (workspaceId: string, id: string | undefined) => Promise<T>,
): Identify<{ caller: CallerReading<T> }> =>
  bearerKey((header, { params }) =>
    authenticateReading(header, (workspaceId) => read(workspaceId, params.id)),
  );

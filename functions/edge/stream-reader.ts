// The reader of an event stream, by the event token in the query or a key in the Authorization header.
import { routes } from '#contract/routes.ts';
import { authenticate, requireScope } from '#domain/access/authenticate.ts';
import type { StreamReader } from '#domain/events/limit-streams.ts';
import { checkEventToken } from '#domain/events/token.ts';
import type { Identify } from './api.ts';
import { queryOf } from './read-query.ts';
import { inTime } from './too-late.ts';

/**
 * Adds the key, and the workspace in which it may read the run of the path. A token takes precedence over a key
 * (rules.md: stream 1); it is in the query, which is checked first. Throws what `checkEventToken`, `authenticate` and
 * `requireScope` throw; schema_validation_failed; TooLate.
 */
export const byKeyOrToken: Identify<{ reader: StreamReader }> = ({ scope }) => ({
  before: async ({ context }) => {
    const { headers, params } = context.request;
    const { event_token } = queryOf(routes.StreamEvents, context.request);
    if (event_token !== undefined || headers.authorization === undefined) {
      context.reader = await checkEventToken(event_token, params.id);
      return;
    }
    const { key, workspace } = await inTime(context, authenticate(headers.authorization));
    if (scope) requireScope(key, scope);
    context.reader = { workspace_id: workspace.workspace_id, key_id: key.key_id };
  },
});

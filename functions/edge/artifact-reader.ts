// Middleware: the reader of an artifact, by a key in the Authorization header or by a signed link.
import { fail } from '#contract/errors.ts';
import type { Route } from '#contract/routes.ts';
import { authenticate, requireScope } from '#domain/access/authenticate.ts';
import { checkLink } from '#domain/artifacts/links.ts';
import type { Middleware } from './middleware.ts';
import { inTime } from './too-late.ts';

interface Reader {
  /** The workspace in which the caller may read the artifact of the path. */
  workspace_id: string;
}

/**
 * Adds the workspace of the reader. A link takes precedence over a key (rules.md: links 2). Throws what `checkLink`,
 * `authenticate` and `requireScope` throw; TooLate.
 */
export function artifactReader(route: Route): Middleware<Reader> {
  return {
    before: async ({ context }) => {
      const { headers, query, params } = context.request;
      const [link, ...more] = query.link ?? [];
      if (link !== undefined) {
        if (more.length > 0) throw fail('artifact_not_found');
        context.workspace_id = await inTime(context, checkLink(link, params.id));
        return;
      }
      const { key, workspace } = await inTime(context, authenticate(headers.authorization));
      if (route.scope) requireScope(key, route.scope);
      context.workspace_id = workspace.workspace_id;
    },
  };
}

// The reader of an artifact, by a key in the Authorization header or by a signed link.
import { fail } from '#contract/errors.ts';
import { authenticate, requireScope } from '#domain/access/authenticate.ts';
import { checkLink, type OpenLink } from '#domain/artifacts/signed-links.ts';
import type { Identify } from './api.ts';
import { inTime } from './too-late.ts';

export interface ArtifactReader {
  /** The workspace in which the caller may read the artifact of the path. */
  workspace_id: string;
  /** The link by which the caller comes; undefined for one with a key. */
  link: OpenLink | undefined;
}

/**
 * Adds the workspace of the reader. A link takes precedence over a key (rules.md: links 2), and no other parameter goes
 * with it (rules.md: links 4). Throws what `checkLink`, `authenticate` and `requireScope` throw; TooLate.
 */
export const byKeyOrLink: Identify<ArtifactReader> = (route) => ({
  before: async ({ context }) => {
    const { headers, query, params } = context.request;
    const [token, ...more] = query.link ?? [];
    if (token !== undefined) {
      if (more.length > 0 || Object.keys(query).length > 1) throw fail('artifact_not_found');
      context.link = await inTime(context, checkLink(token, params.id));
      context.workspace_id = context.link.workspace_id;
      return;
    }
    const { key, workspace } = await inTime(context, authenticate(headers.authorization));
    if (route.scope) requireScope(key, route.scope);
    context.workspace_id = workspace.workspace_id;
  },
});

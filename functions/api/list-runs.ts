// GET /runs
import { type ListQuery, listRuns } from '#domain/runs/list-runs.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { coalesce } from '#platform/coalesce.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';

/** The text of a page. Requests for the same page share its reading, which may take long. */
const pageText = coalesce(async (_page, { workspace, query }: { workspace: Workspace; query: ListQuery }) =>
  JSON.stringify(await listRuns(workspace, query)),
);

export const route = api('ListRuns', byKey, async ({ caller: { workspace }, query }) => ({
  status: 200,
  text: await pageText(JSON.stringify([workspace.workspace_id, query]), { workspace, query }),
}));

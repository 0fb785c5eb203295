// GET /runs/{id}/calls
import { listCalls } from '#domain/runs/list-calls.ts';
import { slowApi } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

/** Lists the model calls that a run keeps (rules.md: calls). */
export const handler = slowApi('ListCalls', async ({ caller, params, query }) =>
  reply(200, await listCalls(caller.workspace.workspace_id, params.id, query)),
);

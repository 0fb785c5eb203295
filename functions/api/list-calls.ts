// GET /runs/{id}/calls
import { listCalls } from '#domain/runs/list-calls.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

/** Lists the model calls that a run keeps (rules.md: calls). */
export const route = api('ListCalls', byKey, async ({ caller, params, query }) =>
  reply(200, await listCalls(caller.workspace.workspace_id, params.id, query)),
);

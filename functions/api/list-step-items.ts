// GET /runs/{id}/steps/{index}/items
import { listStepItems } from '#domain/execution/list-step-items.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListStepItems', byKey, async ({ caller, params, query }) =>
  reply(200, await listStepItems(caller.workspace.workspace_id, params, query)),
);

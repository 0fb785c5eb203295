// GET /entities
import { searchEntities } from '#domain/records/entity-search.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('SearchEntities', async ({ caller, query }) =>
  reply(200, { object: 'list', data: await searchEntities(caller.workspace.workspace_id, query) }),
);

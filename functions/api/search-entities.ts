// GET /entities
import { searchEntities } from '#domain/records/entity-search.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('SearchEntities', byKey, async ({ caller, query }) =>
  reply(200, { object: 'list', data: await searchEntities(caller.workspace.workspace_id, query) }),
);

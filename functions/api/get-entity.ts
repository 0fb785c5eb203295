// GET /entities/{id}
import { readEntity } from '#domain/records/read-entity.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('GetEntity', byKey, async ({ caller, params }) =>
  reply(200, await readEntity(caller.workspace.workspace_id, params.id)),
);

// GET /entities/{id}
import { readEntity } from '#domain/records/read-entity.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('GetEntity', async ({ caller, params }) =>
  reply(200, await readEntity(caller.workspace.workspace_id, params.id)),
);

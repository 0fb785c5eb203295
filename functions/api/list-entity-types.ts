// GET /entities/types
import { describeEntities } from '#domain/records/describe-entities.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('ListEntityTypes', async ({ caller }) =>
  reply(200, { object: 'list', data: await describeEntities(caller.workspace.workspace_id) }),
);

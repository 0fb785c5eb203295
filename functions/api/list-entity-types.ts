// GET /entities/types
import { describeEntities } from '#domain/records/describe-entities.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListEntityTypes', byKey, async ({ caller }) =>
  reply(200, { object: 'list', data: await describeEntities(caller.workspace.workspace_id) }),
);

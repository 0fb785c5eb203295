// GET /sources
import { describeSources } from '#domain/sources/manage-sources.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('ListSources', async ({ caller }) =>
  reply(200, { object: 'list', data: await describeSources(caller.workspace.workspace_id) }),
);

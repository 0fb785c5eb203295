// GET /sources
import { describeSources } from '#domain/sources/manage-sources.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListSources', byKey, async ({ caller }) =>
  reply(200, { object: 'list', data: await describeSources(caller.workspace.workspace_id) }),
);

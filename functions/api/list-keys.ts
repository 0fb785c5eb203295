// GET /keys
import { listKeys } from '#domain/workspaces/manage-keys.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ListKeys', byKey, async ({ caller }) =>
  reply(200, { object: 'list', data: await listKeys(caller.workspace.workspace_id) }),
);

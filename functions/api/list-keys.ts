// GET /keys
import { listKeys } from '#domain/workspaces/manage-keys.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('ListKeys', async ({ caller }) =>
  reply(200, { object: 'list', data: await listKeys(caller.workspace.workspace_id) }),
);

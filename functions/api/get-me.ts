// GET /me
import { whoAmI } from '#domain/workspaces/who-am-i.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('GetMe', async ({ caller }) => reply(200, await whoAmI(caller)));

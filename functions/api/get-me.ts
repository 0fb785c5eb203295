// GET /me
import { whoAmI } from '#domain/workspaces/who-am-i.ts';
import { apiWithCosts } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = apiWithCosts('GetMe', async ({ caller }) => reply(200, await whoAmI(caller)));

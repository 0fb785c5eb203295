// GET /me
import { whoAmI } from '#domain/workspaces/who-am-i.ts';
import { api } from '#edge/api.ts';
import { byKeyWithCosts } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('GetMe', byKeyWithCosts, async ({ caller }) => reply(200, await whoAmI(caller)));

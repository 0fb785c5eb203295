// GET /usage
import { reportUsage } from '#domain/workspaces/usage-report.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('GetUsage', byKey, async ({ caller, query }) =>
  reply(200, await reportUsage(caller.workspace.workspace_id, query, Date.now())),
);

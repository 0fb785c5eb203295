// GET /audit
import { listAudit } from '#domain/workspaces/list-audit.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

/** Lists who did what in the workspace (rules.md: audit). */
export const handler = api('ListAudit', async ({ caller, query }) =>
  reply(200, await listAudit(caller.workspace.workspace_id, query)),
);

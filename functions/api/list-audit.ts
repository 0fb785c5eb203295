// GET /audit
import { listAudit } from '#domain/workspaces/list-audit.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

/** Lists who did what in the workspace (rules.md: audit). */
export const route = api('ListAudit', byKey, async ({ caller, query }) =>
  reply(200, await listAudit(caller.workspace.workspace_id, query)),
);

// GET /runs/{id}
import { toEnvelope } from '#domain/runs/envelope.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('GetRun', async ({ caller, params }) => {
  const { run, input } = await findRunView(caller.workspace.workspace_id, params.id);
  return reply(200, toEnvelope(run, input));
});

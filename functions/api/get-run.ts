// GET /runs/{id}
import { envelopeOf } from '#domain/runs/envelope.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { includedPlan } from '#domain/runs/saved-plan.ts';
import { api } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = api('GetRun', async ({ caller, params, query }) => {
  const view = await findRunView(caller.workspace.workspace_id, params.id);
  const envelope = await envelopeOf(view);
  return reply(200, query.include ? { ...envelope, ...(await includedPlan(view)) } : envelope);
});

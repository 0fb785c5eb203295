// POST /runs/{id}/cancel

import { actorOf } from '#domain/access/actor.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { envelopeOf } from '#domain/runs/run-envelope.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('CancelRun', byKey, async (call) => {
  const { caller, params } = call;
  const { run, input } = await cancelRun(caller.workspace.workspace_id, params.id, actorOf(call));
  return reply(200, await envelopeOf({ run, input }));
});

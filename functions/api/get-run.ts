// GET /runs/{id}

import { findRunView } from '#domain/runs/find-run.ts';
import { envelopeOf } from '#domain/runs/run-envelope.ts';
import { includedPlan } from '#domain/runs/saved-plan.ts';
import { api } from '#edge/api.ts';
import { byKeyReading } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('GetRun', byKeyReading(findRunView), async ({ caller, query }) => {
  const view = await caller.reading;
  const envelope = await envelopeOf(view);
  return reply(200, query.include ? { ...envelope, ...(await includedPlan(view)) } : envelope);
});

// GET /runs/{id}
import { toEnvelope } from '#domain/runs/envelope.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { apiOn } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = apiOn('GetRun', findRunView, async ({ found: { run, input } }) =>
  reply(200, toEnvelope(run, input)),
);

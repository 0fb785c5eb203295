// POST /runs/{id}/events/token
import { createEventToken } from '#domain/events/token.ts';
import { findRun } from '#domain/runs/find-run.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';
import { optionalEnv } from '#platform/env.ts';

export const route = api('CreateEventToken', byKey, async ({ caller, params }) => {
  const run = await findRun(caller.workspace.workspace_id, params.id);
  const token = await createEventToken(run.id, caller.key.key_id);
  const base = optionalEnv('STREAM_URL');
  // A function URL is not subject to the gateway's time limit.
  const stream_url = base && new URL(`api/v1/runs/${run.id}/events/stream`, base).href;
  return reply(200, { ...token, ...(stream_url && { stream_url }) });
});

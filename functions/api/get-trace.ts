// GET /runs/{id}/trace
import { findRun } from '#domain/runs/find-run.ts';
import { traceOfRun } from '#domain/traces/run-trace.ts';
import { slowApi } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';

export const handler = slowApi('GetTrace', async ({ caller, params }) =>
  reply(200, await traceOfRun(await findRun(caller.workspace.workspace_id, params.id))),
);

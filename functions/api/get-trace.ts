// GET /runs/{id}/trace
import { findRun } from '#domain/runs/find-run.ts';
import { traceOfRun } from '#domain/traces/run-trace.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';

export const route = api('GetTrace', byKey, async ({ caller, params }) =>
  reply(200, await traceOfRun(await findRun(caller.workspace.workspace_id, params.id))),
);

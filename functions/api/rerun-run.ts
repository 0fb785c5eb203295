// POST /runs/{id}/rerun-from
import { RerunRun } from '#contract/runs.ts';
import { rerunRun } from '#domain/commands/rerun-run.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { envelopeOf } from '#domain/runs/run-envelope.ts';
import { api } from '#edge/api.ts';
import { byKeyWithCosts } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { created } from '#edge/replies.ts';
import { configuredPrices } from '#models/configured-prices.ts';

export const route = api(
  'RerunRun',
  byKeyWithCosts,
  async ({ request, request_id, caller, params, json }) => {
    const value = await json();
    const body = check(RerunRun, value);
    const endpoint = 'rerun-from';
    // The run is part of the request: the same idempotency key on another run is another request.
    const idempotency = await idempotencyKeyOf(
      request.headers['idempotency-key'],
      endpoint,
      caller.workspace.workspace_id,
      { run_id: params.id, value },
    );
    const rerun = { caller, request_id, run_id: params.id, body, idempotency };
    const { run, input, replayed } = await rerunRun(rerun, configuredPrices());
    return created(await envelopeOf({ run, input }), replayed);
  },
);

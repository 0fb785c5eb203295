// POST /runs
import { checkCreate, checkCreateRights } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { validateRun } from '#domain/commands/validate-run.ts';
import { envelopeOf } from '#domain/runs/run-envelope.ts';
import { api } from '#edge/api.ts';
import { byKeyWithCosts } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { created, reply } from '#edge/replies.ts';
import { configuredModel } from '#models/configured-model.ts';
import { traceparentOf } from '#platform/trace-context.ts';

export const route = api(
  'CreateRun',
  byKeyWithCosts,
  async ({ request, request_id, caller, query, json }) => {
    const value = await json();
    const checked = checkCreate(value, check);
    checkCreateRights(caller, checked);
    const { workspace_id } = caller.workspace;
    const idempotency = await idempotencyKeyOf(
      request.headers['idempotency-key'],
      'runs',
      workspace_id,
      value,
    );
    const traceparent = traceparentOf(request.headers.traceparent);
    const asked = { caller, request_id, checked, idempotency, traceparent };
    if (query.validate_only === '1') return reply(200, await validateRun(asked));
    const { run, input, replayed, unfinished } = await createRun(asked, configuredModel());
    return { ...created(await envelopeOf({ run, input }), replayed), unfinished };
  },
);

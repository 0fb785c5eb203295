// POST /runs
import { checkCreate, checkCreateRights } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { idempotencyKeyOf } from '#domain/commands/idempotency.ts';
import { toEnvelope } from '#domain/runs/envelope.ts';
import { slowApi } from '#edge/api.ts';
import { check } from '#edge/check.ts';
import { created } from '#edge/replies.ts';
import { configuredModel } from '#models/configured-model.ts';

export const handler = slowApi('CreateRun', async ({ request, request_id, caller, json }) => {
  const value = json();
  const checked = checkCreate(value, check);
  checkCreateRights(caller, checked);
  const idempotency = idempotencyKeyOf(
    request.headers['idempotency-key'],
    'runs',
    caller.workspace.workspace_id,
    value,
  );
  const { run, input, replayed } = await createRun(
    { caller, request_id, checked, idempotency },
    configuredModel(),
  );
  return created(toEnvelope(run, input), replayed);
});

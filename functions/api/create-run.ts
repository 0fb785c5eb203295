// POST /runs
import { checkCreate, checkCreateRights } from '#domain/plans/check-create.ts';
import { createRun } from '#domain/runs/create.ts';
import { toEnvelope } from '#domain/runs/envelope.ts';
import { idempotencyKeyOf } from '#domain/runs/idempotent.ts';
import { modelChoice } from '#models/choice.ts';
import { slowApi } from './middleware/api.ts';
import { check } from './middleware/check.ts';
import { created } from './middleware/replies.ts';

export const handler = slowApi('CreateRun', async ({ request, caller, json }) => {
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
    { caller, request_id: request.id, checked, idempotency },
    modelChoice(),
  );
  return created(toEnvelope(run, input), replayed);
});

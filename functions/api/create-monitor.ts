// POST /monitors
import { limits } from '#contract/limits.ts';
import { actorOf } from '#domain/access/actor.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { checkNewMonitor, requireRunScope } from '#domain/monitors/check-monitor.ts';
import { completeTrigger, createMonitor } from '#domain/monitors/manage.ts';
import { toMonitor } from '#domain/monitors/views.ts';
import { api } from '#edge/api.ts';
import { byKeyWithCosts } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('CreateMonitor', byKeyWithCosts, async ({ request, request_id, caller, json }) => {
  requireRunScope(caller);
  const value = await json();
  const { run, on, ...rest } = await checkNewMonitor(value, { caller, request_id, check });
  const { workspace_id } = caller.workspace;
  const made = await createMonitor({
    caller,
    run,
    settings: {
      status: 'active',
      overlap: 'skip',
      catch_up_seconds: limits.monitor_catch_up_default_seconds,
      notify: 'every',
      ...rest,
      on: completeTrigger(on, Date.now()),
    },
    by: actorOf({ caller, request_id }),
    idempotency: await idempotencyKeyOf(request.headers['idempotency-key'], 'monitors', workspace_id, value),
  });
  const body = await toMonitor(made);
  return made.replayed ? reply(200, body, { 'Idempotency-Replayed': 'true' }) : reply(201, body);
});

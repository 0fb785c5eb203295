// PATCH /monitors/{id}
import { actorOf } from '#domain/access/actor.ts';
import { checkKeyDay } from '#domain/commands/reserve-capacity.ts';
import { checkMonitorChange, checkRunRights, requireRunScope } from '#domain/monitors/check-monitor.ts';
import { findMonitor } from '#domain/monitors/find-monitor.ts';
import { completeTrigger, updateMonitor } from '#domain/monitors/manage.ts';
import { toMonitor } from '#domain/monitors/views.ts';
import { api } from '#edge/api.ts';
import { byKeyWithCosts } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('UpdateMonitor', byKeyWithCosts, async ({ request_id, caller, params, json }) => {
  requireRunScope(caller);
  const value = await json();
  const { on, ...patch } = await checkMonitorChange(value, { caller, request_id, check });
  const { workspace_id } = caller.workspace;
  const { run } = await findMonitor(workspace_id, params.id);
  checkRunRights(caller, patch.run ?? run);
  checkKeyDay(caller);
  const by = actorOf({ caller, request_id });
  const settings = { ...patch, ...(on && { on: completeTrigger(on, Date.now()) }) };
  return reply(200, await toMonitor(await updateMonitor(caller, params.id, settings, by)));
});

// POST /keys/{id}/rotate
import { RotateKey } from '#contract/api-keys.ts';
import { actorOf } from '#domain/access/actor.ts';
import { passMonitors } from '#domain/monitors/pass-monitors.ts';
import { rotateKey } from '#domain/workspaces/manage-keys.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('RotateKey', byKey, async (call) => {
  const { request, caller, params, json } = call;
  const body = check(RotateKey, request.body.length === 0 ? {} : await json());
  const made = await rotateKey(caller, params.id, body, actorOf(call));
  await passMonitors(caller.workspace.workspace_id, made);
  return reply(201, made);
});

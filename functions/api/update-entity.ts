// PATCH /entities/{id}
import { UpdateEntity } from '#contract/entity-changes.ts';
import { actorOf } from '#domain/access/actor.ts';
import { updateEntity } from '#domain/records/update-entity.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('UpdateEntity', byKey, async (call) => {
  const change = check(UpdateEntity, await call.json());
  return reply(200, await updateEntity(call.caller.workspace, call.params.id, change, actorOf(call)));
});

// POST /entities/delete
import { DeleteEntities } from '#contract/entity-changes.ts';
import { actorOf } from '#domain/access/actor.ts';
import { deleteEntities } from '#domain/records/delete-entities.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('DeleteEntities', byKey, async (call) =>
  reply(
    202,
    await deleteEntities(call.caller.workspace, check(DeleteEntities, await call.json()), actorOf(call)),
  ),
);

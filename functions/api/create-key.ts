// POST /keys
import { CreateKey } from '#contract/api-keys.ts';
import { actorOf } from '#domain/access/actor.ts';
import { createKey } from '#domain/workspaces/manage-keys.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('CreateKey', byKey, async (call) =>
  reply(201, await createKey(call.caller, check(CreateKey, await call.json()), actorOf(call))),
);

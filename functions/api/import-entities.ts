// POST /entities/import
import * as z from 'zod';
import { ImportEntities } from '#contract/entity-changes.ts';
import { limits } from '#contract/limits.ts';
import { actorOf } from '#domain/access/actor.ts';
import { importRequest } from '#domain/records/import-request.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

/** A wrong line is left out, so lines are checked one by one. */
const AnyLines = ImportEntities.extend({
  records: z.array(z.unknown()).min(1).max(limits.entities_written_max),
});

export const route = api('ImportEntities', byKey, async (call) => {
  const { records, ...how } = check(AnyLines, await call.json('records'));
  return reply(200, await importRequest(call.caller.workspace, records, how, actorOf(call)));
});

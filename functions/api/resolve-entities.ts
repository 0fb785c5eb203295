// GET /entities/resolve
import * as z from 'zod';
import { EntityRef } from '#contract/entities.ts';
import { limits } from '#contract/limits.ts';
import { resolveRefs } from '#domain/records/resolve-refs.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { check, invalid, typeOf } from '#edge/check-schema.ts';
import { isStorableJson } from '#edge/read-json-body.ts';
import { reply } from '#edge/replies.ts';

const Refs = z.array(z.unknown()).min(1).max(limits.resolve_max_refs);

function parse(refs: string): unknown {
  try {
    return JSON.parse(refs);
  } catch {
    throw invalid('refs', {
      code: 'invalid_format',
      expected: 'a JSON array of references',
      received: 'string',
      message: 'refs is not JSON',
    });
  }
}

/** One reference, checked. Throws schema_validation_failed with `param` `refs.<i>` (rules.md: resolve 2). */
function checkRef(sent: unknown, i: number): EntityRef {
  const ref = EntityRef.safeParse(sent);
  if (ref.success && isStorableJson(ref.data)) return ref.data;
  throw invalid(`refs.${i}`, {
    code: 'invalid_reference',
    expected: '{id}, {external_uri} or {external_id, source}',
    received: typeOf(sent),
    path: ['refs', i],
    message: 'This is not an entity reference',
  });
}

export const route = api('ResolveEntities', byKey, async ({ caller, query }) => {
  const refs = check(Refs, parse(query.refs), ['refs']).map(checkRef);
  return reply(200, { results: await resolveRefs(caller.workspace.workspace_id, refs) });
});

// GET /entities/resolve
import * as z from 'zod';
import { EntityRef } from '#contract/entities.ts';
import { limits } from '#contract/limits.ts';
import { resolveRefs } from '#domain/entities/resolve.ts';
import { api } from './middleware/api.ts';
import { check, invalid } from './middleware/check.ts';
import { reply } from './middleware/replies.ts';

const Refs = z.array(EntityRef).min(1).max(limits.resolve_max_refs);

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

export const handler = api('ResolveEntities', async ({ caller, query }) => {
  const refs = check(Refs, parse(query.refs), ['refs']);
  return reply(200, { results: await resolveRefs(caller.workspace.workspace_id, refs) });
});

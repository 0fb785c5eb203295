// GET /artifacts/{id}
import { fail } from '#contract/errors.ts';
import { slowApi } from '#edge/api.ts';
import { reply } from '#edge/replies.ts';
import { isUuid } from '#platform/crypto.ts';
import * as artifacts from '#store/runs/artifacts.ts';

export const handler = slowApi('GetArtifact', async ({ caller, params, query }) => {
  const { id } = params;
  const artifact = isUuid(id)
    ? await artifacts.get(caller.workspace.workspace_id, id.toLowerCase())
    : undefined;
  if (!artifact) throw fail('artifact_not_found');
  const { entity_refs = [], ...body } = artifact;
  // Without include=links the field is absent (rules.md: artifacts 1).
  return reply(200, query.include === 'links' ? { ...body, entity_refs } : body);
});

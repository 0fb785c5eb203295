// GET /artifacts/{id}
import { Readable } from 'node:stream';
import { fail } from '#contract/errors.ts';
import { slowApi } from '#edge/api.ts';
import { isUuid } from '#platform/crypto.ts';
import * as artifacts from '#store/runs/artifacts.ts';

export const handler = slowApi('GetArtifact', async ({ caller, params, query }) => {
  const { id } = params;
  const artifact = isUuid(id)
    ? await artifacts.openText(caller.workspace.workspace_id, id.toLowerCase())
    : undefined;
  if (!artifact) throw fail('artifact_not_found');
  const { text, entity_refs } = artifact;
  // A large text passes through unparsed. Without include=links the field is absent (rules.md: artifacts 1).
  const stream = query.include === 'links' ? Readable.from(withMember(text, { entity_refs })) : text;
  return { status: 200, stream };
});

/** The JSON text of an object with another member, before the others. */
async function* withMember(json: Readable, member: object): AsyncGenerator<string | Buffer> {
  let begun = false;
  for await (const piece of json) {
    if (begun) yield piece;
    else {
      yield `${JSON.stringify(member).slice(0, -1)},`;
      yield Buffer.from(piece).subarray(1);
    }
    begun = true;
  }
}

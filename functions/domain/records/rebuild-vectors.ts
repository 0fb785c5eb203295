// Rebuilds the vectors of a workspace after a change of the embedding model or of the index.
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { chunks } from '#platform/chunks.ts';
import * as entities from '#store/records/entities.ts';
import { indexRecords, replaceVector } from '#store/records/vectors.ts';
import { embedRecords } from './embed.ts';

/** Records per invocation: two calls of the embedding model, some seconds of writes. */
const RECORDS_MAX = 200;
const IN_PARALLEL = 10;

/**
 * Embeds the records after `after` (an id; undefined: from the first) and replaces their vectors. `next` is the `after`
 * of the next part, null at the end. Safe to repeat. Throws AdminError `workspace_not_found`, `model_unavailable`.
 */
export async function rebuildVectors(
  workspaceId: string,
  after: string | undefined,
): Promise<{ rebuilt: number; next: string | null }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  const found = await entities.listAfter(workspace_id, after, RECORDS_MAX);
  const vectors = await embedRecords(found);
  const records = found.map((entity, i) => ({ entity, vector: vectors[i] ?? [] }));
  const replaced: typeof records = [];
  for (const some of chunks(records, IN_PARALLEL)) {
    const done = await Promise.all(some.map(({ entity, vector }) => replaceVector(entity, vector)));
    replaced.push(...some.filter((_, k) => done[k]));
  }
  await indexRecords(workspace_id, replaced);
  return { rebuilt: replaced.length, next: found.at(-1)?.id ?? null };
}

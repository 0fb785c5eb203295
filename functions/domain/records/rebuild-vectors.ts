// Makes the vectors of a workspace again: all of them for an administrator, or those that another embedding made.
import { type EmbeddingOf, isOf, offlineVectorOf } from '#contract/embeddings.ts';
import type { Entity } from '#contract/entities.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { chunks } from '#platform/chunks.ts';
import * as entities from '#store/records/entity-items.ts';
import { type RecordState, recordPage } from '#store/records/record-states.ts';
import { saveVectors } from '#store/records/vectors.ts';
import { isModelTrouble, makeVectors } from './embed.ts';

/** Records per invocation: two calls of the embedding model, some seconds of writes. */
const RECORDS_MAX = 200;
const CALL_MS = 120_000;

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
  try {
    const rebuilt = await remake(workspace_id, found, AbortSignal.timeout(CALL_MS));
    return { rebuilt, next: found.at(-1)?.id ?? null };
  } catch (error) {
    if (!isModelTrouble(error)) throw error;
    throw new AdminError('model_unavailable', `The records could not be embedded: ${error.message}`);
  }
}

/** Makes the vectors of records and saves them; how many were saved. Throws ModelError, ModelsAway. */
export async function remake(workspaceId: string, records: Entity[], signal: AbortSignal): Promise<number> {
  const vectors = await makeVectors(records, signal);
  return saveVectors(
    workspaceId,
    records.flatMap((entity, i) => {
      const made = vectors[i];
      return made ? [{ entity, ...made }] : [];
    }),
  );
}

const isOutdated = (wanted: EmbeddingOf, { vector, vector_of }: RecordState): boolean =>
  !vector || !isOf(wanted, vector_of ?? offlineVectorOf(vector.length));

/** Records whose vectors are made at a time. */
const SOME = 100;

/**
 * Makes the vectors of a page of records after `after` that are not of this embedding; `next` is undefined at the end.
 * Throws ModelError, ModelsAway.
 */
export async function remakeOutdated(
  workspaceId: string,
  wanted: EmbeddingOf,
  after: string | undefined,
  signal: AbortSignal,
): Promise<{ next: string | undefined }> {
  const { records, next } = await recordPage(workspaceId, after);
  const outdated = records.filter((state) => isOutdated(wanted, state)).map(({ entity }) => entity);
  for (const some of chunks(outdated, SOME)) await remake(workspaceId, some, signal);
  return { next };
}

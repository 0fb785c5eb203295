// Vectors of records, embedded from the text that searches rank.
import type { Entity } from '#contract/entities.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { configuredEmbedding } from '#models/configured-embedding.ts';
import { ModelError } from '#models/model.ts';
import { chunks } from '#platform/chunks.ts';
import { entityItem, searchText } from '#sources/items.ts';

const TEXTS_PER_CALL = 100;

/** One vector per record, same order. Throws AdminError `model_unavailable` when the embedding model fails. */
export async function embedRecords(records: Entity[]): Promise<number[][]> {
  const model = configuredEmbedding();
  const texts = records.map((record) => searchText(entityItem(record)));
  const vectors: number[][] = [];
  try {
    for (const some of chunks(texts, TEXTS_PER_CALL)) {
      // Embedding records belongs to no run: the provider's bill alone shows it.
      vectors.push(...(await model.embed(some, { onReply: () => undefined })));
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new AdminError('model_unavailable', `The records could not be embedded: ${error.message}`);
  }
  return vectors;
}

// Vectors of records, embedded from the text that searches rank.
import { storedVectorOf } from '#contract/embeddings.ts';
import type { Entity } from '#contract/entities.ts';
import { askModel } from '#domain/models/ask-model.ts';
import { configuredEmbedding } from '#models/configured-embedding.ts';
import { ModelError } from '#models/model.ts';
import { ModelsAway } from '#models/models-away.ts';
import { chunks } from '#platform/chunks.ts';
import { describe, log } from '#platform/log.ts';
import { entityItem, searchText } from '#sources/to-items.ts';
import type { RecordVector } from '#store/records/vectors.ts';

const TEXTS_PER_CALL = 100;

/** No vector could be made, and may be later on. */
export const isModelTrouble = (error: unknown): error is ModelError | ModelsAway =>
  error instanceof ModelError || error instanceof ModelsAway;

/**
 * One vector per record, same order; no call begins or goes on after the signal. Each call is tried as those of a step
 * are. Throws ModelError, ModelsAway.
 */
export async function makeVectors(records: Entity[], signal: AbortSignal): Promise<RecordVector[]> {
  const model = configuredEmbedding();
  const texts = records.map((record) => searchText(entityItem(record)));
  const vectors: number[][] = [];
  for (const some of chunks(texts, TEXTS_PER_CALL)) {
    // Embedding records belongs to no run: the provider's bill alone shows it.
    const embed = () => model.embed(some, { signal, onReply: () => undefined });
    const { embeddingName: name } = model;
    vectors.push(...(await (name === null ? embed() : askModel([name], embed, { signal }))));
  }
  return vectors.map((vector) => ({ vector, vector_of: storedVectorOf(model.embeddingModel, vector) }));
}

/**
 * As `makeVectors`, within `patienceMs`, for records that are about to be saved: while the embedding model fails they
 * are saved without vectors, which the sweep makes (rules.md: vectors 2).
 */
export async function embedRecords(
  records: Entity[],
  patienceMs: number,
): Promise<(RecordVector | undefined)[]> {
  const signal = AbortSignal.timeout(patienceMs);
  const made: (RecordVector | undefined)[] = [];
  try {
    for (const some of chunks(records, TEXTS_PER_CALL)) made.push(...(await makeVectors(some, signal)));
  } catch (error) {
    if (!isModelTrouble(error)) throw error;
    const without = records.length - made.length;
    log.warn('records saved without vectors', { records: without, error: describe(error) });
  }
  return records.map((_, i) => made[i]);
}

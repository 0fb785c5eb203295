// Which embedding made a vector: vectors of two models, or of two lengths, cannot be compared.
import type { VectorCounts } from './record-queries.ts';

/** A model, and the length of its vectors. */
export interface EmbeddingOf {
  model: string;
  /** Unknown until the model has made a vector. */
  dimensions?: number | undefined;
}

/** The form in which it is stored with a vector. */
const vectorOf = (model: string, dimensions: number): string => `${model}/${dimensions}`;

/** What is stored with a vector of this model: nothing for the offline one. */
export const storedVectorOf = (model: string, vector: { length: number }): string | undefined =>
  model === 'offline' ? undefined : vectorOf(model, vector.length);

/** The stored form of a vector that does not say it: the offline embedding made it. */
export const offlineVectorOf = (dimensions: number): string => vectorOf('offline', dimensions);

/** Whether a vector in its stored form is of this embedding. */
export function isOf({ model, dimensions }: EmbeddingOf, stored: string): boolean {
  const end = stored.lastIndexOf('/');
  return (
    stored.slice(0, end) === model &&
    (dimensions === undefined || stored.slice(end + 1) === String(dimensions))
  );
}

/** How many records have no vector of this embedding. */
export function outdatedIn({ records, vectors }: VectorCounts, embedding: EmbeddingOf): number {
  const own = vectors.filter(({ vector_of }) => isOf(embedding, vector_of));
  return Math.max(0, records - own.reduce((sum, { count }) => sum + count, 0));
}

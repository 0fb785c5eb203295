// Exact cosine similarity of vectors.

export interface Scored {
  id: string;
  score: number;
}

/**
 * The vectors by similarity to the query, best first, from `minScore` up. Skips a vector of another length, which
 * another model made.
 */
export function nearest(
  query: ArrayLike<number>,
  vectors: { id: string; vector: ArrayLike<number> }[],
  minScore: number,
): Scored[] {
  return vectors
    .filter(({ vector }) => vector.length === query.length)
    .map(({ id, vector }) => ({ id, score: cosine(query, vector) }))
    .filter(({ score }) => score >= minScore)
    .sort((left, right) => right.score - left.score);
}

/** Cosine of the angle between two vectors of one length, -1 to 1; 0 when either is all zeros. */
export function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let dot = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let i = 0; i < left.length; i += 1) {
    const [a, b] = [left[i] ?? 0, right[i] ?? 0];
    dot += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  const lengths = Math.sqrt(leftSquares) * Math.sqrt(rightSquares);
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, dot / lengths));
}

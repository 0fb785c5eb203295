// The offline embedding.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMBEDDING_DIMENSIONS, embedText } from '#models/offline/embedding.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { embed } from './given.ts';

const cosine = (a: string, b: string) => {
  const other = embedText(b);
  return embedText(a).reduce((sum, x, i) => sum + x * (other[i] ?? 0), 0);
};

test('an embedding is a unit vector of 256 numbers, or zero for a text without words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const vector = embedText(text);
      const length = Math.hypot(...vector);
      expect(vector).toHaveLength(EMBEDDING_DIMENSIONS);
      expect(length === 0 || Math.abs(length - 1) < 1e-9).toBe(true);
      expect(embedText(text)).toEqual(vector);
    }),
  );
});
test('a text is nearest to itself, then to one that shares words, then to one of like spelling', () => {
  const query = 'software company in Berlin';
  expect(cosine(query, query)).toBeCloseTo(1);
  expect(cosine(query, 'A Berlin software firm')).toBeGreaterThan(cosine(query, 'logistics in Hamburg'));
  expect(cosine('fintech payments', 'payment')).toBeGreaterThan(0.3);
  expect(cosine('robotics', 'robotic arms')).toBeGreaterThan(cosine('robotics', 'olive oil'));
});
test('offline embeddings call no provider', async () => {
  expect((await embed(offlineModel(), ['a', 'b'])).usages).toEqual([]);
  expect(offlineModel().embeddingName).toBeNull();
});

// The nearest vectors, whether whole chunks are compared or only the few that count, are those of a plain comparison.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantize } from '#platform/quantize.ts';
import { createReading, within } from '#record-index/reading.ts';
import { openMemory } from '#record-index/schema.ts';
import { nearestVectors, vectorWriter } from '#record-index/vectors.ts';

const reading = createReading(
  { ms: Number.POSITIVE_INFINITY, pairs: Number.POSITIVE_INFINITY },
  { nowMs: () => 0, isStopped: () => false },
);
const product = (left: Int8Array, right: Int8Array) =>
  left.reduce((sum, one, i) => sum + one * (right[i] ?? 0), 0);

/** The length of a stored vector has 32 bits. */
function cosine(stored: Int8Array, query: Int8Array): number {
  const lengths = Math.fround(Math.sqrt(product(stored, stored))) * Math.sqrt(product(query, query));
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, product(stored, query) / lengths));
}

const DIMENSIONS = 19;
const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS });

test('of any records that count, those with the greatest cosine come first, older records before others as near', () => {
  const some = fc.array(fc.option(vector, { nil: undefined }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(some, vector, fc.integer({ min: 1, max: 40 }), (vectors, query, step) => {
      const database = openMemory();
      const writer = vectorWriter(database);
      for (const [rid, one] of vectors.entries()) writer.put(rid, one);
      writer.flush();
      const counts = (rid: number) => rid % step === 0;
      const expected = vectors
        .flatMap((one, rid) =>
          one && counts(rid) ? [{ rid, score: cosine(quantize(one), quantize(query)) }] : [],
        )
        .toSorted((one, other) => other.score - one.score || one.rid - other.rid)
        .slice(0, 10);
      const rids = step === 1 ? undefined : [...vectors.keys()].filter(counts);
      const found = within(reading, () =>
        nearestVectors(database, query, rids, { limit: 10, min_score: -1 }),
      );
      database.close();
      expect(found).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

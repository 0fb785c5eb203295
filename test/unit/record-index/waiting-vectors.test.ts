// An index whose vectors come later answers as one that always had them, whatever changed in between.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { applyChanges, type IndexChanges, noChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/operations.ts';
import { openMemory } from '#record-index/schema.ts';
import { transaction } from '#record-index/transaction.ts';
import { addingObjects, restoredFrom } from '../../support/snapshot-objects.ts';
import { entity } from '../sources/memory-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'waiting-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

const vector = fc.oneof(
  { arbitrary: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 }), weight: 6 },
  { arbitrary: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 5, maxLength: 5 }), weight: 1 },
  { arbitrary: fc.constant(undefined), weight: 1 },
);
const change = fc.record({
  n: fc.integer({ min: 0, max: 20 }),
  type: fc.constantFrom('company', 'person'),
  vector,
  gone: fc.integer({ min: 0, max: 3 }).map((chance) => chance === 0),
});
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

function changesOf({ n, type, vector: own, gone }: Change): IndexChanges {
  const one = entity(type, `Record ${n}`, {});
  const id = `r${n}`;
  return gone
    ? { ...noChanges, gone_records: [id] }
    : { ...noChanges, records: [{ entity: { ...one, id }, vector: own }] };
}

function applyAll(index: DatabaseSync, changes: Change[]): void {
  for (const one of changes) transaction(index, () => applyChanges(index, changesOf(one)));
}

const nearest = (index: DatabaseSync) =>
  [
    { types: null, vector: [1, 2, -1] },
    { types: ['person'], vector: [2, 0, 1] },
    { types: null, vector: [1, 0, 0, 1, 2] },
  ].map((query) =>
    operations.nearest(index, { ...query, limit: 100, min_score: -1 }).map(({ id, score }) => [id, score]),
  );

const isOfVectors = (name: string) => name.startsWith('vectors-');

test('whatever changes before and after the vectors come, the nearest are the same', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), fc.array(change), (before, between, after) => {
      const whole = openMemory();
      applyAll(whole, before);
      const restored = restoredFrom(whole, newPath());
      applyAll(whole, between);
      const { added } = addingObjects(restored, (index) => applyAll(index, between));
      expect(added.filter(isOfVectors)).toEqual([]);
      const first = addingObjects(restored, nearest);
      expect(first.added.filter(isOfVectors)).toEqual(['vectors-0']);
      expect(first.result).toEqual(nearest(whole));
      applyAll(whole, after);
      addingObjects(restored, (index) => applyAll(index, after));
      expect(addingObjects(restored, nearest).result).toEqual(nearest(whole));
      for (const index of [whole, restored.index]) index.close();
    }),
    { numRuns: 25 },
  );
});

/** An index with so many records, each with a vector that does not compress, restored. */
function restoredWith(vectors: number) {
  const whole = openMemory();
  const records = Array.from({ length: vectors }, (_, n) => ({
    entity: entity('company', `Record ${n}`, {}),
    vector: Array.from({ length: 500 }, (_, i) => (Math.sin(n * 500 + i) * 10_000) % 1),
  }));
  transaction(whole, () => applyChanges(whole, { ...noChanges, records }));
  return restoredFrom(whole, newPath());
}

test('vectors that were added once are not added again', () => {
  const restored = restoredWith(1);
  const query = { types: null, vector: Array(500).fill(1), limit: 9, min_score: -1 };
  const near = () => addingObjects(restored, (index) => operations.nearest(index, query)).result;
  expect(near()).toHaveLength(1);
  const [{ id } = { id: '' }] = near();
  const changed = { ...entity('company', 'Record 0', {}), id };
  const changes = { ...noChanges, records: [{ entity: changed, vector: [1, 2] }] };
  addingObjects(restored, (index) => transaction(index, () => applyChanges(index, changes)));
  for (const object of restored.objects) operations.addObject(restored.index, object);
  expect(near()).toEqual([]);
});

test('vectors are a part of their own, and the file has its size before they come', () => {
  const restored = restoredWith(2000);
  const bytesOf = (isWanted: (name: string) => boolean) =>
    restored.objects
      .filter(({ part, number }) => isWanted(`${part}-${number}`))
      .reduce((sum, { packed }) => sum + packed.length, 0);
  expect(bytesOf(isOfVectors)).toBeGreaterThan(500_000);
  expect(bytesOf((name) => !isOfVectors(name))).toBeLessThan(200_000);
  const pages = () => Number(restored.index.prepare('PRAGMA page_count').get()?.page_count);
  const before = pages();
  addingObjects(restored, nearest);
  expect(pages()).toBe(before);
});

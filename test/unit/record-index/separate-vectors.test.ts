// An index whose vectors come later answers as one that always had them, whatever changed in between.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { applyChanges, type IndexChanges, noChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/operations.ts';
import { openFile } from '#record-index/schema.ts';
import { transaction } from '#record-index/transaction.ts';
import { addingBodies } from '../../support/bodies.ts';
import { entity } from '../sources/memory-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'separate-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Paths of a copy of an index, of its vectors and of its bodies, which no vector needs. */
function newPaths() {
  files += 1;
  const path = join(folder, `${files}.db`);
  return { path, vectors_path: `${path}.vectors`, bodies_path: `${path}.bodies`, at: `place ${files}` };
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

const open = () => openFile(newPaths().path);
type Index = ReturnType<typeof open>;

function applyAll(index: Index, changes: Change[]): void {
  for (const one of changes) transaction(index, () => applyChanges(index, changesOf(one)));
}

const nearest = (index: Index) =>
  [
    { types: null, vector: [1, 2, -1] },
    { types: ['person'], vector: [2, 0, 1] },
    { types: null, vector: [1, 0, 0, 1, 2] },
  ].map((query) =>
    operations.nearest(index, { ...query, limit: 100, min_score: -1 }).map(({ id, score }) => [id, score]),
  );

test('whatever changes before and after the vectors come, the nearest are the same', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), fc.array(change), (before, between, after) => {
      const whole = open();
      applyAll(whole, before);
      const copies = newPaths();
      const { has_vectors, body_blocks } = operations.copyTo(whole, copies);
      const restored = openFile(copies.path);
      applyAll(whole, between);
      addingBodies(restored, { ...copies, body_blocks }, () => applyAll(restored, between));
      expect(operations.absentVectors(restored)).toBe(has_vectors ? copies.at : undefined);
      if (has_vectors) operations.addVectors(restored, { path: copies.vectors_path, where: copies.at });
      const nearestOf = (index: Index) =>
        addingBodies(index, { ...copies, body_blocks }, () => nearest(index)).result;
      expect(nearestOf(restored)).toEqual(nearest(whole));
      applyAll(whole, after);
      addingBodies(restored, { ...copies, body_blocks }, () => applyAll(restored, after));
      expect(nearestOf(restored)).toEqual(nearest(whole));
      for (const index of [whole, restored]) index.close();
    }),
    { numRuns: 60 },
  );
});

function restoredWith(vectors: number) {
  const whole = open();
  const records = Array.from({ length: vectors }, (_, n) => ({
    entity: entity('company', `Record ${n}`, {}),
    vector: Array.from({ length: 500 }, (_, i) => (Math.sin(n * 500 + i) * 10_000) % 1),
  }));
  transaction(whole, () => applyChanges(whole, { ...noChanges, records }));
  const paths = newPaths();
  const { body_blocks } = operations.copyTo(whole, paths);
  const copies = { ...paths, body_blocks };
  return { copies, restored: openFile(paths.path) };
}

test('an index without its vectors compares none and is not copied', () => {
  const { restored } = restoredWith(1);
  expect(() => nearest(restored)).toThrow('not built');
  expect(() => operations.copyTo(restored, newPaths())).toThrow('not built');
});

test('vectors of another snapshot are not added', () => {
  const { restored, copies } = restoredWith(1);
  operations.addVectors(restored, { path: copies.vectors_path, where: 'another place' });
  expect(operations.absentVectors(restored)).toBe(copies.at);
});

test('vectors that were added once are not added again', () => {
  const { restored, copies } = restoredWith(1);
  const add = () => operations.addVectors(restored, { path: copies.vectors_path, where: copies.at });
  add();
  add();
  const query = { types: null, vector: Array(500).fill(1), limit: 9, min_score: -1 };
  const near = addingBodies(restored, copies, () => operations.nearest(restored, query));
  expect(near.result).toHaveLength(1);
});

test('a packed copy has no room for the vectors that it left, and its file no need to grow for them', () => {
  const { restored, copies } = restoredWith(2000);
  const packed = (path: string) => zstdCompressSync(readFileSync(path)).length;
  expect(packed(copies.vectors_path)).toBeGreaterThan(500_000);
  expect(packed(copies.path)).toBeLessThan(200_000);
  const pages = () => Number(restored.prepare('PRAGMA page_count').get()?.page_count);
  const before = pages();
  operations.addVectors(restored, { path: copies.vectors_path, where: copies.at });
  expect(pages()).toBeLessThan(before * 1.05);
});

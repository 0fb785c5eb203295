// An index whose bodies come later, block by block, answers as one that always had them, whatever changed in between.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '#contract/json.ts';
import { applyChanges, type IndexChanges, noChanges } from '#record-index/apply.ts';
import { addBodies, BodiesAbsent } from '#record-index/bodies.ts';
import { operations } from '#record-index/operations.ts';
import { openFile } from '#record-index/schema.ts';
import { transaction } from '#record-index/transaction.ts';
import { addingBodies, blocksOf } from '../../support/bodies.ts';
import { entity } from '../sources/memory-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'bodies-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPaths() {
  files += 1;
  const path = join(folder, `${files}.db`);
  return {
    path,
    vectors_path: `${path}.vectors`,
    bodies_path: `${path}.bodies`,
    at: `place ${files}`,
  };
}

/** A copy of the index that was opened as restored, without its bodies. */
function restoredFrom(whole: DatabaseSync) {
  const paths = newPaths();
  const { body_blocks } = operations.copyTo(whole, paths);
  return { restored: openFile(paths.path), copied: { ...paths, body_blocks } };
}

const change = fc.record({
  n: fc.integer({ min: 0, max: 20 }),
  type: fc.constantFrom('company', 'person'),
  revenue: fc.oneof(
    fc.integer().map((n): Json => n),
    fc.constant<Json>('un"known\\'),
    fc.constant<Json>([1, 'Łódź']),
  ),
  gone: fc.integer({ min: 0, max: 3 }).map((chance) => chance === 0),
});
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

function changesOf({ n, type, revenue, gone }: Change): IndexChanges {
  const id = `r${n}`;
  const one = { ...entity(type, `Record ${n}`, { revenue, n }), id };
  return gone
    ? { ...noChanges, gone_records: [id] }
    : { ...noChanges, records: [{ entity: one, vector: undefined }] };
}

const apply = (index: DatabaseSync, changes: IndexChanges) =>
  transaction(index, () => applyChanges(index, changes));

/** All that is read of bodies. */
const readAll = (index: DatabaseSync) => ({
  found: operations.find(index, { types: null, sort: [{ field: 'n' }], limit: 100 }),
  described: operations.describe(index, { limit: 10 }),
  one: operations.recordWithLinks(index, { id: 'r1', limit: 10 }),
  relevant: operations.find(index, { types: null, words: ['record'], sort: 'relevance', limit: 5 }),
});

test('whatever changes before and after the bodies come, the answers are the same', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), fc.boolean(), (before, after, isReadFirst) => {
      const whole = openFile(newPaths().path);
      for (const one of before) apply(whole, changesOf(one));
      const { restored, copied } = restoredFrom(whole);
      const read = () => addingBodies(restored, copied, () => readAll(restored)).result;
      if (isReadFirst) expect(read()).toEqual(readAll(whole));
      for (const changes of after.map(changesOf)) {
        apply(whole, changes);
        addingBodies(restored, copied, () => apply(restored, changes));
      }
      expect(read()).toEqual(readAll(whole));
      for (const index of [whole, restored]) index.close();
    }),
    { numRuns: 60 },
  );
});

/** An index of five blocks, restored. */
function manyRestored() {
  const whole = openFile(newPaths().path);
  const records = Array.from({ length: 9000 }, (_, n) => ({
    entity: { ...entity('company', `Record ${n}`, { n }), id: `r${n}` },
    vector: undefined,
  }));
  apply(whole, { ...noChanges, records });
  return { whole, ...restoredFrom(whole) };
}

test('hits and changes need the blocks of their records alone, conditions and counts none', () => {
  const { whole, restored, copied } = manyRestored();
  const where = { field: 'n', op: '>', value: 8998 } as const;
  const find = (index: DatabaseSync) =>
    operations.find(index, { types: null, where, sort: [{ field: 'n' }], limit: 5 });
  expect(operations.count(restored, { types: null, where })).toBe(1);
  expect(addingBodies(restored, copied, () => find(restored))).toEqual({ result: find(whole), added: [4] });
  const gone = { ...noChanges, gone_records: ['r1', 'r8999'] };
  expect(addingBodies(restored, copied, () => apply(restored, gone)).added).toEqual([0]);
  expect(operations.count(restored, { types: null })).toBe(8998);
});

test('an index that lacks bodies is copied once it has them all', () => {
  const { whole, restored, copied } = manyRestored();
  const { result, added } = addingBodies(restored, copied, () => restoredFrom(restored));
  expect(added).toEqual([0, 1, 2, 3, 4]);
  const again = addingBodies(result.restored, result.copied, () => readAll(result.restored));
  expect(again.result).toEqual(readAll(whole));
});

test('a damaged block is refused, and one of another snapshot is not added', () => {
  const { restored, copied } = manyRestored();
  const [packed = Buffer.alloc(0)] = blocksOf(copied).values();
  const find = () => operations.find(restored, { types: null, sort: [{ field: 'n' }], limit: 1 });
  addBodies(restored, { block: 0, packed, where: 'another place' });
  expect(find).toThrow(BodiesAbsent);
  const damaged = Buffer.from(packed);
  damaged.writeUInt8(damaged.readUInt8(40) ^ 1, 40);
  expect(() => addBodies(restored, { block: 0, packed: damaged, where: copied.at })).toThrow('malformed');
  addBodies(restored, { block: 0, packed, where: copied.at });
  addBodies(restored, { block: 0, packed, where: copied.at });
  expect(find().hits).toHaveLength(1);
});

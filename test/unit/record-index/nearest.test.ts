// The nearest vectors are those of a plain comparison, whether they are in memory or read from the file, whole chunks
// or the few that count, and whichever connection wrote them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { quantize } from '#platform/quantize.ts';
import { applyChanges, noChanges } from '#record-index/apply.ts';
import { nearestRecords } from '#record-index/find-records.ts';
import { operations } from '#record-index/index-operations.ts';
import { createReading, ReadingStopped, within } from '#record-index/reading-limits.ts';
import { dropVectors, residentBytes, retainVectors } from '#record-index/resident-vectors.ts';
import { openFile, openMemory } from '#record-index/schema.ts';
import { transaction } from '#record-index/transaction.ts';
import { entity } from '../sources/memory-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'nearest-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => retainVectors(0));
let files = 0;

const product = (left: Int8Array, right: Int8Array) =>
  left.reduce((sum, one, i) => sum + one * (right[i] ?? 0), 0);

/** The length of a stored vector has 32 bits. */
function cosine(stored: Int8Array, query: Int8Array): number {
  const lengths = Math.fround(Math.sqrt(product(stored, stored))) * Math.sqrt(product(query, query));
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, product(stored, query) / lengths));
}

const DIMENSIONS = 19;
/** A chunk of vectors in memory. */
const CHUNK_BYTES = 64 * DIMENSIONS;
const RECORDS = 150;
const types = ['company', 'person', 'project'];
const vectorOf = (dimensions: number) =>
  fc.array(fc.integer({ min: -2, max: 2 }), { minLength: dimensions, maxLength: dimensions });
const vector = vectorOf(DIMENSIONS);

const change = fc.record({
  n: fc.integer({ min: 0, max: RECORDS - 1 }),
  type: fc.constantFrom(...types),
  vector: fc.oneof(
    { arbitrary: vector, weight: 6 },
    { arbitrary: vectorOf(3), weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 1 },
  ),
  gone: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
});
const question = fc.record({
  vector: fc.oneof({ arbitrary: vector, weight: 4 }, { arbitrary: vectorOf(3), weight: 1 }),
  types: fc.option(fc.uniqueArray(fc.constantFrom(...types, 'unknown'), { minLength: 1, maxLength: 2 })),
  /** Of how many records one meets the condition; 0: there is no condition. */
  one_in: fc.constantFrom(0, 1, 2, 9, 50),
  limit: fc.integer({ min: 1, max: 12 }),
  min_score: fc.constantFrom(-1, 0.3),
});
const acts = {
  changes: fc.array(change, { minLength: 1, maxLength: 60, size: 'max' }),
  question,
  stopped: fc.record({ question, after: fc.nat({ max: 12 }) }),
  emptied: fc.constant(true),
};
/** Of one of two files, by one of the two connections to it. */
const act = fc.tuple(
  fc.record({ file: fc.nat({ max: 1 }), connection: fc.nat({ max: 1 }) }),
  fc.oneof(
    { arbitrary: fc.record({ changes: acts.changes }), weight: 4 },
    { arbitrary: fc.record({ question: acts.question }), weight: 6 },
    { arbitrary: fc.record({ stopped: acts.stopped }), weight: 2 },
    { arbitrary: fc.record({ emptied: acts.emptied }), weight: 1 },
  ),
);

type Change = Omit<typeof change extends fc.Arbitrary<infer C> ? C : never, 'gone'>;
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

/** The records by number, in the order in which they came into the index. */
type Model = Map<number, Change>;

function write(database: DatabaseSync, model: Model, changed: (Change & { gone: boolean })[]): void {
  transaction(database, () => {
    for (const { gone, ...one } of changed) {
      const record = entity(one.type, `N${one.n}`, { n: one.n }, { id: `id-${one.n}` });
      const records = gone ? [] : [{ entity: record, vector: one.vector }];
      const gone_records = gone ? [record.id] : [];
      applyChanges(database, { ...noChanges, records, gone_records });
      if (gone) model.delete(one.n);
      else model.set(one.n, one);
    }
  });
}

const numbersOf = (one_in: number) =>
  Array.from({ length: RECORDS }, (_, n) => n).filter((n) => n % one_in === 0);

function ask(database: DatabaseSync, { one_in, ...query }: Question) {
  const where = one_in > 0 ? { field: 'n', op: 'in' as const, value: numbersOf(one_in) } : undefined;
  return nearestRecords(database, { ...query, where }).map(({ id, score }) => ({ id, score }));
}

/** Stops a question when it has looked at its limits a number of times, if it needs so long. */
function stop(database: DatabaseSync, { question, after }: { question: Question; after: number }): void {
  let looks = 0;
  const isStopped = () => {
    looks += 1;
    return looks > after;
  };
  const reading = createReading({ ms: 1, pairs: 1 }, { nowMs: () => 0, isStopped });
  const outcome = () => within(reading, () => ask(database, question));
  if (!endsIn(outcome)) expect(looks).toBeGreaterThan(after);
}

function endsIn(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ReadingStopped);
    return false;
  }
}

/** Older records come before others as near: in the order of the index, which is that of the model. */
function expected(
  database: DatabaseSync,
  model: Model,
  { vector, types, one_in, limit, min_score }: Question,
) {
  const ids = database.prepare('SELECT id FROM records ORDER BY rid').all();
  return ids
    .flatMap(({ id }) => model.get(Number(String(id).slice('id-'.length))) ?? [])
    .filter((one) => !types || types.includes(one.type))
    .filter(({ n }) => one_in === 0 || n % one_in === 0)
    .flatMap(({ n, vector: own }) =>
      own?.length === vector.length
        ? [{ id: `id-${n}`, score: cosine(quantize(own), quantize(vector)) }]
        : [],
    )
    .filter(({ score }) => score >= min_score)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit);
}

const budgets = [
  ['no vectors', 0],
  ['two chunks of vectors', 2 * CHUNK_BYTES],
  ['all vectors', 100 * CHUNK_BYTES],
] as const;

/** A file with two connections, as of two processes, and what must be in it. */
function newFile() {
  files += 1;
  const name = join(folder, `${files}.db`);
  return { connections: [openFile(name), openFile(name)], model: new Map() satisfies Model };
}

test.each(budgets)('with memory for %s, after any changes of two files by two processes', (_, budget) => {
  retainVectors(budget);
  fc.assert(
    fc.property(fc.array(act, { minLength: 5, maxLength: 20, size: 'max' }), (done) => {
      const both = [newFile(), newFile()];
      for (const [{ file, connection }, one] of done) {
        const { connections, model } = both[file] ?? newFile();
        const database = connections[connection] ?? openMemory();
        if ('changes' in one) write(database, model, one.changes);
        else if ('question' in one)
          expect(ask(database, one.question)).toEqual(expected(database, model, one.question));
        else if ('stopped' in one) stop(database, one.stopped);
        else {
          operations.reset(database, operations.state(database).revision);
          model.clear();
        }
        expect(residentBytes()).toBeLessThanOrEqual(budget);
      }
      for (const database of both.flatMap(({ connections }) => connections)) {
        dropVectors(database);
        database.close();
      }
      expect(residentBytes()).toBe(0);
    }),
    { numRuns: 12 },
  );
});

const all: Question = {
  vector: Array.from({ length: DIMENSIONS }, (_, i) => i % 3),
  ...{ types: null, one_in: 0, limit: RECORDS, min_score: -1 },
};
/** Changes of the first records, one each. */
const changesOf = (count: number, sign: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ n, type: 'company', gone: false },
    vector: all.vector.map((one, i) => (i === n % DIMENSIONS ? sign * n : one)),
  }));

test('vectors of emptied tables are not found, although the new tables have fewer versions', () => {
  retainVectors(100 * CHUNK_BYTES);
  const { connections, model } = newFile();
  for (const database of connections) {
    write(database, model, changesOf(RECORDS, 1));
    expect(ask(database, all)).toEqual(expected(database, model, all));
    operations.reset(database, operations.state(database).revision);
    model.clear();
    write(database, model, changesOf(3, -1));
    for (const each of connections) expect(ask(each, all)).toEqual(expected(each, model, all));
  }
});

test('a question that is stopped while vectors come into memory leaves them to the next one', () => {
  retainVectors(100 * CHUNK_BYTES);
  for (let after = 0; after < 9; after += 1) {
    const { connections, model } = newFile();
    for (const database of connections) {
      write(database, model, changesOf(RECORDS, 1));
      // The first chunk is the last that was written.
      write(database, model, changesOf(3, -1));
      stop(database, { question: all, after });
      expect(ask(database, all)).toEqual(expected(database, model, all));
    }
  }
});

// rules.md: records 13. A reading does no more than its step may.
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Where } from '#contract/conditions.ts';
import type { JsonObject } from '#contract/json.ts';
import type { GroupRow } from '#contract/record-queries.ts';
import { applyChanges, noChanges } from '#record-index/apply.ts';
import { createGroups } from '#record-index/group-memory.ts';
import { operations } from '#record-index/index-operations.ts';
import {
  createReading,
  type Reading,
  ReadingStopped,
  TooCostly,
  within,
} from '#record-index/reading-limits.ts';
import { openFile } from '#record-index/schema.ts';
import { toStored } from '#record-index/stored-values.ts';
import { measures } from '../../support/random-records.ts';
import { entity } from '../sources/memory-readers.ts';

const numbered = (n: number, prefix = 't') => Array.from({ length: n }, (_, i) => `${prefix}${i}`);

function indexOf(...records: JsonObject[]): DatabaseSync {
  const database = openFile(':memory:');
  const states = records.map((fields, i) => ({
    entity: entity('thing', `N${i}`, fields),
    vector: undefined,
  }));
  applyChanges(database, { ...noChanges, records: states });
  return database;
}

function groups(database: DatabaseSync, group_by: string[]) {
  const query = { types: null, group_by, measures: [{ as: 'n', op: 'count' as const }] };
  const order = { sort: undefined, limit: 10_000 };
  return operations.group(database, { query: { ...query, ...order }, other_files: [] }, () => database);
}

interface Limits {
  ms?: number;
  pairs?: number;
  nowMs?: () => number;
  isStopped?: () => boolean;
}

const reading = ({ ms = 1, pairs = 1e9, nowMs = () => 0, isStopped = () => false }: Limits): Reading =>
  createReading({ ms, pairs }, { nowMs, isStopped });

const refusalOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof TooCostly ? { reason: error.reason, limit: error.limit } : error;
  }
};

test('a record counts under a thousand groups, not under one more', () => {
  const lists = { a: numbered(100), b: numbered(10), c: numbered(11), long: numbered(40_000) };
  const database = indexOf(lists);
  const by = (...fields: string[]) => refusalOf(() => within(reading({}), () => groups(database, fields)));
  expect(by('a', 'b')).toMatchObject({ matched: 1000 });
  const tooMany = { reason: 'groups_per_record', limit: 1000 };
  expect(by('a', 'c')).toEqual(tooMany);
  expect(by('long')).toEqual(tooMany);
  expect(by('long', 'long', 'long')).toEqual(tooMany);
});

test('pairs of a record and a group are counted over all records of a step, before they are made', () => {
  const database = indexOf({ a: numbered(10) }, { a: numbered(10) }, { a: [] });
  const most = (pairs: number) => refusalOf(() => within(reading({ pairs }), () => groups(database, ['a'])));
  expect(most(21)).toMatchObject({ matched: 11 });
  expect(most(20)).toEqual({ reason: 'pairs', limit: 5_000_000 });
});

test('records that are only counted make no pairs', () => {
  const database = indexOf({ a: 1 }, { a: 2 }, { a: 3 });
  const counted = within(reading({ pairs: 0 }), () => groups(database, []));
  expect(counted).toMatchObject({ rows: [{ measures: [{ count: 3 }] }], matched: 1 });
});

test('a reading reports how much of its allowance it used', () => {
  const times = [5, 8];
  const used = reading({ ms: 100, nowMs: () => times.shift() ?? 12 });
  within(used, () => groups(indexOf({ a: numbered(7) }), ['a']));
  expect(used.used()).toEqual({ ms: 7, pairs: 7 });
});

const rowByRow: Record<string, (database: DatabaseSync) => unknown> = {
  find: (database) => operations.find(database, { types: null, sort: 'relevance', limit: 1 }),
  words: (database) =>
    operations.find(database, { types: ['thing'], words: ['1', '2'], sort: 'relevance', limit: 1 }),
  count: (database) => operations.count(database, { types: null, where: { field: 'a', op: '=', value: 1 } }),
  group: (database) => groups(database, ['a']),
  nearest: (database) =>
    operations.nearest(database, { types: ['thing'], vector: [1], limit: 1, min_score: 0 }),
};

test.each(Object.entries(rowByRow))('%s ends when its time is over, and when it is stopped', (_, read) => {
  const database = indexOf({ a: 1 }, { a: 2 });
  let now = 0;
  const nowMs = () => {
    now += 1;
    return now;
  };
  expect(refusalOf(() => within(reading({ ms: 0, nowMs }), () => read(database)))).toEqual({
    reason: 'time',
    limit: 20_000,
  });
  const stopped = reading({ isStopped: () => true });
  expect(() => within(stopped, () => read(database))).toThrow(ReadingStopped);
  expect(() => read(database)).not.toThrow();
});

test.each([0, 1, 5, 15])(
  'the time of a reading is checked while it goes on, whatever records there are (%d)',
  (rest) => {
    const database = indexOf(...numbered(1600).map((a) => ({ a })));
    // Only records whose place in the file has this rest are left.
    const ids = database.prepare('SELECT id FROM records WHERE rid % 16 <> ?').all(rest);
    applyChanges(database, { ...noChanges, gone_records: ids.map(({ id }) => String(id)) });
    let checks = 0;
    const nowMs = () => {
      checks += 1;
      return 0;
    };
    for (let i = 0; i < 80; i += 1)
      within(reading({ nowMs }), () => expect(groups(database, ['a'])).toMatchObject({ matched: 100 }));
    // A check in 64 records would be 125; beginnings and ends are 160.
    expect(checks).toBeGreaterThan(200);
  },
);

test('the time of a condition is checked for each window of rids, and it reads every record once', () => {
  const database = indexOf(...numbered(3000).map((a) => ({ a })));
  let checks = 0;
  const nowMs = () => {
    checks += 1;
    return 0;
  };
  const where: Where = { field: 'a', op: '!=', value: 'none' };
  const counted = () => within(reading({ nowMs }), () => operations.count(database, { types: null, where }));
  expect(counted()).toBe(3000);
  expect(checks).toBeGreaterThan(3);
  database.exec('UPDATE records SET rid = rid * 10000 WHERE rid > 1500');
  checks = 0;
  expect(counted()).toBe(3000);
  expect(checks).toBeGreaterThan(500);
  expect(checks).toBeLessThan(1100);
});

test('a field is folded once per record, however many conditions search it', () => {
  const database = indexOf(
    { text: 'Größe', tags: ['É', 'Ö'] },
    { text: 'ärger', tags: [] },
    { text: 'ascii' },
  );
  const fold = vi.fn((text: string) => text.toLowerCase());
  database.function('fold_text', (text, separator) => fold(String(text)) + String(separator).slice(1));
  const searches = (field: string): Where[] =>
    numbered(20).map((value) => ({ field, op: 'contains', value }));
  operations.count(database, { types: null, where: { or: [...searches('text'), ...searches('tags')] } });
  expect(fold.mock.calls.flat().sort()).toEqual(['Größe', 'É', 'Ö', 'ärger'].sort());
});

test('no search matches across two elements of a list, whatever the characters', () => {
  const separators = ['\u{f0000}', '\u{f0001}', '\u{f0002}'];
  const character = fc.constantFrom('a', 'é', ...separators);
  const text = fc.string({ unit: character, minLength: 1, maxLength: 3 });
  const op = fc.constantFrom('contains' as const, 'starts_with' as const);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), text, op, (list, value, test) => {
      const holds = (one: string) => (test === 'contains' ? one.includes(value) : one.startsWith(value));
      const where: Where = { field: 'list', op: test, value };
      expect(operations.count(indexOf({ list }), { types: null, where })).toBe(Number(list.some(holds)));
    }),
    { numRuns: 200 },
  );
});

test('groups that exceed their memory are the same as groups that fit', () => {
  const key = fc.constantFrom<GroupRow['values'][number]>(null, 0, 1.5, 'a', '', true, false);
  const rows = fc.array(fc.tuple(key, key, fc.constantFrom(null, -2, 0.25, 'x', 'y')), { maxLength: 30 });
  const storedOf = (one: GroupRow['values'][number]) => (one === null ? null : toStored(one));
  const sorted = (found: Iterable<GroupRow>) =>
    [...found].toSorted((a, b) => (JSON.stringify(a.values) < JSON.stringify(b.values) ? -1 : 1));
  fc.assert(
    fc.property(rows, measures, (added, measured) => {
      const [inMemory, onDisk] = [createGroups(2, measured), createGroups(2, measured, 500)];
      for (const [first, second, value] of added)
        for (const some of [inMemory, onDisk])
          some.add([...[first, second].map(storedOf), ...measured.map(() => value)]);
      expect(sorted(onDisk.rows())).toEqual(sorted(inMemory.rows()));
      onDisk.close();
    }),
    { numRuns: 50 },
  );
});

// What a text mentions, where a field has few different values and where it has too many to list.
import { expect, test } from 'vitest';
import type { Entity } from '#contract/entities.ts';
import type { JsonObject } from '#contract/json.ts';
import { applyChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/index-operations.ts';
import { openFile } from '#record-index/schema.ts';

function entityOf(n: number, fields: JsonObject): Entity {
  return {
    ...{ id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, workspace_id: 'w', type: 'company' },
    ...{ name: `Company ${n}`, fields, created_at: 1, updated_at: 1 },
  };
}

function indexOf(all: JsonObject[]) {
  const database = openFile(':memory:');
  const records = all.map((fields, n) => ({ entity: entityOf(n, fields), vector: undefined }));
  applyChanges(database, { records, relationships: [], gone_records: [], gone_relationships: [] });
  return database;
}

const day = (n: number) => new Date(n * 86_400_000).toISOString().slice(0, 10);
/** More distinct values than a vocabulary has, one of them its own. */
const many = indexOf([
  ...Array.from({ length: 2500 }, (_, n) => ({
    ...{ city: `Place ${n.toString(36)}`, tags: [`tag${n}`, 'common'], joined: day(n) },
    // The words of the rare value in other fields do not hide it.
    note: n % 2 ? 'far from San Rarito' : 'near',
  })),
  { city: 'San Rarito', tags: ['Left Hand'], joined: day(1), note: '' },
]);
const mentioned = (text: string) => operations.mentionedValues(many, { text, limit: 50 });

test('a value among thousands is found by its spelling, with the field that has it', () => {
  expect(mentioned('Companies in san-rarito, by revenue')).toContainEqual({
    ...{ path: 'city', value: 'San Rarito', types: ['company'] },
  });
  expect(mentioned('which have the tag left hand?')).toEqual([
    { path: 'tags', value: 'Left Hand', types: ['company'] },
  ]);
  expect(mentioned('companies in Rarito')).toEqual([]);
});

test('a field with thousands of values has samples that show its form', () => {
  const [company] = operations.outline(many).types;
  const joined = company?.fields.find(({ path }) => path === 'joined');
  expect(joined?.samples).toHaveLength(20);
  for (const sample of joined?.samples ?? []) expect(sample).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('what no field has is not mentioned, whatever signs the text holds', () => {
  expect(mentioned('" OR body : * NOT common --')).toEqual([
    { path: 'tags', value: 'common', types: ['company'] },
  ]);
});

test('the longest query, all of common words, is looked through in bounded time', () => {
  let seed = 1;
  const word = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return ((seed >> 8) % 100).toString(36);
  };
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  const common = indexOf(
    Array.from({ length: 5000 }, (_, n) => ({ note: `${words(5)} ${n}`, tag: `t${n}` })),
  );
  const text = `t7 ${words(2000)}`.slice(0, 4000);
  const before = process.cpuUsage();
  expect(operations.mentionedValues(common, { text, limit: 50 })).toContainEqual({
    ...{ path: 'tag', value: 't7', types: ['company'] },
  });
  operations.mentionedRecords(common, { text, limit: 50 });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(500);
});

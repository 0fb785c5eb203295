// The index against the letter of the contract: random records, conditions, sorts and groups.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Entity } from '#contract/entities.ts';
import type { GroupRow } from '#contract/record-queries.ts';
import { operations } from '#record-index/index-operations.ts';
import { openFile } from '#record-index/schema.ts';
import { grouped, meets, sorted } from '../../support/brute-force.ts';
import { entities, groupBy, measures, sorts, where } from '../../support/random-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-index-'));
afterAll(() => rmSync(folder, { recursive: true }));
const RECORDS = 12;
const QUESTIONS = 40;
/** 40 questions to each; the long form asks 250 sets of records, which makes 10,000. */
const SETS = Number(process.env.RECORD_SETS ?? 15);
let files = 0;

function indexOf(records: Entity[]) {
  files += 1;
  const database = openFile(join(folder, `${files}.db`));
  const changes = {
    records: records.map((entity) => ({ entity, vector: undefined })),
    ...{ gone_records: [], relationships: [], gone_relationships: [] },
  };
  expect(operations.update(database, { revision: 0, changes, applied: [], cursor_ms: 1 })).toBe(true);
  return database;
}

const questions = fc.array(fc.record({ where, sorts, groupBy, measures }), {
  minLength: QUESTIONS,
  maxLength: QUESTIONS,
});

/** Sums of floats depend on their order; fifteen digits do not. */
function rounded(value: number | string | null): number | string | null {
  return typeof value === 'number' ? Number(value.toPrecision(12)) : value;
}

function measuresOf(row: GroupRow, ops: string[]) {
  return row.measures.map((parts, i) => {
    if (ops[i] === 'count') return parts.count;
    if (ops[i] === 'sum') return rounded(parts.sum ?? null);
    if (ops[i] === 'avg') return rounded(parts.count > 0 ? (parts.sum ?? 0) / parts.count : null);
    return parts.number ?? parts.text ?? null;
  });
}

test('selection, order, count and groups are those of the contract', () => {
  fc.assert(
    fc.property(entities(RECORDS), questions, (records, asked) => {
      const database = indexOf(records);
      for (const { where: condition, sorts: order, groupBy: by, measures: measured } of asked) {
        const expected = sorted(
          records.filter((entity) => meets(entity, condition)),
          order,
        );
        const found = operations.find(database, { types: null, where: condition, sort: order, limit: 5 });
        expect(found.hits.map(({ id }) => id)).toEqual(expected.slice(0, 5).map(({ id }) => id));
        expect(found.matched).toBe(expected.length);
        const groupsOf = (limit: number) => {
          const order = { group_by: by, measures: measured, sort: undefined, limit };
          const query = { types: null, where: condition, ...order };
          return operations.group(database, { query, other_files: [] }, () => database);
        };
        const { rows, matched } = groupsOf(100_000);
        expect(matched).toBe(rows.length);
        expect(groupsOf(3)).toEqual({ rows: rows.slice(0, 3), matched });
        const ops = measured.map(({ op }) => op);
        const key = (group: unknown) => JSON.stringify(group);
        expect(rows.map((row) => key([row.values, measuresOf(row, ops)])).sort()).toEqual(
          grouped(expected, by, measured)
            .map((group) => key([group.values, group.measures.map(rounded)]))
            .sort(),
        );
      }
      database.close();
    }),
    { numRuns: SETS },
  );
});

// rules.md: monitors 8, records 15. One record in memory meets conditions exactly as the contract says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Where } from '#contract/conditions.ts';
import { meetsEach } from '#models/meets.ts';
import { meets as meetsByTheLetter } from '../../support/brute-force.ts';
import { countedReads } from '../../support/counted-reads.ts';
import { entities, where } from '../../support/random-records.ts';
import { splitEveryWay } from '../../support/split-every-way.ts';

test('random records and conditions', () => {
  fc.assert(
    fc.property(entities(4), fc.array(where, { minLength: 10, maxLength: 10 }), (records, conditions) => {
      for (const record of records)
        expect(meetsEach(record, conditions)).toEqual(
          conditions.map((condition) => meetsByTheLetter(record, condition)),
        );
    }),
    { numRuns: 150 },
  );
});

test('a record is walked over once for all conditions of all monitors, however its keys split their paths', () => {
  const { fields, values, paths } = splitEveryWay(5_000);
  const { record, reads } = countedReads(fields);
  const of = { id: 'I', workspace_id: 'W', type: 'company', name: 'N', created_at: 0, updated_at: 0 };
  const conditions = Array.from(
    { length: 100 },
    (): Where => ({
      or: paths.map((field) => ({ field, op: 'exists', value: true })),
    }),
  );
  expect(meetsEach({ ...of, fields: record }, conditions)).toEqual(conditions.map(() => false));
  expect(reads()).toBe(values);
});

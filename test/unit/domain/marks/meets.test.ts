// rules.md: monitors 8. One record in memory meets a condition exactly as the contract says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meets } from '#domain/marks/meets.ts';
import { meets as meetsByTheLetter } from '../../../support/brute-force.ts';
import { entities, where } from '../../../support/random-records.ts';

test('random records and conditions', () => {
  fc.assert(
    fc.property(entities(4), fc.array(where, { minLength: 10, maxLength: 10 }), (records, conditions) => {
      for (const record of records)
        for (const condition of conditions)
          expect(meets(record, condition)).toBe(meetsByTheLetter(record, condition));
    }),
    { numRuns: 150 },
  );
});

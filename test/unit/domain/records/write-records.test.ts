// How records are spread over transactions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groups, type Unit } from '../../../../functions/domain/records/write-records.ts';

const write = { Delete: { TableName: 't', Key: { pk: 'p', sk: 's' } } };
const unit = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 300_000 }))
  .map(([count, bytes]): Unit => ({ id: 'r', writes: Array.from({ length: count }, () => write), bytes }));

test('every record is in one transaction, in order, and no transaction is larger than the table takes', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 300 }), (units) => {
      const spread = groups(units);
      expect(spread.flat()).toEqual(units);
      for (const group of spread) {
        expect(group.length).toBeGreaterThan(0);
        expect(group.flatMap(({ writes }) => writes).length).toBeLessThanOrEqual(100);
        expect(group.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(2_500_000);
      }
    }),
    { numRuns: 50 },
  );
});

// What the offline model reads of an instruction.
import { expect, test } from 'vitest';
import { comparisonsIn } from '#models/offline/numbers.ts';

test('an instruction is read for 50 comparisons at most, and what follows is words', () => {
  expect(comparisonsIn('over 1, '.repeat(60))).toHaveLength(50);
});

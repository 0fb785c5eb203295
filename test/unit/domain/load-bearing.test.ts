// The words that an answer depends on (rules.md: query 9).
import { expect, test } from 'vitest';
import { loadBearing } from '#models/load-bearing.ts';

const types = ['company', 'person', 'purchase_order'];

test.each(
  '-9 20% 1003 two 3rd more than below between around not without except largest least second each same average march nineties tomorrow weeks companies people'.split(
    ' ',
  ),
)('query 9: the answer depends on "%s"', (word) => {
  expect(loadBearing([word], types)).toEqual([word]);
});

test.each('profitable weather forest interest nice Berlin order'.split(' '))(
  'query 9: "%s" is named, and the query runs',
  (word) => {
    expect(loadBearing([word], types)).toEqual([]);
  },
);

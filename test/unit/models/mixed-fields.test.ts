// A question about a field whose values are numbers and texts.
import { expect, test } from 'vitest';
import { conditionInWords } from '#contract/condition-words.ts';
import { indexOf } from '../../proofs/questions/ask.ts';
import { villageAsked } from '../../proofs/questions/open/village.ts';

test('it is ordered by its numbers, in words that a person reads', () => {
  const { params } = indexOf(villageAsked.rows)('Top 2 restaurants by rating');
  expect(params.where ? conditionInWords(params.where) : '').not.toMatch(/e\+\d|\d{20}/);
});

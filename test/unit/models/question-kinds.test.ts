// Every kind of question has a test: none is answered wrongly without a word (rules.md: query 5).
import { expect, test } from 'vitest';
import { conditionInWords } from '#contract/condition-words.ts';
import { indexOf } from '../../proofs/questions/ask.ts';
import { generated } from '../../proofs/questions/generated.ts';
import { villageAsked } from '../../proofs/questions/open/village.ts';
import { askAll, type Judged, rightShare } from '../../proofs/questions/questions.ts';
import { written } from '../../proofs/questions/vocabularies.ts';

const asked = askAll(written);
const kinds = [...Map.groupBy(asked, ({ asked: [kind] }) => kind)];
const shown = ({ vocabulary, asked: [, text], answer, lost }: Judged) => [
  vocabulary,
  text,
  answer.params,
  lost,
];

test.each(kinds)('no question of the kind "%s" is answered wrongly without a word', (_, all) => {
  expect(all.filter(({ outcome }) => outcome === 'wrong').map(shown)).toEqual([]);
});

test('every load-bearing word of a question is in its plan, or is named', () => {
  expect(asked.filter(({ lost }) => lost.length > 0).map(shown)).toEqual([]);
});

test('four of five questions that a plan can answer come out right', () => {
  expect(rightShare(asked)).toBeGreaterThanOrEqual(0.8);
});

test('questions put together from parts come out right, or name what they do not say', () => {
  const all = askAll([generated(20_261_128, 150)]);
  expect(all.filter(({ outcome, lost }) => outcome === 'wrong' || lost.length > 0).map(shown)).toEqual([]);
  expect(rightShare(all)).toBeGreaterThanOrEqual(0.8);
});

test('a field of numbers and texts is ordered by its numbers, in words that a person reads', () => {
  const { params } = indexOf(villageAsked.rows)('Top 2 restaurants by rating');
  expect(params.where ? conditionInWords(params.where) : '').not.toMatch(/e\+\d|\d{20}/);
});

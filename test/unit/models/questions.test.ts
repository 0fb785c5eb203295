// The short form of `npm run prove -- questions`: questions over records come out right, or name what they do not say.
import { expect, test } from 'vitest';
import { askAll } from '../../proofs/questions/questions.ts';

const seed = 20_261_123;

test('no question is answered wrongly without a word, and most are answered right', () => {
  const asked = askAll(seed, 7);
  expect(asked.length).toBeGreaterThanOrEqual(30);
  const wrong = asked.filter(({ outcome }) => outcome === 'wrong');
  expect(wrong.map(({ question, answer }) => [question[0], answer.params])).toEqual([]);
  const answerable = asked.filter(({ question }) => question[1] !== null);
  const right = answerable.filter(({ outcome }) => outcome === 'right');
  expect(right.length / answerable.length).toBeGreaterThanOrEqual(0.85);
});

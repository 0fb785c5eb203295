// The short form of `npm run prove -- questions`: questions over records come out right, or name what they do not say.
import { expect, test } from 'vitest';
import { askAll, rightShare } from '../../proofs/questions/questions.ts';
import { seeded } from '../../proofs/questions/vocabularies.ts';

const seed = 20_261_123;

test('no question is answered wrongly without a word, and most are answered right', () => {
  const asked = askAll(seeded(seed), 7);
  expect(asked.length).toBeGreaterThanOrEqual(30);
  const wrong = asked.filter(({ outcome }) => outcome === 'wrong');
  expect(wrong.map(({ asked: [, text], answer }) => [text, answer.params])).toEqual([]);
  expect(rightShare(asked)).toBeGreaterThanOrEqual(0.85);
});

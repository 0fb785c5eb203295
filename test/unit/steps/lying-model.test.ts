// The short form of the campaign `output` (rules.md: output 3).
import { expect, test } from 'vitest';
import { proveAnswers } from '../../proofs/output/lies.ts';

const seed = 20_261_123;

test('whatever a model says, an output conforms and its basis is true, or there is none', async () => {
  expect(await proveAnswers({ answers: 150, seed })).toMatchObject({ breaches: [] });
});

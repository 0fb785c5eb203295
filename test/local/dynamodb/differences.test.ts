// The embedded engine compared with another one: thousands of random operations, valid and invalid, get the same
// answers.
import { expect, test } from 'vitest';
import { dynoxide, embedded } from '../../proofs/judge/engine-differences/engines.ts';
import { judgeDifferences } from '../../proofs/judge/engine-differences/judge-differences.ts';
import { isDynoxideHere } from '../../support/dynoxide.ts';

const OPERATIONS = 1_500;

if (!isDynoxideHere) console.log('skipped: there is no dynoxide for this machine, Linux x64 has one');

test.runIf(isDynoxideHere)('it differs from dynoxide only where that differs from AWS', async () => {
  const told: string[] = [];
  const verdict = await judgeDifferences({
    reference: await dynoxide(),
    candidate: embedded(),
    operations: OPERATIONS,
    seed: 7,
    tell: (text) => told.push(text),
  });
  expect(told).toEqual([]);
  expect(verdict).toMatchObject({ operations: OPERATIONS, differences: 0 });
});

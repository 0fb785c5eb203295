// The embedded engine compared with another one: random requests of the forms that the store sends get the same answers.
import { expect, test } from 'vitest';
import { dynoxide, embedded } from '../../proofs/judge/engine-forms/engines.ts';
import { judgeForms } from '../../proofs/judge/engine-forms/judge-forms.ts';
import { isDynoxideHere } from '../../support/dynoxide.ts';

if (!isDynoxideHere) console.log('skipped: there is no dynoxide for this machine, Linux x64 has one');

test.runIf(isDynoxideHere)('it answers as dynoxide does to what the store sends', async () => {
  const [reference, candidate] = [await dynoxide(), embedded()];
  const verdict = await judgeForms({ reference, candidate, operations: 1_500, seed: 7 });
  expect(verdict.differences).toEqual([]);
  expect(verdict.refused).toBeGreaterThan(0);
});

// Many messages, shuffled and repeated, against a model that is a plain fold; `npm run prove -- sync` sends 10,000 over
// a table in memory.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { message } from '../../proofs/sync/model.ts';
import { atOnce, oneAfterTheOther } from '../../proofs/sync/prove.ts';
import { useBridges } from './use-bridges.ts';

useBridges();

const drawn = fc.sample(message, { seed: 8, numRuns: 70 });

test('one after the other: every count and every final state is that of the model', async () => {
  expect(await oneAfterTheOther(drawn)).toEqual([]);
}, 60_000);

test('at once, shuffled and repeated: the highest version wins everywhere, and nothing deleted returns', async () => {
  expect(await atOnce(drawn.filter(({ type }) => type !== 'employment'))).toEqual([]);
}, 60_000);

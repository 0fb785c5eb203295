// Long work in short turns.
import { expect, test } from 'vitest';
import { mapInTurns } from '../../lib/local/shared-thread/turns.ts';
import { turnsDuring } from '../support/turns.ts';

/** Holds the thread. */
function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a long list is made in order, and other work gets its turns', async () => {
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  const made = await mapInTurns(
    Array.from({ length: 30 }, (_, i) => i),
    (i) => {
      hold(4);
      return i * 2;
    },
  );
  clearInterval(other);
  expect(made).toEqual(Array.from({ length: 30 }, (_, i) => i * 2));
  // 120 ms of work in turns of some 10 ms.
  expect(turns).toBeGreaterThanOrEqual(8);
});

test('two lists that are made at once take one turn of the event loop each', async () => {
  const turnsOf: number[] = [];
  await turnsDuring((turns) => {
    const slow = () => {
      hold(12);
      turnsOf.push(turns());
    };
    return Promise.all([mapInTurns([1, 2, 3, 4], slow), mapInTurns([1, 2, 3, 4], slow)]);
  });
  // Both begin in the first turn; from then on each has its own.
  expect(new Set(turnsOf).size).toBe(turnsOf.length - 1);
});

test('what fails, fails the list', async () => {
  const failing = mapInTurns([1, 2], () => {
    throw new Error('no such item');
  });
  await expect(failing).rejects.toThrow('no such item');
});

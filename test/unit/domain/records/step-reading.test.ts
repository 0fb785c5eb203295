// rules.md: records 15. What a step makes of records that were read is part of its reading.
import { expect, test } from 'vitest';
import { createStepReading } from '#domain/records/step-reading.ts';
import { TooCostly } from '#record-index/reading-limits.ts';

const run = { workspace_id: 'W', id: 'R' };

test('what is made of each item, in order', async () => {
  const reading = createStepReading(run);
  expect(await reading.each([1, 2, 3], (n) => n * 2)).toEqual([2, 4, 6]);
});

test('it ends when the time of the step is used up', async () => {
  const reading = createStepReading(run, { ms: 0, pairs: 0 });
  const made: number[] = [];
  const reads = reading.each([1, 2, 3], (n) => {
    for (const until = performance.now() + 1; performance.now() < until; );
    made.push(n);
  });
  await expect(reads).rejects.toThrow(TooCostly);
  expect(made).toEqual([1]);
});

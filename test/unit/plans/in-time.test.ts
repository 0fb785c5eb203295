// The time limit of understanding a query, with a limit short enough to wait for.
import { expect, test } from 'vitest';
import { inTime } from '../../../functions/domain/plans/understand-query.ts';

const timeout = { code: 'upstream_timeout', details: { dependency: 'model', timeout_ms: 20 } };
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

test('an answer in time is the answer', async () => {
  expect(await inTime(async () => 'clear')).toBe('clear');
});

test('a failure in time is that failure', async () => {
  await expect(inTime(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('rule 11: too late is upstream_timeout, with what was waited for and how long', async () => {
  await expect(inTime(aborted, 20)).rejects.toMatchObject(timeout);
});

test('a model that does not heed the signal holds nobody', async () => {
  await expect(inTime(() => new Promise(() => {}), 20)).rejects.toMatchObject(timeout);
});

// The time limit of understanding a query, with a limit short enough to wait for.
import { expect, test } from 'vitest';
import { inTime } from '../../../../functions/domain/planning/understand-query.ts';

const timeout = { code: 'upstream_timeout', details: { dependency: 'model', timeout_ms: 45_000 } };
const soon = () => Date.now() + 20;
const later = () => Date.now() + 10_000;
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

test('an answer in time is the answer', async () => {
  expect(await inTime(async () => 'clear', later())).toBe('clear');
});

test('a failure in time is that failure', async () => {
  await expect(inTime(() => Promise.reject(new Error('broken')), later())).rejects.toThrow('broken');
});

test('rule 11: too late is upstream_timeout, with what was waited for and how long', async () => {
  await expect(inTime(aborted, soon())).rejects.toMatchObject(timeout);
});

test('a model that ignores the signal delays no caller', async () => {
  await expect(inTime(() => new Promise(() => {}), soon())).rejects.toMatchObject(timeout);
});

test('a request that has waited its whole time before it asks is too late at once', async () => {
  await expect(inTime(aborted, Date.now() - 1)).rejects.toMatchObject(timeout);
});

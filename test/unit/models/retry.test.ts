// rules.md: steps 13, models 4. When a call is tried again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ModelError } from '#models/model.ts';
import { type Retry, withRetry } from '#models/retry.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The delays between the tries of a call that always fails so. */
async function delaysOf(...errors: ModelError[]): Promise<number[]> {
  const retries: Retry[] = [];
  const call = withRetry(
    async (attempt) => {
      throw errors[attempt - 1] ?? errors.at(-1);
    },
    { onRetry: async (retry) => void retries.push(retry) },
  ).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await call).toBe(errors[retries.length] ?? errors.at(-1));
  return retries.map(({ delay_ms }) => delay_ms);
}

const away = (retry_after_ms?: number) =>
  new ModelError('busy', { cause: 'away' }, retry_after_ms === undefined ? {} : { retry_after_ms });

test('three times, after 2 s and 4 s with jitter', async () => {
  const [first = 0, second = 0, ...more] = await delaysOf(away());
  expect([first >= 1000 && first <= 2000, second >= 2000 && second <= 4000, more]).toEqual([true, true, []]);
});

test('after the time that the provider asks for, up to 20 s', async () => {
  expect(await delaysOf(away(20_000), away(0), away(5))).toEqual([20_000, 0]);
});

test('not at all when it asks for more', async () => {
  expect(await delaysOf(away(20_001))).toEqual([]);
});

test.each(['refused', 'cut_off', 'filtered', 'unusable'] as const)('not when it is %s', async (cause) => {
  expect(await delaysOf(new ModelError('no', { cause }))).toEqual([]);
});

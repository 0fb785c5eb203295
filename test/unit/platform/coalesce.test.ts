// Coalesced work: which callers share a run.
import { expect, test } from 'vitest';
import { coalesce } from '#platform/coalesce.ts';

/** Work that ends when a test decides. */
function controlled() {
  const runs: { key: string; input: number; end(): void; fail(): void }[] = [];
  const call = coalesce((key: string, input: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    runs.push({ key, input, end: () => resolve(input), fail: () => reject(new Error(`run ${input}`)) });
    return promise;
  });
  return { runs, call };
}
const inputs = (runs: { input: number }[]) => runs.map(({ input }) => input);

test('callers that arrive during a run share the next one, which starts when it ends', async () => {
  const { runs, call } = controlled();
  const [first, second, third] = [call('a', 1), call('a', 2), call('a', 3)];
  expect(inputs(runs)).toEqual([1]);
  runs[0]?.end();
  expect(await first).toBe(1);
  expect(inputs(runs)).toEqual([1, 2]);
  const fourth = call('a', 4);
  runs[1]?.end();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  expect(inputs(runs)).toEqual([1, 2, 4]);
  runs[2]?.end();
  expect(await fourth).toBe(4);
});

test('a failure reaches only the callers of its run', async () => {
  const { runs, call } = controlled();
  const [first, second] = [call('a', 1), call('a', 2)];
  runs[0]?.fail();
  await expect(first).rejects.toThrow('run 1');
  runs[1]?.end();
  expect(await second).toBe(2);
});

test('keys do not wait for each other, and an idle key starts at once', async () => {
  const { runs, call } = controlled();
  const both = [call('a', 1), call('b', 2)];
  expect(inputs(runs)).toEqual([1, 2]);
  for (const run of runs) run.end();
  await Promise.all(both);
  void call('a', 3);
  expect(inputs(runs)).toEqual([1, 2, 3]);
});

// Simulated histories, crash points and a large stack, in short: `npm run prove -- sim` lives through as many as one
// likes and finds all the planted bugs, `npm run prove -- sim:crashpoints` strikes at every call, `npm run prove --
// sim:scale` fills the stack.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

async function reportOf(script: string, ...flags: string[]) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...flags]);
  return JSON.parse(stdout);
}

test('whatever goes wrong between the code and AWS, everything comes right in the end', async () => {
  const { breaches, wanted, useful } = await reportOf('./main.ts', '--seeds', '25');
  expect(breaches).toBe(0);
  expect(useful).toBe(wanted);
}, 120_000);

test('a planted bug is found', async () => {
  const bug = 'a hold is settled twice';
  expect(await reportOf('./main.ts', '--planted', '--only', bug)).toMatchObject({
    planted: 1,
    found: 1,
    missed: [],
  });
}, 120_000);

test('wherever a fault strikes a flow, it ends as without one', async () => {
  const { breaches, fired } = await reportOf('./crashpoints.ts', '--every', '29');
  expect(breaches).toBe(0);
  expect(fired.crash_after).toBeGreaterThan(20);
}, 120_000);

test('a large stack gives no partition more than it takes, and its sweep fits in its minute', async () => {
  const { breaches, sweep, hottest_writes } = await reportOf('./scale.ts');
  expect(breaches).toEqual([]);
  expect(sweep.calls).toBeGreaterThan(1000);
  expect(hottest_writes.join()).toContain('due RUN');
}, 120_000);

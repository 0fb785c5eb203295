// Simulated histories, in short: `npm run sim` lives through as many as one likes, and finds all the planted bugs.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

async function simulate(...flags: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...flags]);
  return JSON.parse(stdout);
}

test('whatever goes wrong between the code and AWS, everything comes right in the end', async () => {
  const { breaches, wanted, useful } = await simulate('--seeds', '25');
  expect(breaches).toBe(0);
  expect(useful).toBe(wanted);
}, 120_000);

test('a planted bug is found', async () => {
  const bug = 'a hold is settled twice';
  expect(await simulate('--planted', '--only', bug)).toMatchObject({ planted: 1, found: 1, missed: [] });
}, 120_000);

// A small stack lives through an outage of the model provider. In full: `npm run prove -- overload`.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('no run fails while the provider is away, and what gathers drains when it is back, without a storm and paid once', {
  timeout: 180_000,
}, async () => {
  const file = fileURLToPath(new URL('./main.ts', import.meta.url));
  const size = ['--workspaces', '1', '--minutes', '3'];
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...size]);
  const { breaches, runs, paid_twice, failed, waits, refused } = JSON.parse(stdout);
  expect([breaches, paid_twice, failed]).toEqual([0, 0, {}]);
  expect(waits).toBeGreaterThan(0);
  expect(runs).toBeGreaterThan(60);
  expect(refused.concurrent_runs_exceeded).toBeGreaterThan(0);
});

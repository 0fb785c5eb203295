// Simulated histories, crash points and a large stack, in short. In full: `npm run prove -- sim`, `-- sim --planted`,
// `-- sim:crashpoints` and `-- sim:scale`.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test as each } from 'vitest';

/** Each proof is a separate process, so they share the cores. */
const test = each.concurrent;

async function reportOf(script: string, ...flags: string[]) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...flags]);
  return JSON.parse(stdout);
}

test('whatever goes wrong between the code and AWS, everything comes right in the end', async ({
  expect,
}) => {
  const { breaches, wanted, useful, modes, commits, fired } = await reportOf('./main.ts', '--seeds', '10');
  // Models went away, and runs waited for them.
  expect(fired['waits model_unavailable']).toBeGreaterThan(0);
  expect(breaches).toBe(0);
  expect([modes.liveness.histories, modes.safety.histories]).toEqual([8, 2]);
  // Each was replayed through the legal transitions, and the sweep has checked logs (rules.md: states 4).
  expect(commits).toBeGreaterThan(100);
  expect(fired.logs_checked).toBeGreaterThan(10);
  expect(useful).toBe(wanted);
}, 180_000);

test('planted bugs are found', async ({ expect }) => {
  const bugs = [
    ...['half a transaction is enough', 'a paused run has an owner', 'open runs are not due'],
    ...['every call tries a model that was away', 'a model asks for a wait in vain'],
  ];
  const report = await reportOf('./main.ts', '--planted', ...bugs.flatMap((bug) => ['--only', bug]));
  expect(report).toMatchObject({ planted: 5, found: 5, missed: [] });
}, 180_000);

test('a flow ends the same with a fault at any point', async ({ expect }) => {
  const { breaches, fired } = await reportOf('./crashpoints.ts', '--every', '127');
  expect(breaches).toBe(0);
  expect(fired.crash_after).toBeGreaterThan(20);
}, 180_000);

test('a large stack gives no partition more than it takes; its sweep fits in its minute, its monitors fire in time, its imports end', async ({
  expect,
}) => {
  const flags = ['--share', '0.01', '--import', '2000'];
  const { breaches, sweep, hottest_writes, monitors, ...report } = await reportOf('./scale.ts', ...flags);
  expect(breaches).toEqual([]);
  expect(sweep.calls).toBeGreaterThan(1000);
  expect(hottest_writes.join()).toContain('due RUN');
  expect(monitors.fires['100'].fired).toBe(100);
  // The import waited for a partition that was full.
  expect(report.import.hottest.writes_a_second).toBe(1000);
  expect(report.import.refused.transactions).toBeGreaterThan(0);
  expect(report.import.changes.made).toBeGreaterThan(1000);
}, 180_000);

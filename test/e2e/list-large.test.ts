// rules.md: reads 3. A list stays short whatever its runs were asked to do.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import * as when from '../support/when.ts';

test('a list of runs with large inputs is short, whole and titled', async () => {
  const home = await given.workspace();
  // Runs that are made in maintenance do nothing but wait.
  await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
  const steps = Array.from({ length: 50 }, () => ({ kind: 'analyze', instructions: 'x'.repeat(8000) }));
  const created = await Promise.all(Array.from({ length: 16 }, () => when.createsPlanRun(home, steps)));
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 202));
  const { status, body } = await call('GET', '/runs', { key: home.key });
  expect([status, body.data.length, body.has_more]).toEqual([200, 16, false]);
  expect(new Set(body.data.map(({ title }: { title: string }) => title))).toEqual(new Set(['Test plan']));
  expect(JSON.stringify(body).length).toBeLessThan(200_000);
});

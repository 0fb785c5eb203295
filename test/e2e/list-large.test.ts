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

test('requests for one page at once are all answered alike, and a run is listed once it is created', async () => {
  const home = await given.workspace();
  const lists = () => Promise.all(Array.from({ length: 20 }, () => call('GET', '/runs', { key: home.key })));
  const idsIn = (replies: { body: { data: { id: string }[] } }[]) =>
    new Set(replies.map(({ body }) => body.data.map(({ id }) => id).join()));
  for (const expected of [1, 2]) {
    const before = lists();
    await when.createsPlanRun(home, [when.fetchCompanies]);
    const after = await lists();
    expect((await before).every(({ status }) => status === 200)).toBe(true);
    expect([...idsIn(after)].map((ids) => ids.split(',').length)).toEqual([expected]);
  }
});

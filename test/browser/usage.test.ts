// rules.md: console 19. The page of usage: what runs came to by day, by key and by monitor.
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const plan = (instructions: string) => ({
  title: 'Companies',
  steps: [
    { kind: 'fetch', title: 'Companies', params: { source: 'companies' } },
    { kind: 'filter', title: 'Some', instructions },
  ],
});

/** Two runs that succeeded, one of them made by a monitor, and one that failed. */
async function lived(home: given.Home): Promise<void> {
  const { key } = home;
  await given.companies(home.workspace_id);
  const run = { input_type: 'plan', plan: plan('companies in Berlin') };
  const failing = { input_type: 'plan', plan: plan('[[fail]] companies') };
  const made = [run, failing].map((body) => call('POST', '/runs', { key, body }));
  const monitor = await call('POST', '/monitors', {
    key,
    body: { name: 'Berlin, each morning', run, on: { cron: '0 7 * * *' } },
  });
  const fired = await call('POST', `/monitors/${monitor.body.id}/fire`, { key });
  for (const { body } of await Promise.all(made)) await then.ended(home, body.id);
  await then.ended(home, fired.body.run_id);
}

journey('runs are drawn by outcome, cost and time, and summed by key and by monitor', async ({ visit }) => {
  const home = await given.workspace();
  await lived(home);
  const today = new Date().toISOString().slice(0, 10);
  const page = await visit(home, '#/usage');
  const runs = page.getByRole('img', { name: /^Runs by outcome: 30 values/ });
  await runs.waitFor();
  const titles = await runs.locator('title').allTextContents();
  expect(titles.at(-1)).toBe(`${today}: succeeded 2, failed 1`);
  await page.getByRole('img', { name: new RegExp(`^Cost: 30 values, largest at ${today}`) }).waitFor();
  await page.getByRole('img', { name: /^Time from creation to end/ }).waitFor();
  await page.getByText('3 runs, which cost').waitFor();
  const rows = page.getByRole('region', { name: 'By key' }).locator('tbody tr');
  await expect.poll(async () => (await rows.allInnerTexts()).length).toBe(1);
  await accessible(page);
  await page.getByRole('link', { name: '7 days' }).click();
  await page.getByRole('img', { name: /^Runs by outcome: 7 values/ }).waitFor();
  await page.reload();
  await page.getByRole('img', { name: /^Runs by outcome: 7 values/ }).waitFor();
  await page.getByRole('link', { name: 'Berlin, each morning' }).click();
  await page.getByRole('heading', { level: 1, name: 'Berlin, each morning' }).waitFor();
});

journey('a workspace without runs has no charts', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/usage?days=90');
  await page.getByText('No run in these days.').waitFor();
  expect(await page.locator('figure').count()).toBe(0);
  await accessible(page);
});

// rules.md: console, monitors. A run becomes a monitor; its fires are listed; it is paused and deleted.
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { firesOf, monitor } from '../support/monitors.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

journey('a run is made again by the clock', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, [{ kind: 'inject_context', params: { text: 'x' } }])).body;
  await then.ended(home, id);
  const page = await visit(home, `#/runs/${id}`);
  await page.getByRole('button', { name: 'Run again by the clock' }).click();
  await page.getByRole('textbox', { name: /^When/ }).fill('0 25 * * *');
  await page.getByRole('button', { name: 'Create the monitor' }).click();
  await page.getByText('This is no cron pattern', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: /^When/ }).fill('0 5 29 2 *');
  await page.getByRole('button', { name: 'Create the monitor' }).click();
  await page.getByRole('heading', { name: 'Fires' }).waitFor();
  const [made] = (await call('GET', '/monitors', { key: home.key })).body.data;
  expect(made).toMatchObject({ name: 'Test plan', notify: 'changed', on: { cron: '0 5 29 2 *' } });
});

journey('a monitor is fired, paused and deleted, and its fires are listed', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = await monitor(home);
  const page = await visit(home, '#/monitors');
  await page.getByRole('link', { name: 'Berlin' }).click();
  await page.getByRole('button', { name: 'Fire now' }).click();
  await page.getByRole('link', { name: 'run', exact: true }).waitFor();
  expect(await firesOf(home, id)).toHaveLength(1);
  await accessible(page);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the monitor' }).click();
  await page.getByText('There is no monitor yet.').waitFor();
  expect((await call('GET', `/monitors/${id}`, { key: home.key })).status).toBe(404);
});

// rules.md: console, monitors. A run becomes a monitor; its fires are listed; it is paused and deleted.
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { firesOf, monitor } from '../support/monitors.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

journey(
  'a run is scheduled: by a choice or a pattern, whose next times are those of the service',
  async ({ visit }) => {
    const home = await given.workspace();
    const { id } = (await when.createsPlanRun(home, [{ kind: 'inject_context', params: { text: 'x' } }]))
      .body;
    await then.ended(home, id);
    const page = await visit(home, `#/runs/${id}`);
    await page.getByRole('button', { name: 'Schedule' }).click();
    const create = page.getByRole('button', { name: 'Create the monitor' });
    const times = page.getByRole('status', { name: 'Next times' }).getByRole('listitem');
    await expect.poll(() => times.count()).toBe(3);
    expect(await times.first().innerText()).toMatch(/^(Mon|Tue|Wed|Thu|Fri), .* 07:00/);
    await accessible(page);
    await page.getByLabel(/^When/).selectOption('Another pattern');
    const pattern = page.getByRole('textbox', { name: /^Cron pattern/ });
    await pattern.fill('0 25 * * *');
    await page.getByText('This is no cron pattern.', { exact: true }).waitFor();
    expect(await create.isDisabled()).toBe(true);
    await pattern.fill('0 5 29 2 *');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    const first = await times.first().innerText();
    await page.getByLabel(/^Webhook/).fill('https://example.com/hook');
    await create.click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByText('on 29 Feb at 05:00, Europe/Berlin').waitFor();
    await page.getByText('https://example.com/hook when the answer changes').waitFor();
    const [made] = (await call('GET', '/monitors', { key: home.key })).body.data;
    expect(made).toMatchObject({ name: 'Test plan', notify: 'changed', on: { cron: '0 5 29 2 *' } });
    const year = new Date(made.next_fire_at).getUTCFullYear();
    expect(first).toContain(`29 Feb ${year}`);
  },
);

journey('a new monitor asks its question whenever records of a type change', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const page = await visit(home, '#/monitors');
  await page.getByRole('button', { name: 'New monitor' }).click();
  await page.getByLabel('Name').fill('Berlin');
  await page.getByLabel(/^Question/).fill('companies in Berlin');
  await page.getByLabel(/^When/).selectOption('When records change');
  const create = page.getByRole('button', { name: 'Create the monitor' });
  await page.getByRole('checkbox', { name: /^company/ }).waitFor();
  expect(await create.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: /^company/ }).check();
  await accessible(page);
  await create.click();
  await page.getByText('on a change of company').waitFor();
  const [made] = (await call('GET', '/monitors', { key: home.key })).body.data;
  expect(made).toMatchObject({ name: 'Berlin', on: { change: { types: ['company'] } } });
});

journey('a monitor is fired, paused and deleted, and its fires are listed', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = await monitor(home);
  const page = await visit(home, '#/monitors');
  await page.getByRole('link', { name: 'Berlin' }).waitFor();
  await accessible(page);
  await page.getByRole('link', { name: 'Berlin' }).click();
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('link', { name: 'ran', exact: true }).waitFor();
  const square = page.getByRole('list', { name: 'Due times, oldest first' }).getByRole('link');
  await square.focus();
  await page
    .locator('.history p')
    .getByText(/: ran, by hand/)
    .waitFor();
  expect(await firesOf(home, id)).toHaveLength(1);
  await accessible(page);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the monitor' }).click();
  await page.getByText('There is no monitor yet.').waitFor();
  expect((await call('GET', `/monitors/${id}`, { key: home.key })).status).toBe(404);
});

// A run's page in trouble: not to be seen, paused, streams that do not get through, a service or a device that is gone
// for a while.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { ownService } from '../support/own-service.ts';
import { admin } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const analyze = (instructions: string) => ({ kind: 'analyze', instructions });
const shown = (page: Page, text: string) => page.locator('h1 + p').getByText(text).waitFor();

journey('a run of another workspace is not visible, and the page says so', async ({ visit }) => {
  const [home, other] = [await given.workspace(), await given.workspace()];
  const { id } = (await when.createsPlanRun(other, [analyze('one')])).body;
  const page = await visit(home, `#/runs/${id}`);
  await page.getByRole('heading', { name: 'This run is not visible to this key' }).waitFor();
  await page.getByText('run_not_found').waitFor();
  await accessible(page);
});

journey('a run paused by maintenance is announced to continue automatically, and does', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, [analyze('[[delay:4000]]'), analyze('two')])).body;
  await then.event(home, id, 'step.started');
  await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
  const page = await visit(home, `#/runs/${id}`);
  await shown(page, 'Maintenance: the run continues automatically.');
  await admin({ command: 'maintenance.end', workspace_id: home.workspace_id });
  await shown(page, 'succeeded');
});

journey('a run that waits for a model says so, and goes on by itself', async ({ visit }) => {
  const service = await ownService();
  try {
    const home = await service.home();
    const steps = [analyze('What stands out? [[transient:5]]')];
    const { id } = (await when.createsPlanRun(home, steps)).body;
    await then.event(home, id, 'run.paused');
    const page = await visit(home, `#/runs/${id}`);
    await shown(page, 'Waiting for the model, which is away.');
    await page.locator('.timeline-step .wait').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).first().waitFor();
    await accessible(page);
    await shown(page, 'succeeded');
  } finally {
    await service.stop();
  }
});

journey('where streams are blocked the log is polled, and the page mentions it', async ({ visit }) => {
  const home = await given.workspace();
  const page = await visit(home, '#/runs');
  await page.route('**/events/stream**', (route) => route.abort());
  const { id } = (await when.createsPlanRun(home, [analyze('[[delay:6000]]'), analyze('two')])).body;
  await page.evaluate(`location.hash = '#/runs/${id}'`);
  await shown(page, 'polling');
  await shown(page, 'succeeded');
  await expect.poll(() => page.getByText('polling', { exact: true }).count()).toBe(0);
});

journey(
  'content stays while the device is offline, and the page resumes automatically',
  async ({ visit }) => {
    const home = await given.workspace();
    const { id } = (await when.createsPlanRun(home, [analyze('[[delay:4000]]')])).body;
    const page = await visit(home, `#/runs/${id}`);
    await shown(page, 'running');
    await page.context().setOffline(true);
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await page.getByRole('region', { name: 'Steps' }).getByRole('listitem').count()).toBe(1);
    await accessible(page);
    await page.context().setOffline(false);
    await shown(page, 'succeeded');
    await expect.poll(() => page.getByText('The service cannot be reached.').count()).toBe(0);
  },
);

journey('a restart of the service in the middle of a run is survived without a reload', async ({ visit }) => {
  const service = await ownService({ MAX_PARALLEL_CALLS: '1' });
  try {
    const home = await service.home();
    const page = await visit(home, '#/runs');
    const steps = [
      { kind: 'fetch', params: { source: 'companies' } },
      { kind: 'transform', instructions: '[[delay:900]] sum up' },
    ];
    const { id } = (await when.createsPlanRun(home, steps)).body;
    await page.evaluate(`window.stayed = true; location.hash = '#/runs/${id}'`);
    await page.getByText(/\d of 10 items/).waitFor();
    await service.restart();
    await page.locator('h1 + p').getByText('succeeded').waitFor({ timeout: 40_000 });
    expect(await page.evaluate('window.stayed')).toBe(true);
    await then.soundLog(home, id);
  } finally {
    await service.stop();
  }
});

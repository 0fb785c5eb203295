// rules.md: console 7, console 8. The page of a run: watched to its end, changed, and asked for again.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { customer, status } from '../e2e/webhook-receiver.ts';
import * as given from '../support/given.ts';
import { call, sharedService } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const analyze = (instructions: string) => ({ kind: 'analyze', instructions });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const steps = (page: Page) => page.getByRole('region', { name: 'Steps' }).getByRole('listitem');
const statusOf = (page: Page, text: string) => page.locator('h1 + p').getByText(text);
const announced = (page: Page) => page.locator('[aria-live=polite]');
const toRun = (id: string) => `#/runs/${id}`;

/** Goes on with the Tab key until a button has the focus. */
async function tabTo(page: Page, name: string) {
  await page.getByRole('button', { name }).first().waitFor();
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('Tab');
    if ((await focused()).startsWith(name)) return;
  }
  throw new Error(`no way to ${name} with the Tab key`);
}

journey(
  'a run is watched to its end: bars, progress, retries, the answer and what it cost',
  async ({ visit }) => {
    const home = await given.workspace();
    await given.companies(home.workspace_id);
    const page = await visit(home, '#/runs');
    const plan = [
      when.fetchCompanies,
      { ...when.keepBerlin, instructions: 'companies in Berlin [[transient:1]]' },
      when.answer,
    ];
    const { id } = (await when.createsPlanRun(home, plan)).body;
    await page.evaluate(`location.hash = '${toRun(id)}'`);
    await heading(page).getByText('Test plan').waitFor();
    await statusOf(page, 'succeeded').waitFor();
    await expect.poll(() => announced(page).textContent()).toBe('Run succeeded');
    expect(await page.title()).toBe('Test plan · Run service');
    const words = await steps(page).allInnerTexts();
    expect(words.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^1 Step 0 .*completed fetch · [\d.]+ m?s · 3 items/),
      expect.stringMatching(/^2 Step 1 .*completed filter · [\d.]+ m?s · 2 items · 1 retry/),
      expect.stringMatching(/^3 Step 2 .*completed reconstitute · [\d.]+ m?s/),
    ]);
    await page.getByRole('region', { name: 'Answer' }).getByRole('link', { name: 'Acme' }).first().waitFor();
    await page.getByRole('region', { name: 'Artifacts' }).getByRole('link').first().waitFor();
    const facts = await page.locator('.run-facts').innerText();
    expect(facts).toMatch(/Took\s+[\d.]+ m?s\s+\d.* of it waiting/);
    expect(facts).toMatch(/Cost\s+\$0\.\d+\s+simulated/);
    await page.getByRole('banner').getByText('offline model').waitFor();
    // What was asked for comes before how it came about.
    const table = page.getByRole('region', { name: 'Table' });
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    const order = await page.locator('main h2').allInnerTexts();
    expect(order.map((text) => text.replace(/\s.*/, ''))).toEqual([
      ...['Answer', 'Table', 'Artifacts', 'Steps', 'Events', 'Input'],
    ]);
    await accessible(page);
  },
);

journey(
  'a failed run shows what to do, and continues when it is resumed with the keyboard',
  async ({ visit }) => {
    const home = await given.workspace();
    const { id } = (await when.createsPlanRun(home, [analyze('one'), analyze('[[fail-once]]')])).body;
    await then.ended(home, id);
    const page = await visit(home, toRun(id));
    const errors = page.getByRole('region', { name: 'Errors' });
    await errors.getByText('What to do: press Resume').waitFor();
    await accessible(page);
    await tabTo(page, 'Resume');
    await page.keyboard.press('Enter');
    await statusOf(page, 'succeeded').waitFor();
    await expect.poll(() => errors.count()).toBe(0);
    expect(await steps(page).nth(1).innerText()).toContain('attempt 2');
    expect(await page.locator('.span.is-failed').count()).toBe(1);
  },
);

journey('a step opens to what it was asked to do, what it read, and what became of it', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const where = { field: 'city', op: '=', value: 'Berlin' };
  const { id } = (
    await when.createsPlanRun(home, [
      { kind: 'fetch', params: { source: 'companies', where } },
      { kind: 'filter', instructions: 'chemistry [[transient:1]]' },
      when.answer,
    ])
  ).body;
  await then.ended(home, id);
  const page = await visit(home, toRun(id));
  const opened = async (at: number) => {
    const step = page.locator('.timeline-step').nth(at);
    await step.getByRole('button').first().click();
    return (await step.locator('.step-details').innerText()).replace(/\s+/g, ' ');
  };
  expect(await opened(0)).toMatch(/Source companies Where city = Berlin Items 2 out Events step.started/);
  expect(await opened(1)).toMatch(
    /Instructions chemistry .* Items 2 in, \d out Model call failed \(1 of \d\).*step.retrying/,
  );
  expect(await opened(2)).toMatch(/Artifacts Test plan table/);
  const items = page.getByRole('region', { name: 'Items of step 2', exact: true });
  const rows = (many: number) => expect.poll(() => items.getByRole('row').count()).toBe(many);
  const out = Number((await items.getByRole('button', { name: /^Passed on/ }).innerText()).split(' ').at(-1));
  await rows(out === 0 ? 0 : out + 1);
  await items.getByRole('button', { name: `Dropped ${2 - out}` }).click();
  await rows(2 - out + 1);
  await items.getByRole('link').first().click();
  await page.getByRole('dialog', { name: 'Record' }).getByRole('link', { name: 'Open the record' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await accessible(page);
});

journey('a query shows how it was read, and its plan can be edited and sent', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const { id } = (await when.createsQueryRun(home, 'Top 2 companies by revenue')).body;
  await then.ended(home, id);
  const page = await visit(home, toRun(id));
  await page.getByText('Understood as:').waitFor();
  await steps(page).first().getByRole('button').click();
  // The service refuses the rerun of a query.
  expect(await page.getByRole('button', { name: /^Rerun/ }).count()).toBe(0);
  await accessible(page);
  await page.getByRole('link', { name: 'Edit as a plan' }).click();
  await page.getByLabel('Title of the plan').fill('Mended');
  await page.getByText('Ready').waitFor();
  await page.getByRole('button', { name: 'Create run' }).click();
  await heading(page).getByText('Mended').waitFor();
  await statusOf(page, 'succeeded').waitFor();
});

journey('words that no step uses are named next to the question', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const { id } = (await when.createsQueryRun(home, 'Companies in Berlin')).body;
  await then.ended(home, id);
  const page = await visit(home, '#/runs');
  const warning = {
    code: 'query_partly_understood',
    message: 'Not understood: weather, tomorrow',
    details: { words: ['weather', 'tomorrow'] },
  };
  await page.route(`**/runs/${id}?include=plan`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), warnings: [warning] } });
  });
  await page.evaluate(`location.hash = '${toRun(id)}'`);
  const reading = page.getByRole('region', { name: 'How the question was read' });
  await reading.getByText('Not understood: weather, tomorrow.').waitFor();
  expect(await page.getByRole('region', { name: 'Warnings' }).count()).toBe(0);
  await accessible(page);
});

journey('a refused resume shows why, and the current state of the run', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, [analyze('[[fail-once]] [[delay:1500]]')])).body;
  await then.ended(home, id);
  const page = await visit(home, toRun(id));
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await when.resumes(home, id);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('The run is in progress').waitFor();
  await statusOf(page, 'succeeded').waitFor();
});

journey('a run is canceled with the keyboard; its running step is shown to end', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, [analyze('[[delay:8000]]'), analyze('never')])).body;
  const page = await visit(home, toRun(id));
  await steps(page).first().getByText('running').waitFor();
  await tabTo(page, 'Cancel run');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('is billed').waitFor();
  await tabTo(page, 'Cancel the run');
  await page.keyboard.press('Enter');
  await page.getByText('Finishing step 1, which is still billed.').waitFor();
  await expect.poll(() => page.getByText('Finishing step 1').count()).toBe(0);
  await statusOf(page, 'canceled').waitFor();
  expect(await steps(page).nth(1).innerText()).toContain('canceled');
});

journey(
  'a step is rerun with another config by the keyboard, and the new run names the old one',
  async ({ visit }) => {
    const home = await given.workspace();
    const { id } = (await when.createsPlanRun(home, [analyze('one'), analyze('two')])).body;
    await then.ended(home, id);
    const page = await visit(home, toRun(id));
    await steps(page).nth(1).getByRole('button').press('Enter');
    await tabTo(page, 'Rerun from step 2');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rerun from step 2' });
    await dialog.getByLabel('Fail when the cost reaches').pressSequentially('0.0000001');
    await accessible(page);
    await tabTo(page, 'Start the rerun');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'another run, from step 2' }).waitFor();
    expect(await steps(page).first().innerText()).toContain('reused');
    const rerun = (await page.evaluate<string>('location.hash')).slice(toRun('').length);
    expect(await then.ended(home, rerun)).toMatchObject({ config: { max_cost_usd: 0.0000001 } });
  },
);

journey('what a run was asked for is copied for other clients, its log as JSON', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, [analyze('one')])).body;
  await then.ended(home, id);
  const page = await visit(home, toRun(id));
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  const copied = async (name: string) => {
    const before = await clipboard();
    await page.getByRole('button', { name }).click();
    await expect.poll(clipboard).not.toBe(before);
    return clipboard();
  };
  expect(await copied('Copy as curl')).toContain(`curl -sS '${sharedService().base_url}/runs'`);
  expect(await copied('Copy as TypeScript')).toContain('"instructions": "one"');
  expect(await copied('Copy for the terminal')).toContain('runs -- create');
  await page.getByText('Events', { exact: true }).click();
  await page.getByLabel('Type').selectOption('step.completed');
  const events = JSON.parse(await copied('Copy as JSON'));
  expect(events).toMatchObject([{ event_type: 'step.completed', run_id: id }]);
  expect(await page.getByRole('link', { name: 'New run from this input' }).getAttribute('href')).toBe(
    `#/new?from=${id}`,
  );
});

journey('a webhook is seen with its attempts and delivered again', async ({ visit }) => {
  const home = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  const receiver = await customer(status(200));
  const { id } = (await when.createsPlanRun(home, [analyze('one')], { callback_url: receiver.url })).body;
  await then.ended(home, id);
  const page = await visit(home, toRun(id));
  const deliveries = page.getByRole('region', { name: 'Webhook deliveries' });
  await deliveries.getByText('delivered', { exact: true }).waitFor();
  await deliveries.getByRole('button', { name: 'Deliver again' }).click();
  await deliveries.getByText('2 attempts').click();
  await deliveries
    .getByText(/: 200 after/)
    .nth(1)
    .waitFor();
  expect(receiver.received).toHaveLength(2);
  await accessible(page);
});

journey('an answer as data is a tree whose values show the record that they come from', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const rows = {
    type: 'array',
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, revenue_musd: { type: 'number' } },
      required: ['name', 'revenue_musd'],
    },
  };
  const output_schema = { type: 'object', properties: { total: { type: 'integer' }, companies: rows } };
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer], { output_schema }))
    .body;
  await then.ended(home, id);
  const page = await visit(home, toRun(id));
  const data = page.getByRole('region', { name: 'Data' });
  const basis = data.getByRole('status');
  await data.getByRole('button', { name: '3', exact: true }).focus();
  await basis.getByText('the number of items of step 1, counted by the service').waitFor();
  await data.getByRole('link', { name: '12.5' }).hover();
  await basis.getByText('Acme company: field revenue_musd of the record, as the run read it').waitFor();
  await accessible(page);
  await data.getByRole('link', { name: 'Borealis' }).focus();
  const ofFocus = basis.getByText('Borealis company: field name of the record');
  await ofFocus.waitFor();
  // The page moves under a pointer that rests: the value that it now is over does not take the place of the focus.
  await data.getByRole('link', { name: '12.5' }).dispatchEvent('mouseenter');
  await data.getByRole('link', { name: '12.5' }).dispatchEvent('mouseover');
  expect(await ofFocus.isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('heading', { name: 'Borealis' }).waitFor();
});

journey(
  'a run past its deadline resumes with a larger one, and is deleted once that is confirmed',
  async ({ visit }) => {
    const home = await given.workspace();
    const late = [analyze('[[delay:1300]]'), { kind: 'fetch' }];
    const { id } = (await when.createsPlanRun(home, late, { config: { timeout_seconds: 1 } })).body;
    await then.ended(home, id);
    const page = await visit(home, toRun(id));
    expect(await page.getByLabel('New limit, seconds').inputValue()).toBe('2');
    await page.getByRole('button', { name: 'Resume' }).click();
    await statusOf(page, 'succeeded').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await accessible(page);
    await page.getByRole('button', { name: 'Delete the run' }).click();
    await heading(page).getByText('Runs').waitFor();
    expect((await call('GET', `/runs/${id}`, { key: home.key })).status).toBe(404);
  },
);

// rules.md: console 20, console 21, console 22. A run asks a person, waits, and goes on with what the person said, all on the service itself.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { customer, status } from '../e2e/webhook-receiver.ts';
import * as given from '../support/given.ts';
import { setUp } from '../support/live-source.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

/** A workspace whose runs ask a person, who gets a message with the link of the question. */
async function asking() {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const mailbox = await customer(status(204));
  await setUp(home, {
    ...{ name: 'approval', kind: 'person', title: 'May these companies be called?', entity_type: 'decision' },
    instructions: 'Look at each.\nThen decide.',
    schema: {
      type: 'object',
      required: ['approved', 'grade'],
      properties: {
        approved: { type: 'boolean', title: 'May we call them?' },
        grade: { type: 'integer', minimum: 1, maximum: 5 },
        why: { type: 'string', minLength: 5 },
        due: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      },
    },
    notify_url: mailbox.url,
  });
  const ask = { kind: 'fetch', title: 'Ask', params: { source: 'approval', context_step_ids: [0] } };
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, ask, when.answer])).body;
  const link = async (): Promise<string> => {
    await expect.poll(() => mailbox.received.length).toBeGreaterThan(0);
    return JSON.parse(String(mailbox.received[0]?.body)).answer_url;
  };
  return { home, id, link };
}

async function answers(page: Page, approved: 'Yes' | 'No'): Promise<void> {
  await page.getByRole('radio', { name: approved, exact: true }).check();
  await page.getByLabel('Grade').fill('4');
  await page.getByLabel(/^Due/).fill('2026-12-01');
  await page.getByRole('button', { name: 'Answer' }).click();
}

journey(
  'a run waits for a person, who answers by the link of the question; both pages say so',
  async ({ visit, open }) => {
    const { home, id, link } = await asking();
    const run = await visit(home, `#/runs/${id}`);
    const note = run.locator('h1 + p');
    await note.getByText(/^Waiting for approval since .*, until /).waitFor();
    const step = run.locator('.timeline-step').nth(1);
    await expect.poll(() => step.innerText()).toContain('waiting for approval');
    expect(await step.locator('.wait').count()).toBe(1);
    await accessible(run);
    const page = await open(await link());
    await page.getByRole('heading', { level: 1, name: 'May these companies be called?' }).waitFor();
    expect(page.url()).not.toContain('token');
    const items = page.getByRole('region', { name: 'Items' }).getByRole('row');
    expect(await items.count()).toBe(4);
    await accessible(page);
    await answers(page, 'Yes');
    await page.getByText('Your answer has been taken').waitFor();
    await note.getByText('succeeded').waitFor();
    await expect.poll(() => step.innerText()).toContain('for approval');
    expect(await step.innerText()).toMatch(/waited [\d.]+ m?s for approval/);
    const { data } = (await call('GET', `/runs/${id}/steps/1/items`, { key: home.key })).body;
    expect(data).toMatchObject([
      { type: 'decision', fields: { approved: true, grade: 4, due: '2026-12-01' } },
    ]);
    // The link is dead now.
    await page.reload();
    await page.getByRole('heading', { name: 'This question is over' }).waitFor();
    await page.getByText('has been answered').waitFor();
  },
);

journey('a question is answered from the list by a key, with links to its records', async ({ visit }) => {
  const { home, id, link } = await asking();
  await link();
  const page = await visit(home, '#/questions');
  const questions = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Questions/ });
  await expect.poll(() => questions.innerText()).toMatch(/^Questions\s*1\s+open$/);
  await page.getByRole('link', { name: 'May these companies be called?' }).click();
  await page.getByRole('button', { name: 'Answer' }).waitFor();
  await page.getByRole('region', { name: 'Items' }).getByRole('link', { name: 'Acme' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open the record' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  const why = page.getByLabel(/^Why/);
  await why.fill('no');
  await answers(page, 'No');
  // What the browser does not judge, the service does, at the field; the question stays open.
  await expect.poll(() => why.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('alert').count()).toBe(0);
  await why.fill('They have left.');
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.getByText('Your answer has been taken').waitFor();
  await then.ended(home, id);
  await page.getByRole('link', { name: 'All jobs' }).click();
  await expect
    .poll(() => page.getByRole('row').nth(1).innerText())
    .toMatch(/answered\s+May these companies be called\?\s+Question/);
});

journey('who declines stops the run, which says why; who comes later reads that', async ({ open, visit }) => {
  const { home, id, link } = await asking();
  const address = await link();
  const [page, late] = [await open(address), await open(address)];
  await late.getByRole('button', { name: 'Answer' }).waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').getByLabel('Why').fill('Acme has asked us not to.');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByText('You have declined').waitFor();
  await answers(late, 'Yes');
  await late.getByText('has been declined').waitFor();
  const run = await visit(home, `#/runs/${id}`);
  await run.getByRole('region', { name: 'Errors' }).getByText('Acme has asked us not to.').first().waitFor();
});

journey('a run that is canceled takes its question with it', async ({ open }) => {
  const { home, id, link } = await asking();
  const page = await open(await link());
  await page.getByRole('button', { name: 'Answer' }).waitFor();
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  await answers(page, 'Yes');
  await page.getByText('The run has ended without an answer').waitFor();
});

journey('the job of a worker is shown with what was asked, and has no form', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const worker = await customer(status(202));
  const limits = { timeout_seconds: 3600, attempts: 1 };
  const source = { description: '', entity_type: 'lead', headers: {}, fields: [], url: worker.url };
  await setUp(home, { name: 'scorer', kind: 'job', ...source, ...limits });
  const params = { source: 'scorer', query: 'score each', context_step_ids: [0] };
  const ask = { kind: 'fetch', title: 'Score the companies', params };
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, ask])).body;
  const page = await visit(home, `#/runs/${id}`);
  await page.getByRole('link', { name: 'Open the job' }).click();
  await page.getByRole('heading', { level: 1, name: 'Score the companies' }).waitFor();
  await page.getByText('score each').waitFor();
  expect(await page.getByRole('region', { name: 'Items' }).getByRole('row').count()).toBe(4);
  expect(await page.getByRole('button', { name: 'Answer' }).count()).toBe(0);
  await accessible(page);
  const [job] = (await call('GET', `/jobs?run_id=${id}`, { key: home.key })).body.data;
  const body = { items: [{ name: 'Acme' }], usage: { cost_usd: 0.25 } };
  await call('POST', `/jobs/${job.job_id}/complete`, { key: home.key, body });
  await then.ended(home, id);
  await page.reload();
  await expect.poll(() => page.locator('.run-facts').innerText()).toMatch(/completed[^$]*1 item[^$]*\$0\.25/);
  await page.getByRole('link', { name: 'step 2 of a run' }).click();
  await expect.poll(() => page.locator('.run-facts').innerText()).toContain('1 job for $0.25');
});

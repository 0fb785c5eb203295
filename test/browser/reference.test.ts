// The pages of the reference, as a reader sees them, with and without a script.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import openapi from '../../functions/contract/openapi.json' with { type: 'json' };
import { workspace } from '../support/given.ts';
import { sharedService } from '../support/service.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const docs = () => `${sharedService().site_url}/docs`;
const results = (page: Page) => page.getByRole('search').getByRole('link');

/** One of each kind; the others are made in the same way. */
journey.for(['', '/sync', '/errors', '/nothing'])('the page docs%s needs no key', async (path, { open }) => {
  const page = await open(`${docs()}${path}`);
  await page.getByRole('searchbox').waitFor();
  await accessible(page);
});

journey('the page of the rules is read without a script', async ({ open }) => {
  const page = await open(`${docs()}/rules`);
  await page.getByRole('heading', { level: 2, name: 'cancel' }).waitFor();
  await accessible(page);
});

journey('no page is wider than the smallest screen', async ({ open }) => {
  const page = await open(docs(), { width: 320 });
  const slugs = openapi.tags.map(({ name }) => name.toLowerCase().replaceAll(' ', '-'));
  for (const slug of slugs.concat('errors', 'rules')) {
    await page.goto(`${docs()}/${slug}`);
    expect([slug, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([slug, 320]);
  }
});

journey('a search finds an operation by a word of its parameters, and leads to it', async ({ open }) => {
  const page = await open(`${docs()}/webhooks`);
  await page.keyboard.press('/');
  await page.keyboard.type('keep-open');
  await results(page).getByText('Read the event log, page by page').click();
  await page.waitForURL('**/docs/events#ListEvents');
  await page.getByRole('heading', { level: 2, name: 'Read the event log, page by page' }).waitFor();
});

journey('a search leads to a guide by the keyboard alone, and away again', async ({ open }) => {
  const page = await open(docs());
  await page.keyboard.press('/');
  await page.keyboard.type('schedule');
  await results(page).first().waitFor();
  await accessible(page);
  await page.keyboard.press('Escape');
  expect(await results(page).count()).toBe(0);
  await page.keyboard.type('schedules');
  await results(page).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/monitors');
});

journey(
  'a search finds a field in every schema that has it, and says when nothing matches',
  async ({ open }) => {
    const page = await open(docs());
    await page.getByRole('searchbox').fill('max_cost_usd');
    await results(page).getByText('RunConfig').waitFor();
    await page.getByRole('searchbox').fill('zzzzz');
    await page.getByRole('status').filter({ hasText: '0 found' }).waitFor();
    expect(await results(page).count()).toBe(0);
  },
);

journey('an address without a page leads on by its search', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/api/docs/nothing/at/all`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('searchbox').fill('delete a run');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/api/docs/runs#DeleteRun');
});

journey('code is copied unchanged', async ({ open }) => {
  const page = await open(`${docs()}/runs#CreateRun`);
  const section = page.locator('#CreateRun');
  const example = section.locator('pre').first();
  await section.getByRole('button', { name: 'Copy' }).first().click();
  await section.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await example.textContent());
  expect(await example.textContent()).toMatch(/\S$/);
});

journey('the example of a create opens the form of the console with it', async ({ visit }) => {
  const page = await visit(await workspace(), '#/runs');
  await page.goto(`${docs()}/runs#CreateRun`);
  await page.getByRole('link', { name: 'Try it in the console' }).click();
  await page.getByRole('heading', { level: 1, name: 'New run' }).waitFor();
  const title = page.getByRole('textbox', { name: 'Title' }).first();
  await expect.poll(() => title.inputValue()).toBe('Companies in Berlin');
});

journey('an error leads to its entry, and from its reasons to what to do', async ({ open }) => {
  const page = await open(`${docs()}/errors#run_not_resumable`);
  const entry = page.locator('#run_not_resumable');
  expect(await entry.isVisible()).toBe(true);
  await entry.getByRole('link', { name: 'no_saved_plan' }).click();
  await page.waitForURL('**#run_not_resumable.no_saved_plan');
});

journey('below a stage the pages lead to each other all the same', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/api/docs`);
  await page.getByRole('main').getByRole('link', { name: 'Create a run' }).click();
  await page.waitForURL('**/api/docs/runs#CreateRun');
  await page.getByRole('navigation').getByRole('link', { name: 'Events' }).click();
  await page.waitForURL('**/api/docs/events');
  await page.getByRole('link', { name: 'Errors' }).first().click();
  await page.waitForURL('**/api/docs/errors');
});

journey('who uses the keyboard skips to the content', async ({ open }) => {
  const page = await open(`${docs()}/runs`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
});

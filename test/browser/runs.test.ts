// rules.md: console 4. The list of runs: found, filtered, read while it changes.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const rows = (page: Page) => page.locator('.runs tbody tr');
const run = (home: given.Home, title: string, extra: object = {}) =>
  call('POST', '/runs', {
    key: home.key,
    body: { input_type: 'plan', plan: { title, steps: [{ kind: 'fetch', title: 'All' }] }, ...extra },
  });
/** A run that takes this many milliseconds. */
const slowRun = (home: given.Home, title: string, ms: number) =>
  call('POST', '/runs', {
    key: home.key,
    body: {
      input_type: 'plan',
      plan: {
        title,
        steps: [
          { kind: 'fetch', title: 'All' },
          { kind: 'filter', title: 'Slow', instructions: `[[delay:${ms}]] x` },
        ],
      },
    },
  });

journey.for(['Ask a question', 'Run a plan', 'Write a dossier'])(
  'who has no run yet begins with an example: %s',
  async (example, { visit }) => {
    const home = await given.workspace();
    await given.companies(home.workspace_id);
    const page = await visit(home, '#/runs');
    await page.getByRole('heading', { name: 'No run yet' }).waitFor();
    await page.getByRole('button', { name: example }).click();
    await expect.poll(() => page.url()).toMatch(/#\/runs\/[0-9a-f-]{36}$/);
    const id = page.url().split('/').at(-1) ?? '';
    expect((await then.ended(home, id)).status).toBe('succeeded');
  },
);

journey(
  'an empty workspace greets any key, and one that may not create runs learns it',
  async ({ visit }) => {
    const home = await given.workspace();
    const reader = await given.key(home.workspace_id, ['runs:read']);
    const page = await visit(reader, '#/runs');
    await page.getByText('This workspace has no records yet.').waitFor();
    await given.companies(home.workspace_id);
    await page.reload();
    await page.getByText('it has no scope runs:create').waitFor();
    expect(await page.getByRole('button', { name: 'Ask a question' }).isDisabled()).toBe(true);
    await accessible(page);
  },
);

journey('filters combine, are part of the address, and can be cleared', async ({ visit }) => {
  const home = await given.workspace();
  await Promise.all([
    run(home, 'Red', { metadata: { team: 'red' } }),
    run(home, 'Blue', { metadata: { team: 'blue' } }),
    run(home, '<img src=x onerror="window.pwn=1">'),
  ]);
  const page = await visit(home, '#/runs');
  await expect.poll(() => rows(page).count()).toBe(3);
  await accessible(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await accessible(page);
  await page.getByLabel('Metadata').fill('team:red');
  await page.getByLabel('Metadata').press('Enter');
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByLabel('Created').selectOption('Today');
  await page.getByLabel('Kind').selectOption('Plan');
  await expect.poll(() => page.url()).toMatch(/#\/runs\?type=plan&since=today&metadata=team%3Ared$/);
  await page.reload();
  await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('Red')]);
  await page.getByRole('button', { name: 'canceled' }).click();
  await page.getByText('No run matches').waitFor();
  await page.getByRole('link', { name: 'Clear the filters' }).click();
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.goBack();
  await page.getByText('No run matches').waitFor();
});

journey('a filter that cannot be meant is an error, not a shrug', async ({ visit }) => {
  const home = await given.workspace();
  const page = await visit(home, '#/runs?status=lost');
  await page.getByText('schema_validation_failed').waitFor();
  await page.getByLabel('Metadata').fill('neither');
  await page.getByLabel('Metadata').press('Enter');
  await page.getByText('Write a key, a colon and a value.').waitFor();
});

journey('runs are found by the words of their titles, wherever they are in the list', async ({ visit }) => {
  const home = await given.workspace();
  await run(home, 'Companies in Berlin');
  for (let made = 0; made < 21; made += 1) await run(home, `Other ${made}`);
  const page = await visit(home, '#/runs');
  await page.getByLabel('Find by title').fill('berlin COMPANIES');
  await page.getByLabel('Find by title').press('Enter');
  await expect
    .poll(() => rows(page).allTextContents())
    .toEqual([expect.stringContaining('Companies in Berlin')]);
  await page.getByLabel('Find by title').fill('oslo');
  await page.getByLabel('Find by title').press('Enter');
  await page.getByText('No run matches').waitFor();
});

journey('an id in the search opens that run', async ({ visit }) => {
  const home = await given.workspace();
  const { id } = (await run(home, 'Wanted')).body;
  const page = await visit(home, '#/runs');
  await page.getByLabel('Find by title').fill(` ${id} `);
  await page.getByLabel('Find by title').press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Wanted' }).waitFor();
});

journey('a new run appears by itself, above the others', async ({ visit }) => {
  const home = await given.workspace();
  await run(home, 'First');
  const page = await visit(home, '#/runs');
  await rows(page).filter({ hasText: 'First' }).waitFor();
  await run(home, 'Second');
  await expect
    .poll(() => rows(page).allTextContents())
    .toEqual([expect.stringContaining('Second'), expect.stringContaining('First')]);
});

journey('nothing moves below the pointer: newer runs wait until they are asked for', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  await slowRun(home, 'First', 2500);
  const page = await visit(home, '#/runs');
  await rows(page).filter({ hasText: 'running' }).hover();
  await run(home, 'Second');
  await page.getByRole('button', { name: 'Show 1 newer run' }).waitFor();
  await rows(page).filter({ hasText: 'First' }).filter({ hasText: 'succeeded' }).waitFor();
  expect(await rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Show 1 newer run' }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
});

journey('a run that leaves the filter while it is read shows how it ended', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const { id } = (await slowRun(home, 'Short', 60_000)).body;
  const page = await visit(home, '#/runs');
  const filtered = page.waitForResponse((reply) => reply.url().includes('status=pending'));
  await page.getByRole('link', { name: 'In flight' }).click();
  await filtered;
  await rows(page).filter({ hasText: 'running' }).waitFor();
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  await rows(page).filter({ hasText: 'canceled' }).waitFor();
});

journey('the keyboard leads through the list', async ({ visit }) => {
  const home = await given.workspace();
  await run(home, 'Older');
  await run(home, 'Newer');
  const page = await visit(home, '#/runs');
  await expect.poll(() => rows(page).count()).toBe(2);
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await page.keyboard.press('j');
  expect(await focused()).toBe('Newer');
  await page.keyboard.press('j');
  expect(await focused()).toBe('Older');
  await page.keyboard.press('k');
  expect(await focused()).toBe('Newer');
  await page.keyboard.press('/');
  expect(
    await page.getByLabel('Find by title').evaluate((one) => one === one.ownerDocument.activeElement),
  ).toBe(true);
  // In a field a letter is a letter.
  await page.keyboard.press('n');
  expect(await page.getByLabel('Find by title').inputValue()).toBe('n');
  await page.getByRole('link', { name: 'Older' }).focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await accessible(page);
  await page.keyboard.press('Escape');
  expect(await focused()).toBe('Older');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/#\/runs\/[0-9a-f-]{36}$/);
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: 'New run' }).waitFor();
});

journey('older runs are a page further, and the newest one link away', async ({ visit }) => {
  const home = await given.workspace();
  for (let made = 0; made < 21; made += 1) await run(home, `Run ${made}`);
  const page = await visit(home, '#/runs');
  await expect.poll(() => rows(page).count()).toBe(20);
  await page.getByRole('link', { name: 'Older runs' }).click();
  await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('Run 0')]);
  await page.getByRole('link', { name: 'Newest runs' }).click();
  await expect.poll(() => rows(page).count()).toBe(20);
});

journey('a lost connection is shown, and restored automatically', async ({ visit }) => {
  const home = await given.workspace();
  await run(home, 'Here');
  const page = await visit(home, '#/runs');
  await rows(page).filter({ hasText: 'Here' }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('The service cannot be reached').waitFor();
  expect(await rows(page).count()).toBe(1);
  await page.context().setOffline(false);
  await page.getByText('The service cannot be reached').waitFor({ state: 'detached' });
});

journey('paused runs are explained by the maintenance', async ({ visit }) => {
  const home = await given.workspace();
  await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
  await run(home, 'Waiting');
  const page = await visit(home, '#/runs');
  await page.getByText('Maintenance: paused runs continue automatically').waitFor();
  await admin({ command: 'maintenance.end', workspace_id: home.workspace_id });
  await rows(page).filter({ hasText: 'succeeded' }).waitFor();
});

journey('usage shows what is used of each limit, and the runs by cost', async ({ visit }) => {
  const home = await given.workspace({ credits: 50, max_concurrent_runs: 7, daily_cost_cap_usd: 2 });
  await given.companies(home.workspace_id);
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.keepBerlin])).body;
  await then.ended(home, id);
  const page = await visit(home, '#/usage');
  await page.getByText('0 of 7').waitFor();
  await page
    .getByText(/^\$0\.0\d+ of \$2\.00$/)
    .first()
    .waitFor();
  await page.getByText('38 left, 0 credits reserved').waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  await accessible(page);
});

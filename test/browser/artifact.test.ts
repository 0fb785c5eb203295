// The page of an artifact: tables of any size, texts, cards, unknown kinds.
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const ID = '01a1fef7-b719-7ed6-a718-8589119636a6';
const rowCells = (page: Page, column: number) =>
  page.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();

/** Lets the page read an artifact that the service does not have. */
const answerWith = (page: Page, artifact: object) =>
  page.route(`**/artifacts/${ID}**`, (route) =>
    route.fulfill({
      json: {
        id: ID,
        object: 'artifact',
        title: 'Made up',
        run_id: ID,
        created_at: 0,
        entity_refs: [],
        ...artifact,
      },
    }),
  );

journey(
  'a table is sorted, searched, copied and saved; a record link opens next to it and returns the focus',
  async ({ visit }) => {
    const home = await given.workspace();
    await given.companies(home.workspace_id);
    const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer])).body;
    const [table, prose] = (await then.ended(home, id)).artifacts;
    const page = await visit(home, `#/artifacts/${table.id}`);
    const column = page.getByRole('columnheader', { name: /^Revenue \(million USD\)/ });
    await column.getByRole('button').click();
    expect(await column.getAttribute('aria-sort')).toBe('ascending');
    const names = page.locator('tbody tr').getByRole('link');
    expect(await names.allInnerTexts()).toEqual(['Cobalt', 'Acme', 'Borealis']);
    await column.getByRole('button').press('Enter');
    expect(await names.allInnerTexts()).toEqual(['Borealis', 'Acme', 'Cobalt']);
    await accessible(page);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Test-plan.csv');
    const csv = await text(await download.createReadStream());
    expect(
      parse<{ city: string }>(csv, { columns: true })
        .map(({ city }) => city)
        .sort(),
    ).toEqual(['Berlin', 'Berlin', 'Oslo']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    // A table opens as CSV, not as JSON in the page of whoever follows the link.
    expect(await (await fetch(link)).text()).toBe(csv);

    await page.getByLabel('Find').fill('oslo');
    await page.getByText('1 of 3 rows').waitFor();
    await names.first().press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Record' });
    await drawer.getByRole('heading', { name: 'Borealis' }).waitFor();
    await drawer.getByText('Energy').waitFor();
    await accessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer.count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Borealis');
    // The browser closes the dialog first, and tells the page in a later task.
    await expect.poll(() => page.evaluate('location.hash')).toBe(`#/artifacts/${table.id}`);

    await page.evaluate(`location.hash = '#/artifacts/${prose.id}'`);
    await page.getByRole('button', { name: 'Download Markdown' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Acme' }).first().waitFor();
    await accessible(page);
  },
);

journey('a card shows its record, and the records that it is related to are links', async ({ visit }) => {
  const home = await given.workspace();
  const [acme] = await given.companies(home.workspace_id);
  const body = { input_type: 'preset', preset: 'dossier', params: { entity: { id: acme?.id } } };
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  const run = await then.ended(home, id);
  const card = run.artifacts.find(({ kind }: { kind: string }) => kind === 'entity_card');
  const page = await visit(home, `#/artifacts/${card.id}`);
  await page.getByText('Berlin').first().waitFor();
  await accessible(page);
  await page.evaluate(`location.hash = '#/runs/${id}?record=note=${run.note_ids[0]}'`);
  await page.getByRole('dialog', { name: 'Record' }).getByRole('heading').nth(1).waitFor();
  await page.keyboard.press('Escape');
  // The dossier itself is on the page of its run.
  const dossier = page.getByRole('region', { name: 'Dossier' });
  await dossier.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Dossier: Acme' }).waitFor();
});

journey('cells are written as people read them, and a long one opens on request', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/runs', { width: 390 });
  const rows = [
    {
      name: 'A',
      price: 12_494.8,
      founded: 2011,
      tags: ['eco', 'sale'],
      sold: true,
      at: '2025-03-01',
      note: 'long '.repeat(90),
    },
    { name: 'B', price: 367.15, founded: 1998, tags: [], sold: false, at: '2025-11-30', note: 'short' },
  ];
  const columns = ['name', 'price', 'founded', 'tags', 'sold', 'at', 'note'];
  await answerWith(page, { kind: 'table', row_count: rows.length, columns, rows });
  await page.evaluate(`location.hash = '#/artifacts/${ID}'`);
  await page.getByRole('columnheader', { name: 'Founded' }).waitFor();
  const texts = async (row: number) =>
    (await page.locator(`tbody tr:nth-child(${row}) td`).allInnerTexts()).map((text) => text.trim());
  expect((await texts(1)).slice(0, 6)).toEqual(['A', '12,494.80', '2011', 'eco\nsale', 'yes', 'Mar 1, 2025']);
  expect((await texts(2)).slice(0, 6)).toEqual(['B', '367.15', '1998', '', 'no', 'Nov 30, 2025']);
  const more = page.getByRole('button', { name: 'more' });
  const height = () =>
    page
      .locator('tbody tr')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height);
  const cut = await height();
  await more.click();
  await page.getByRole('button', { name: 'less' }).waitFor();
  expect(await height()).toBeGreaterThan(cut);
  // The first column stays where it is while the others move below it.
  const left = () =>
    page
      .locator('tbody td')
      .first()
      .evaluate((cell) => cell.getBoundingClientRect().left);
  const before = await left();
  await page.locator('.scroll').evaluate((frame) => frame.scrollBy(200, 0));
  expect(await left()).toBe(before);
  await accessible(page);
});

journey('ten thousand rows are sorted and paged without a wait', async ({ visit }) => {
  const rows = Array.from({ length: 10_000 }, (_, i) => ({
    name: `Company ${(i * 7919) % 10_000}`,
    size: (i * 31) % 997,
  }));
  const page = await visit(await given.workspace(), '#/runs');
  await answerWith(page, { kind: 'table', row_count: rows.length, columns: ['name', 'size'], rows });
  await page.evaluate(`location.hash = '#/artifacts/${ID}'`);
  await page.getByText('Page 1 of 50').waitFor();
  const tookMs = await page.evaluate<number>(`(async () => {
    const begun = performance.now();
    document.querySelector('th button').click();
    while (!document.querySelector('th[aria-sort=ascending]')) await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  })()`);
  // Half a second on a quiet machine; this one may be busy.
  expect(tookMs).toBeLessThan(2000);
  expect((await rowCells(page, 1)).slice(0, 3)).toEqual(['Company 0', 'Company 1', 'Company 2']);
  expect(await page.locator('tbody tr').count()).toBe(200);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2 of 50').waitFor();
  expect((await rowCells(page, 1))[0]).toBe('Company 200');
});

journey('an unknown kind of artifact is shown as JSON; a missing artifact is reported', async ({ visit }) => {
  const page = await visit(await given.workspace(), `#/artifacts/${ID}`);
  await page.getByText('artifact_not_found').waitFor();
  await accessible(page);
  await answerWith(page, { kind: 'hologram', content: { depth: 3 } });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('"depth": 3').waitFor();
});

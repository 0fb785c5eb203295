// A file becomes records in the browser (rules.md: console 18): it is chosen or dropped, shown, and imported.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const CSV =
  'name,city,employees,founded\n"Brno ""North"" Mills",Brno,1200,2001-05-04\nOslo Ink,Oslo,80,1999-01-01\n';

const choose = (page: Page, name: string, text: string | Buffer) =>
  page.getByLabel('Import a file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const dialogOf = (page: Page) => page.getByRole('dialog');
const status = (page: Page) => dialogOf(page).getByRole('status').innerText();

async function importAs(page: Page, type: string): Promise<void> {
  await dialogOf(page).getByLabel('Type of the records').fill(type);
  await dialogOf(page)
    .getByRole('button', { name: /^Import \d/ })
    .click();
}

journey('a CSV that is chosen with the keyboard becomes records', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/records');
  await page.getByText('This workspace has no records yet').waitFor();
  const choosing = page.waitForEvent('filechooser');
  await page.getByLabel('Import a file').press('Enter');
  await (await choosing).setFiles({ name: 'mills.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
  await page.getByText('2 rows of CSV').waitFor();
  expect(await dialogOf(page).getByRole('columnheader').allInnerTexts()).toEqual([
    ...['name (name)', 'city (text)', 'employees (number)', 'founded (date)'],
  ]);
  expect(await dialogOf(page).getByRole('cell').first().innerText()).toBe('Brno "North" Mills');
  await accessible(page);
  await dialogOf(page).getByLabel('Type of the records').fill('mill');
  await page.keyboard.press('Enter');
  await page.getByText('The file is imported: 2 created').waitFor();
  await accessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'mill 2' }).waitFor();
  await page.getByRole('link', { name: 'Oslo Ink' }).waitFor();
});

journey('records that exist stay as they are unless it is chosen that they change', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/records');
  await choose(page, 'mills.csv', CSV);
  await importAs(page, 'mill');
  await page.getByRole('link', { name: 'Show the records' }).click();
  await page.getByRole('link', { name: 'mill 2' }).waitFor();
  const later = CSV.replace(',80,', ',81,');
  await choose(page, 'mills.csv', later);
  expect(await dialogOf(page).getByLabel('Type of the records').inputValue()).toBe('mill');
  await importAs(page, 'mill');
  await page.getByText('0 created, 2 left as they were').waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  await choose(page, 'mills.csv', later);
  await dialogOf(page).getByLabel('Records that exist get the content of their rows').check();
  await importAs(page, 'mill');
  await page.getByText('0 created, 1 updated, 1 unchanged').waitFor();
});

journey(
  'a file that is dropped on the page is read, and what is wrong with it has its place',
  async ({ visit }) => {
    const page = await visit(await given.workspace(), '#/records');
    const dropped = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(['name,city\\nAcme,Oslo,Norway\\n'], 'bad.csv'));
    return data;
  })()`);
    await page.getByLabel('Import a file').waitFor({ state: 'attached' });
    await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped });
    await page.locator('.drop-zone.is-over').waitFor();
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
    const alert = dialogOf(page).getByRole('alert');
    await alert.getByText('Line 2, column 3: the row has 3 cells, the header has 2').waitFor();
    expect(
      await dialogOf(page)
        .getByRole('button', { name: /^Import/ })
        .count(),
    ).toBe(0);
    await accessible(page);
  },
);

journey('where no column can be the name, one is chosen', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/records');
  await choose(page, 'tags.csv', 'tag,colour\na,red\na,red\n');
  await dialogOf(page).getByRole('alert').getByText('Choose the column with the name').waitFor();
  await dialogOf(page).getByLabel('Column with the name').selectOption('tag');
  await page.getByText('2 rows of CSV').waitFor();
  await importAs(page, 'tag');
  await page.getByText('The file is imported: 2 created').waitFor();
});

journey('rows that the service refuses are named with their lines, the others are in', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/records');
  await choose(page, 'long.csv', `name\nAcme\n${'x'.repeat(600)}\n`);
  await importAs(page, 'company');
  await page.getByText('1 created, 0 left as they were, 1 row refused').waitFor();
  expect(await dialogOf(page).getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Line 3: name /),
  ]);
  await accessible(page);
});

journey('an import that breaks says what is in, and is completed by another', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/records');
  let calls = 0;
  await page.route('**/entities/import', (route) => {
    calls += 1;
    return calls === 2
      ? route.fulfill({ status: 400, json: { error: { code: 'body_invalid', message: 'no' } } })
      : route.continue();
  });
  const rows = Array.from({ length: 1200 }, (_, i) => `n${i}\n`).join('');
  await choose(page, 'many.csv', `name\n${rows}`);
  await importAs(page, 'thing');
  await page.getByText('1,000 of 1,200 rows are in for certain, up to line 1,001').waitFor();
  await accessible(page);
  await page.getByRole('button', { name: 'Import again' }).click();
  await page.getByText('The file is imported: 200 created, 1,000 left as they were').waitFor();
  expect(await status(page)).not.toContain('refused');
});

journey('a key that may not write records is told which scope it lacks', async ({ visit }) => {
  const home = await given.workspace();
  const reader = await given.key(home.workspace_id, ['runs:read']);
  const page = await visit({ ...home, ...reader }, '#/records');
  await page.getByText('records:write').waitFor();
  expect(await page.getByLabel('Import a file').count()).toBe(0);
});

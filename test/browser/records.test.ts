// rules.md: console 16. The page of records: a table of each type, its fields and the distribution of their values, and
// one record.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const table = (page: Page) => page.getByRole('region', { name: 'Records of the type' }).locator('table');
const rowsOf = async (page: Page) =>
  (await table(page).locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
const namesOf = async (page: Page) => (await rowsOf(page)).map((row) => row.split(' ')[0]);

/** More tickets than a page has. */
const tickets = (home: given.Home) =>
  given.entities(
    home.workspace_id,
    Array.from({ length: 120 }, (_, at) => ({
      type: 'ticket',
      name: `T${String(at).padStart(3, '0')}`,
      fields: {
        amount: at * 10,
        opened: `2026-0${1 + (at % 3)}-15`,
        status: at % 4 === 0 ? 'open' : 'closed',
        site: 'https://www.example.com/tickets/a*b*c',
        text: at === 7 ? `The cable is missing. ${'More about it. '.repeat(20)}` : 'Nothing to add.',
      },
    })),
  );

journey('types, their fields and a table of their records are shown', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const page = await visit(home, '#/records');
  await page.getByRole('link', { name: 'company 3' }).waitFor();
  const fields = page.getByRole('region', { name: 'Fields of a company' }).first();
  const rows = (await fields.locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  expect(rows).toEqual([
    expect.stringMatching(/^city string 100 % Berlin Oslo/),
    expect.stringMatching(/^industry string 100 %/),
    expect.stringMatching(/^revenue_musd number 100 % 3 to 80 12.5 /),
  ]);
  await expect
    .poll(() => rowsOf(page))
    .toEqual(['Acme Berlin Tools 12.5', 'Borealis Oslo Energy 80.0', 'Cobalt Berlin Chemistry 3.0']);
  await accessible(page);
  await page.getByRole('link', { name: 'person 1' }).click();
  await page.getByRole('link', { name: 'Dana Ito' }).waitFor();
});

journey(
  'a table is sorted, turned, searched and under conditions, and its address says so',
  async ({ visit }) => {
    const home = await given.workspace();
    await tickets(home);
    const page = await visit(home, '#/records');
    await page.getByText('Page 1 of 3').waitFor();
    await page.getByRole('button', { name: 'Amount' }).click();
    await expect.poll(() => namesOf(page).then((names) => names[0])).toBe('T000');
    await page.getByRole('button', { name: 'Amount' }).click();
    await expect.poll(() => namesOf(page).then((names) => names[0])).toBe('T119');
    await page.getByRole('link', { name: 'Next' }).click();
    await expect.poll(() => namesOf(page).then((names) => [names[0], names.length])).toEqual(['T069', 50]);
    await page.getByLabel('Words of a record').fill('missing cable');
    await page.getByRole('button', { name: 'Find' }).click();
    await expect.poll(() => namesOf(page)).toEqual(['T007']);
    await page.getByText('1 of 120 records').waitFor();
    await page.getByLabel('Words of a record').fill('');
    await page.getByRole('button', { name: 'Conditions' }).click();
    const conditions = page.getByRole('form', { name: 'Conditions' });
    await conditions.getByLabel('Field').selectOption('amount');
    await conditions.getByLabel('Operator').selectOption('is at least');
    await conditions.getByLabel('Value').fill('1150');
    await accessible(page);
    await page.getByRole('button', { name: 'Find' }).click();
    await conditions.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => namesOf(page)).toEqual(['T119', 'T118', 'T117', 'T116', 'T115']);
    await page.reload();
    await expect.poll(() => namesOf(page)).toEqual(['T119', 'T118', 'T117', 'T116', 'T115']);
    await page.getByRole('button', { name: 'amount is at least 1150' }).click();
    await page.getByText('Page 1 of 3').waitFor();
  },
);

journey('columns are chosen, and rows have one height until a text is read', async ({ visit }) => {
  const home = await given.workspace();
  await tickets(home);
  const page = await visit(home, '#/records?type=ticket');
  await page.getByRole('link', { name: 'T007' }).waitFor();
  // The last row has no line below it.
  const spread = () =>
    table(page)
      .locator('tbody tr')
      .evaluateAll((rows) => {
        const heights = rows.map((row) => row.getBoundingClientRect().height);
        return Math.max(...heights) - Math.min(...heights);
      });
  expect(await spread()).toBeLessThan(2);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await spread()).toBeLessThan(2);
  expect((await rowsOf(page))[0]).toContain('https://www.example.com/tickets/a*b*c');
  await table(page).getByRole('button', { name: 'more' }).click();
  expect(await spread()).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Text').uncheck();
  await page.getByLabel('Created at').check();
  const heads = () => table(page).locator('th').allInnerTexts();
  await expect
    .poll(async () => (await heads()).map((head) => head.replace(/\s*▲/, '')))
    .toEqual(['Name', 'Amount', 'Opened', 'Site', 'Status', 'Created at']);
  await accessible(page);
});

journey('the values of a field are drawn: as bars that lead on, by steps and by month', async ({ visit }) => {
  const home = await given.workspace();
  await tickets(home);
  const page = await visit(home, '#/records?type=ticket');
  const part = page.getByRole('region', { name: 'Distribution' });
  const choice = part.getByLabel('Field to see the values of');
  await choice.selectOption('amount');
  await part.getByRole('img', { name: /^Amount in steps of 100: ticket: 12 values/ }).waitFor();
  await choice.selectOption('opened');
  await part.getByRole('img', { name: /^Opened by month: ticket: 3 values/ }).waitFor();
  await part.getByLabel('Period').selectOption('by day');
  await part.getByRole('img', { name: /^Opened by day: ticket: 60 values/ }).waitFor();
  await part.getByText('As a table').click();
  await part.getByRole('cell', { name: 'Jan 15, 2026' }).waitFor();
  await accessible(page);
  await choice.selectOption('status');
  const bars = part.getByRole('table', { name: 'Status: ticket' }).locator('tbody tr');
  await expect.poll(() => bars.allInnerTexts()).toEqual(['closed\t90\t', 'open\t30\t']);
  await accessible(page);
  await part.getByRole('link', { name: 'open' }).click();
  await page.getByText('30 of 120 records').waitFor();
  await expect.poll(() => bars.allInnerTexts()).toEqual(['open\t30\t']);
});

journey('a question about the records that are shown is a plan with their conditions', async ({ visit }) => {
  const home = await given.workspace();
  await tickets(home);
  const where = JSON.stringify([{ field: 'status', op: '=', value: 'open' }]);
  const page = await visit(home, `#/records?${new URLSearchParams({ type: 'ticket', where })}`);
  await page.getByRole('link', { name: 'Ask about these' }).click();
  await page.getByText('Ready').waitFor();
  await page.getByRole('button', { name: 'Create run' }).click();
  await page.getByRole('heading', { level: 1, name: 'About ticket, status is open' }).waitFor();
});

journey('a table leaves the list of runs by itself, and costs nothing', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const page = await visit(home, '#/records');
  await page.getByRole('link', { name: 'Acme' }).waitFor();
  const { data } = (await call('GET', '/runs', { key: home.key })).body;
  expect(data).toMatchObject([{ title: 'Records: company', usage: { calls: 0, cost_usd: 0 } }]);
  const run = (await call('GET', `/runs/${data[0].id}`, { key: home.key })).body;
  expect(run.config).toEqual({ retain_seconds: 60 });
});

journey('records longer than one reply are all on their page', async ({ visit }) => {
  const home = await given.workspace();
  const long = 'word '.repeat(30_000);
  for (let first = 0; first < 30; first += 10)
    await given.entities(
      home.workspace_id,
      Array.from({ length: 10 }, (_, at) => ({ type: 'page', name: `P${first + at}`, fields: { long } })),
    );
  const page = await visit(home, '#/records');
  await expect.poll(async () => (await namesOf(page)).length).toBe(30);
  const first = table(page).locator('tbody tr').first();
  expect((await first.boundingBox())?.height).toBeLessThan(60);
  await first.getByRole('button', { name: 'show all' }).click();
  await expect.poll(() => first.innerText()).toContain('word '.repeat(29_000));
});

journey('where runs draw credits, names are shown until a table is asked for', async ({ visit }) => {
  const home = await given.workspace({ credits: 100 });
  await given.companies(home.workspace_id);
  const page = await visit(home, '#/records');
  await page.getByRole('link', { name: 'Acme' }).waitFor();
  expect((await call('GET', '/runs', { key: home.key })).body.data).toEqual([]);
  await page.getByLabel('Words of a name').fill('acm');
  await expect.poll(() => page.locator('.entries li').allInnerTexts()).toEqual(['Acme crm:acme']);
  await accessible(page);
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect.poll(() => namesOf(page)).toEqual(['Acme']);
});

journey('a key that cannot start runs sees names, and which scope a table needs', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const reader = await given.key(home.workspace_id, ['runs:read']);
  const page = await visit(reader, '#/records');
  await page.getByText('A table of all fields needs a key with runs:create artifacts:read').waitFor();
  await page.getByRole('link', { name: 'Acme' }).click();
  await page.getByRole('dialog').getByText('12.5').waitFor();
});

journey('a record has its fields, and its relationships keep their direction', async ({ visit }) => {
  const home = await given.workspace();
  const [acme, , , dana] = await given.companies(home.workspace_id);
  await admin({
    command: 'relationship.import',
    workspace_id: home.workspace_id,
    relationships: [
      { from: { id: dana?.id ?? '' }, to: { id: acme?.id ?? '' }, type: 'works_at', metadata: {} },
    ],
  });
  const page = await visit(home, `#/records/${acme?.id}`);
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor();
  await page.getByText('12.5').waitFor();
  await page.getByText('Dana Ito works at Acme').waitFor();
  await accessible(page);
  await page.getByRole('link', { name: 'Dana Ito' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dana Ito' }).waitFor();
  await page.getByText('Dana Ito works at Acme').waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]').innerText()).toBe(
    'Records',
  );
  await page.getByRole('link', { name: 'Write a dossier' }).click();
  await page.getByText('About Dana Ito').waitFor();
  await page.getByText('Ready').waitFor();
});

journey('a record is edited, and then deleted', async ({ visit }) => {
  const home = await given.workspace();
  const [acme] = await given.companies(home.workspace_id);
  const page = await visit(home, `#/records/${acme?.id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Acme' });
  await form.getByLabel('Name', { exact: true }).fill('Acme Ltd');
  await form.getByLabel('City').fill('');
  await form.getByLabel('Revenue (million USD)').fill('large');
  await form.getByRole('button', { name: 'Add a field' }).click();
  await form.getByLabel('Name of the new field').fill('seats');
  await form.getByLabel('Value of the new field').fill('40');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('“large” is no number').waitFor();
  await accessible(page);
  await form.getByLabel('Revenue (million USD)').fill('13');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Acme Ltd' }).waitFor();
  const { fields } = (await call('GET', `/entities/${acme?.id}`, { key: home.key })).body;
  expect(fields).toEqual({ industry: 'Tools', revenue_musd: 13, seats: 40 });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 records').waitFor();
  await expect.poll(() => namesOf(page)).toEqual(['Borealis', 'Cobalt']);
});

journey(
  'chosen records are deleted, and all that meet the conditions once their number is typed',
  async ({ visit }) => {
    const home = await given.workspace();
    await tickets(home);
    const page = await visit(home, '#/records?type=ticket');
    await page.getByLabel('Choose T003').check();
    await page.getByLabel('Choose T004').check();
    await page.getByRole('button', { name: 'Delete 2 records' }).click();
    await accessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('118 records').waitFor();
    await page.getByRole('button', { name: 'Conditions' }).click();
    await page.getByLabel('Field', { exact: true }).selectOption('status');
    await page.getByLabel('Value', { exact: true }).fill('open');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('29 of 118 records').waitFor();
    await page.getByRole('button', { name: 'Delete all 29' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type 29 to confirm').fill('30');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('The number to type is 29.').waitFor();
    await dialog.getByLabel('Type 29 to confirm').fill('29');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('0 of 89 records').waitFor();
  },
);

journey('a key without records:write changes nothing, and reads why', async ({ visit }) => {
  const home = await given.workspace();
  const [acme] = await given.companies(home.workspace_id);
  const reader = await given.key(home.workspace_id, ['runs:read', 'runs:create', 'artifacts:read']);
  const page = await visit(reader, '#/records');
  await page.getByText('To change records, a key needs the scope records:write.').waitFor();
  expect(await page.getByLabel(/^Choose/).count()).toBe(0);
  await page.evaluate(`location.hash = '#/records/${acme?.id}'`);
  await page.getByText('To change it, a key needs the scope records:write.').waitFor();
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
});

journey('a record that is not there is an error with its code', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/records/01a1fef7-b719-7ed6-a718-8589119636a6');
  await page.getByText('entity_not_found').waitFor();
  await accessible(page);
});

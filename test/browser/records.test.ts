// The page of records: what a workspace knows, one record with its relationships, and a dossier about it.
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { admin } from '../support/service.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

journey('types, their fields and their records are shown, and found by name', async ({ visit }) => {
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
  await accessible(page);
  await page.getByLabel('Words of a name').fill('acm');
  await expect.poll(() => page.url()).toContain('q=acm');
  await expect.poll(() => page.locator('.entries li').allInnerTexts()).toEqual(['Acme crm:acme']);
  await page.getByRole('link', { name: 'person 1' }).click();
  await page.getByRole('link', { name: 'Dana Ito' }).waitFor();
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

journey('a record that is not there is an error with its code', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/records/01a1fef7-b719-7ed6-a718-8589119636a6');
  await page.getByText('entity_not_found').waitFor();
  await accessible(page);
});

// rules.md: console 13. What is wrong with a request is said once: at its field, or by the name that was sent.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

journey('what is wrong is shown once a field was touched or the form was sent', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/new');
  await press(page, 'Create run');
  await page.getByText('Not sent: 1 field needs a change.').waitFor();
  expect(await page.getByText('needed').count()).toBe(1);
  await press(page, 'Plan');
  await page.getByLabel('Title of the plan').waitFor();
  expect(await page.getByText('needed').count()).toBe(0);
  await page.getByLabel('Title of the plan').focus();
  await page.keyboard.press('Tab');
  await page.getByText('needed').waitFor();
});

journey('what the service refuses is said once, at its field or by its name in code', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const page = await visit(home, '#/new');
  const question = page.getByLabel('Question');
  await question.fill('What data do you have?');
  await press(page, 'Create run');
  await page.getByText('Refused, as the field says: query_ambiguous').waitFor();
  const said = await page.locator('#at-query-issue').innerText();
  expect((await page.locator('main').innerText()).split(said)).toHaveLength(2);
  await accessible(page);
  await press(page, 'JSON');
  await page.getByLabel('Request').fill('{"input_type": "query", "query": "x", "qeury": "y"}');
  await page.getByRole('alert').waitFor();
  const named = page.locator('form code').filter({ hasText: /^qeury$/ });
  await expect.poll(() => named.count()).toBe(1);
  await accessible(page);
});

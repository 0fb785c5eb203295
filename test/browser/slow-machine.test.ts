// rules.md: console 10. The form of a new run where the processor is busy: the focus moves before the next key comes.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { journey } from './journey.ts';

const addStep = (page: Page, kind: string) => page.getByRole('button', { name: new RegExp(`^${kind} `) });
const step = (page: Page, number: number) =>
  page.getByRole('group', { name: new RegExp(`^Step ${number}:`) });
const focused = (page: Page) => page.evaluate<string>('document.activeElement.id');

journey('on a slow machine, too, letters stay in the field in which they are typed', async ({ visit }) => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const page = await visit(home, '#/new?kind=plan');
  const { keyboard } = page;
  // Frames come late, as where the processor is busy.
  await page.evaluate('requestAnimationFrame = (draw) => setTimeout(draw, 500, 0)');
  const frame = () => page.evaluate('new Promise(requestAnimationFrame)');
  await addStep(page, 'Reconstitute').press('Enter');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('Answer');
  await addStep(page, 'Fetch').press('Enter');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('Companies');
  await keyboard.press('Alt+ArrowUp');
  await keyboard.type(' of all');
  await step(page, 1).getByLabel('Source').focus();
  await keyboard.type('com');
  await frame();
  await keyboard.type('panies');
  expect(await focused(page)).toBe('at-plan-steps-0-params-source');
  expect(await step(page, 1).getByLabel('Source').inputValue()).toBe('companies');
  expect(await step(page, 1).getByLabel('Title').inputValue()).toBe('Companies of all');
  expect(await step(page, 2).getByLabel('Title').inputValue()).toBe('Answer');
  // The form is sent, and the answer comes while another field is filled.
  await page.getByRole('button', { name: 'Create run', exact: true }).click();
  await page.getByLabel('Title of the plan').focus();
  await keyboard.type('By');
  await frame();
  await keyboard.type(' hand');
  expect(await page.getByLabel('Title of the plan').inputValue()).toBe('By hand');
});

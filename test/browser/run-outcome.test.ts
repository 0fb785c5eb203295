// rules.md: console 11, console 12. What a run brought: its answer before anything else, and the items of each step.
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

journey(
  'a succeeded run begins with its answer; items that failed are one line, with what to do',
  async ({ visit }) => {
    const home = await given.workspace();
    await given.companies(home.workspace_id);
    const describe = {
      kind: 'transform',
      instructions: 'initials [[fail-item:1]]',
      params: { output_fields: ['initials'] },
    };
    const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, describe, when.answer])).body;
    await then.ended(home, id);
    const page = await visit(home, `#/runs/${id}`);
    const line = page.locator('.note.warn').filter({ hasText: '2 of 3 items' });
    await line.getByRole('link').waitFor();
    expect(await line.innerText()).toMatch(
      /^2 of 3 items; \w+.* failed: The offline model failed for item 1/,
    );
    await line.getByRole('button', { name: 'Rerun from step 2' }).waitFor();
    expect(await page.locator('main h2').first().innerText()).toBe('Answer');
    expect(await page.locator('.note.bad').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Warnings' }).count()).toBe(0);
    // The bars fill the time that the run took, from its creation on.
    await page.getByText(/^waiting \d+/).waitFor();
    await accessible(page);
  },
);

journey('the items of a step are read a page at a time', async ({ visit }) => {
  const home = await given.workspace();
  const lines = Array.from({ length: 45 }, (_, i) => ({
    type: 'lamp',
    name: `Lamp ${i}`,
    fields: { watts: i },
  }));
  await given.entities(home.workspace_id, lines);
  const fetch = { kind: 'fetch', params: { source: 'lamp' } };
  const { id } = (await when.createsPlanRun(home, [fetch, when.answer])).body;
  await then.ended(home, id);
  const page = await visit(home, `#/runs/${id}`);
  await page.locator('.timeline-step').first().getByRole('button').first().click();
  const items = page.getByRole('region', { name: 'Items of step 1', exact: true });
  await items.getByText('1 to 20 of 45').waitFor();
  await items.getByRole('button', { name: 'Next' }).click();
  await items.getByText('21 to 40 of 45').waitFor();
  await items.getByRole('button', { name: 'Next' }).click();
  await items.getByText('41 to 45 of 45').waitFor();
  expect(await items.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  expect(await items.getByRole('row').count()).toBe(6);
});

// rules.md: console 17. The chart above a table of groups, on the page of a run and of its table.
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

/** A run whose answer is a table of groups; the ids of the run and of the table. */
async function grouped(home: given.Home, params: object): Promise<{ run: string; table: string }> {
  await given.entities(
    home.workspace_id,
    Array.from({ length: 24 }, (_, at) => ({
      type: 'order',
      name: `Order ${at}`,
      fields: { day: `2026-0${1 + (at % 4)}-10`, status: at % 3 === 0 ? 'open' : 'paid', total: at * 5 },
    })),
  );
  const steps = [
    { kind: 'fetch', title: 'Orders', params: { source: 'orders', ...params } },
    { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table'] } },
  ];
  const body = { input_type: 'plan', plan: { title: 'Orders in groups', steps } };
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  const { artifacts } = await then.ended(home, id);
  return { run: id, table: artifacts[0].id };
}

journey('groups by month and status are stacked columns, with their values as a table', async ({ visit }) => {
  const home = await given.workspace();
  const { run, table } = await grouped(home, { group_by: [{ field: 'day', by: 'month' }, 'status'] });
  const page = await visit(home, `#/runs/${run}`);
  const chart = page.getByRole('img', { name: /^Orders in groups: 4 values, series paid, open/ });
  await chart.waitFor();
  await accessible(page);
  await page.evaluate(`location.hash = '#/artifacts/${table}'`);
  await page.getByLabel('Find in the table').waitFor();
  await chart.waitFor();
  const titles = await chart.locator('title').allTextContents();
  expect(titles).toEqual([
    ...['2026-01: paid 4, open 2', '2026-02: paid 4, open 2'],
    ...['2026-03: paid 4, open 2', '2026-04: paid 4, open 2'],
  ]);
  await accessible(page);
});

journey('groups with one number are bars, and of several numbers one is chosen', async ({ visit }) => {
  const home = await given.workspace();
  const { run } = await grouped(home, {
    group_by: ['status'],
    measures: [
      { as: 'orders', op: 'count' },
      { as: 'average total', op: 'avg', field: 'total' },
    ],
  });
  const page = await visit(home, `#/runs/${run}`);
  const bars = page.getByRole('table', { name: 'Orders in groups' }).locator('tbody tr');
  await expect.poll(() => bars.allInnerTexts()).toEqual(['paid\t16\t', 'open\t8\t']);
  await page.getByLabel('Number to see as a chart').selectOption('Average total');
  await expect.poll(() => bars.allInnerTexts()).toEqual(['paid\t60.0\t', 'open\t52.5\t']);
  await accessible(page);
});

journey('a table of records has no chart', async ({ visit }) => {
  const home = await given.workspace();
  const { table } = await grouped(home, {});
  const page = await visit(home, `#/artifacts/${table}`);
  await page.getByText('24 rows').waitFor();
  expect(await page.locator('figure, .bars').count()).toBe(0);
});

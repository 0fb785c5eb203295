// rules.md: query 10, records 17. Questions for groups by period, through the API.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsQueryRun } from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  const tickets = ['2025-11-30', '2025-12-01', '2026-01-01', '2026-01-31', '2026-02-28', '2026-02-01'];
  await given.entities(
    home.workspace_id,
    tickets.map((Created, i) => ({
      ...{ type: 'ticket', name: `Ticket ${i}` },
      fields: { Created, Status: i % 3 === 0 ? 'Open' : 'Closed', 'Amount (EUR)': 10 * (i + 1) },
    })),
  );
});

async function asked(query: string) {
  const { body, status } = await createsQueryRun(home, query);
  expect(status).toBe(202);
  const run = await then.ended(home, body.id);
  const { body: table } = await call('GET', `/artifacts/${run.artifacts[0].id}`, { key: home.key });
  return { run, rows: table.rows.map(({ name: _, ...row }: { name: string }) => row) };
}

test.each([
  ['tickets per month', 'Created', ['2025-11', 1], ['2025-12', 1], ['2026-01', 2], ['2026-02', 2]],
  ['number of tickets by quarter', 'Created', ['2025-Q4', 2], ['2026-Q1', 4]],
  ['tickets by week in January 2026', 'Created', ['2025-12-29', 1], ['2026-01-26', 1]],
  ['Tickets by status', 'Status', ['Closed', 4], ['Open', 2]],
])('%s', async (query, field, ...groups) => {
  const { run, rows } = await asked(query);
  expect(rows).toEqual(groups.map(([value, count]) => ({ [field]: value, count })));
  expect(run.warnings).toEqual([]);
  for (const [value] of groups) expect(run.message).toContain(String(value));
});

test('total amount of tickets by year', async () => {
  const { rows } = await asked('total amount of tickets by year');
  expect(rows).toEqual([
    { Created: '2025', 'total Amount (EUR)': 30 },
    { Created: '2026', 'total Amount (EUR)': 180 },
  ]);
});

// Conditions, sorts and groups over records, through the API (rules.md: records).
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun } from '../support/when.ts';

let home: given.Home;

/** The table that a run of one fetch ends with, and its warnings. */
async function fetched(params: Record<string, unknown>, by: given.Home = home) {
  const reply = await createsPlanRun(by, [
    { kind: 'fetch', params: { source: 'companies', ...params } },
    { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
  ]);
  expect(reply).toMatchObject({ status: 202 });
  const run = await then.ended(by, reply.body.id);
  expect(run.status).toBe('succeeded');
  const { body } = await call('GET', `/artifacts/${run.artifacts[0].id}`, { key: by.key });
  const rows: Record<string, unknown>[] = body.rows;
  const names = rows.map(({ name }) => String(name).replace(/^\[(.*)\]\(.*\)$/, '$1'));
  return {
    rows,
    names,
    run,
    truncated: run.warnings.find((one: { code: string }) => one.code === 'results_truncated'),
  };
}

beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

describe('where', () => {
  test('keeps the records that meet it', async () => {
    const { names } = await fetched({
      where: { field: 'city', op: '=', value: 'Berlin' },
      sort: [{ field: 'revenue_musd' }],
    });
    expect(names).toEqual(['Cobalt', 'Acme']);
  });
});

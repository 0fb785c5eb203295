// rules.md: bounds. What a run keeps is bounded, and nothing that it paid for is lost by that.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

/** Steps that name `each` records that do not exist. */
const missing = (steps: number, each: number, characters: number) =>
  Array.from({ length: steps }, (_, step) => ({
    kind: 'inject_context',
    params: {
      entities: Array.from({ length: each }, (_, i) => ({
        external_uri: `crm:${step}-${i}-${'x'.repeat(characters)}`,
      })),
    },
  }));

test('47 steps of 50 missing records each, then a model call: the run succeeds and the call is paid', async () => {
  const home = await given.workspace();
  const analyze = { kind: 'analyze', instructions: 'look [[tokens:1000000,0,1000000,0]]' };
  const { body } = await when.createsPlanRun(home, [...missing(47, 50, 200), analyze]);
  const run = await then.ended(home, body.id, 55_000);
  expect(run).toMatchObject({ status: 'succeeded', errors: [], usage: { calls: 1, cost_usd: 5 } });
  const { cost_today_usd } = await admin({ command: 'workspace.show', workspace_id: home.workspace_id });
  expect(cost_today_usd).toBe(5);
  expect(run.warnings).toHaveLength(47);
  const [first] = run.warnings;
  expect(first).toMatchObject({
    code: 'source_not_found',
    message: expect.stringContaining('50 of entities'),
  });
  expect(first.details.entities).toHaveLength(20);
  expect([...first.details.entities[0].external_uri]).toHaveLength(200);
});

test('a list of runs with large inputs is short, whole and titled', async () => {
  const home = await given.workspace();
  // Runs that are made in maintenance do nothing but wait.
  await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
  const steps = Array.from({ length: 50 }, () => ({ kind: 'analyze', instructions: 'x'.repeat(8000) }));
  const created = await Promise.all(Array.from({ length: 16 }, () => when.createsPlanRun(home, steps)));
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 202));
  const { status, body } = await call('GET', '/runs', { key: home.key });
  expect([status, body.data.length, body.has_more]).toEqual([200, 16, false]);
  expect(new Set(body.data.map(({ title }: { title: string }) => title))).toEqual(new Set(['Test plan']));
  expect(JSON.stringify(body).length).toBeLessThan(200_000);
});

// rules.md: bounds. What a run keeps is bounded, and nothing that it paid for is lost by that.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin } from '../support/service.ts';
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

test('a model call after warnings of 1,150 missing records is paid and counted', async () => {
  const home = await given.workspace();
  const analyze = { kind: 'analyze', instructions: 'look [[tokens:1000000,0,1000000,0]]' };
  const { body } = await when.createsPlanRun(home, [...missing(23, 50, 320), analyze]);
  const run = await then.ended(home, body.id);
  expect(run).toMatchObject({ status: 'succeeded', usage: { calls: 1, cost_usd: 5 } });
  const { cost_today_usd } = await admin({ command: 'workspace.show', workspace_id: home.workspace_id });
  expect(cost_today_usd).toBe(5);
});

test('48 steps of 50 missing records each succeed: warnings count all of them and name the first 20', async () => {
  const home = await given.workspace();
  const { body } = await when.createsPlanRun(home, missing(48, 50, 300));
  const run = await then.ended(home, body.id);
  expect(run).toMatchObject({ status: 'succeeded', errors: [] });
  expect(run.warnings).toHaveLength(48);
  const [first] = run.warnings;
  expect(first).toMatchObject({
    code: 'source_not_found',
    message: expect.stringContaining('50 of entities'),
  });
  expect(first.details.entities).toHaveLength(20);
  expect([...first.details.entities[0].external_uri]).toHaveLength(200);
  expect(await when.readsRun(home, body.id)).toEqual(run);
});

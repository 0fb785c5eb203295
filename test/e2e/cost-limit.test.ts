// rules.md: usage 7, resume 8. A run makes no model call once it has cost what its config allows.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

/** Costs 3.04 USD a call. */
const COSTLY = '[[tokens:1000000,400000,500000,100000]]';
const analyze = { kind: 'analyze', instructions: `Sum up ${COSTLY}` };

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ daily_cost_cap_usd: 1e6 });
  await given.companies(home.workspace_id);
});

const resumes = (id: string, body?: unknown) => call('POST', `/runs/${id}/resume`, { key: home.key, body });

async function runs(max_cost_usd: number, ...steps: Record<string, unknown>[]) {
  const { body } = await when.createsPlanRun(home, steps, { config: { max_cost_usd } });
  return then.ended(home, body.id);
}

describe('config.max_cost_usd', () => {
  test('the run fails before the call that would follow, and continues with a larger limit', async () => {
    const run = await runs(3, analyze, analyze);
    const error = { code: 'cost_threshold_exceeded', type: 'rate_limit' };
    const details = { limit_usd: 3, spent_usd: 3.04, step_index: 1 };
    expect(run).toMatchObject({
      status: 'failed',
      resumable: true,
      config: { max_cost_usd: 3 },
      errors: [{ ...error, details }],
      usage: { calls: 1, cost_usd: 3.04 },
    });
    expect((await resumes(run.id)).status).toBe(202);
    expect((await then.ended(home, run.id)).errors).toMatchObject([{ ...error, details }]);
    const { status, body } = await resumes(run.id, { config: { max_cost_usd: 3.05 } });
    expect([status, body.config]).toEqual([202, { max_cost_usd: 3.05 }]);
    const ended = await then.ended(home, run.id);
    expect(ended).toMatchObject({ status: 'succeeded', errors: [], usage: { calls: 2, cost_usd: 6.08 } });
    await then.soundLog(home, run.id);
  });

  test('a cost equal to the limit has reached it; a limit not reached changes nothing', async () => {
    expect((await runs(3.04, analyze, analyze)).errors[0].details.spent_usd).toBe(3.04);
    expect((await runs(3.05, analyze, analyze)).usage).toMatchObject({ calls: 2 });
    expect((await runs(1e-12, analyze)).status).toBe('succeeded');
  });

  test('in the middle of a transform the finished items are saved, and paid for once', async () => {
    const fetch = { kind: 'inject_context', params: { text: 'x' } };
    const own = await given.workspace({ daily_cost_cap_usd: 1e6 });
    const lines = Array.from({ length: 20 }, (_, i) => ({ type: 'thing', name: `Thing ${i}` }));
    await given.entities(own.workspace_id, lines);
    const steps = [{ kind: 'fetch' }, { kind: 'transform', instructions: `Each ${COSTLY}` }, fetch];
    const { body } = await when.createsPlanRun(own, steps, { config: { max_cost_usd: 9 } });
    const failed = await then.ended(own, body.id);
    expect(failed.errors).toMatchObject([{ code: 'cost_threshold_exceeded', details: { step_index: 1 } }]);
    // Eight calls may be in flight at once.
    expect(failed.usage.calls).toBeGreaterThanOrEqual(3);
    expect(failed.usage.calls).toBeLessThan(3 + 8);
    const again = { key: own.key, body: { config: { max_cost_usd: 1000 } } };
    expect((await call('POST', `/runs/${body.id}/resume`, again)).status).toBe(202);
    const ended = await then.ended(own, body.id);
    expect(ended).toMatchObject({ status: 'succeeded', usage: { calls: 20, cost_usd: 60.8 } });
  });

  test('a query that costs it with its understanding is not planned, and has no plan to resume', async () => {
    const body = { input_type: 'query', query: `Companies in Berlin ${COSTLY}`, config: { max_cost_usd: 2 } };
    const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
    const run = await then.ended(home, id);
    expect(run).toMatchObject({ status: 'failed', resumable: false, steps: [], usage: { calls: 1 } });
    expect(run.errors[0].details).toEqual({ limit_usd: 2, spent_usd: 3.04 });
    expectRefusal(await resumes(id, { config: { max_cost_usd: 9 } }), 409, 'run_not_resumable', {
      details: { status: 'failed', reason: 'no_saved_plan' },
    });
  });

  test.each([0, -1, 10_000.01, '5', null])('%j is refused', async (max_cost_usd) => {
    const refused = { param: 'config.max_cost_usd' };
    const created = await when.createsPlanRun(home, [analyze], { config: { max_cost_usd } });
    expectRefusal(created, 422, 'schema_validation_failed', refused);
    const { id } = (await when.createsPlanRun(home, [{ kind: 'fetch' }])).body;
    const resumed = await resumes(id, { config: { max_cost_usd } });
    expectRefusal(resumed, 422, 'schema_validation_failed', refused);
  });

  test('a resume takes no other config', async () => {
    const { id } = (await when.createsPlanRun(home, [{ kind: 'fetch' }])).body;
    const param = 'config.xray';
    expectRefusal(await resumes(id, { config: { xray: true } }), 422, 'schema_validation_failed', { param });
  });
});

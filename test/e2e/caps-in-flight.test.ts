// rules.md: capacity 2. The day's caps apply to running runs: a spent day stops the next model call.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

/** Costs 3.04 USD a call. */
const COSTLY = '[[tokens:1000000,400000,500000,100000]]';
const COST_USD = 3.04;
/** As many calls of a run are under way when the cap is reached. */
const PARALLEL_CALLS = 8;
const transform = [{ kind: 'fetch' }, { kind: 'transform', instructions: `Each ${COSTLY}` }];
const analyze = { kind: 'analyze', instructions: `Sum up ${COSTLY}` };

async function homeWith(options: Parameters<typeof given.workspace>[0]) {
  const home = await given.workspace(options);
  const things = Array.from({ length: 20 }, (_, i) => ({ type: 'thing', name: `Thing ${i}` }));
  await given.entities(home.workspace_id, things);
  return home;
}
async function runs(home: given.Home, steps: Record<string, unknown>[]) {
  const { body } = await when.createsPlanRun(home, steps);
  return then.ended(home, body.id);
}
const isAdmitted = ({ status }: { status: number }) => status === 202;
const spentToday = async ({ workspace_id }: given.Home) =>
  (await admin({ command: 'workspace.show', workspace_id })).cost_today_usd;

test('a run that spends its workspace’s day stops, and continues once the cap is raised', async () => {
  const home = await homeWith({ daily_cost_cap_usd: 5 });
  const failed = await runs(home, transform);
  expect(failed).toMatchObject({
    status: 'failed',
    resumable: true,
    errors: [
      {
        code: 'workspace_cost_cap_exceeded',
        details: { limit_usd: 5, resets_at: expect.any(Number), step_index: 1 },
      },
    ],
  });
  const { calls, cost_usd } = failed.usage;
  expect(calls).toBeLessThanOrEqual(PARALLEL_CALLS);
  expect(cost_usd).toBeGreaterThanOrEqual(5);
  expect(await spentToday(home)).toBe(cost_usd);
  await admin({ command: 'workspace.update', workspace_id: home.workspace_id, daily_cost_cap_usd: 1000 });
  expect((await when.resumes(home, failed.id)).status).toBe(202);
  const ended = await then.ended(home, failed.id);
  expect(ended).toMatchObject({ status: 'succeeded', usage: { calls: 20 } });
  expect(ended.usage.cost_usd).toBeCloseTo(20 * COST_USD);
});

test('a run that spends its key’s day stops with the code of the key', async () => {
  const home = await homeWith({ daily_cost_cap_usd: 1000 });
  const limited = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 5 });
  const failed = await runs({ ...home, ...limited }, transform);
  expect(failed).toMatchObject({
    resumable: true,
    errors: [{ code: 'cost_threshold_exceeded', details: { limit_usd: 5, step_index: 1 } }],
  });
  expect(failed.usage.calls).toBeLessThanOrEqual(PARALLEL_CALLS);
});

test('many runs at once spend what is already in progress, and no more', async () => {
  const home = await homeWith({ daily_cost_cap_usd: 5, max_concurrent_runs: 20 });
  const created = await Promise.all(Array.from({ length: 6 }, () => when.createsPlanRun(home, transform)));
  // The first may have spent the day before the last is created.
  const [admitted, refused] = [created.filter(isAdmitted), created.filter((reply) => !isAdmitted(reply))];
  for (const { body } of refused) expect(body.error.code).toBe('workspace_cost_cap_exceeded');
  const ended = await Promise.all(admitted.map(({ body }) => then.ended(home, body.id)));
  expect(ended.length).toBeGreaterThan(0);
  for (const run of ended) {
    expect(run.errors[0].code).toBe('workspace_cost_cap_exceeded');
    expect(run.usage.calls).toBeLessThanOrEqual(PARALLEL_CALLS);
  }
  expect(await spentToday(home)).toBeCloseTo(
    ended.reduce((sum, { usage }) => sum + usage.cost_usd, 0),
    6,
  );
});

test('a call that reaches the cap is not undone: with no further call to make, the run succeeds', async () => {
  const home = await homeWith({ daily_cost_cap_usd: 3 });
  expect(await runs(home, [analyze, { kind: 'fetch' }])).toMatchObject({
    status: 'succeeded',
    usage: { calls: 1, cost_usd: COST_USD },
  });
});

test('planning a query stops at a spent day, too', async () => {
  const home = await homeWith({ daily_cost_cap_usd: 3 });
  const { body } = await when.createsQueryRun(home, `How many things have the name Thing 3? ${COSTLY}`);
  expect(await then.ended(home, body.id)).toMatchObject({
    status: 'failed',
    errors: [{ code: 'workspace_cost_cap_exceeded', details: { limit_usd: 3, spent_usd: COST_USD } }],
  });
});

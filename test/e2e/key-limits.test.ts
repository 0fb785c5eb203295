// rules.md: keys 12, keys 13, resume 9. Whose day pays, and whose limit stops.
import { describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { fires, monitor, monitorBody } from '../support/monitors.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

/** Costs 3.04 USD a call. */
const costly = { kind: 'analyze', instructions: 'Sum up [[tokens:1000000,400000,500000,100000]]' };
const scopes = ['keys:manage', 'runs:create', 'runs:read', 'runs:cancel', 'monitors:manage', 'runs:delete'];
const roomy = { daily_cost_cap_usd: 1e6 };

const spends = async (by: { key: string }) => {
  const { body } = await when.createsPlanRun(by, [costly]);
  return then.ended(by, body.id);
};
const makes = async (by: { key: string }, daily_cost_limit_usd: number) => {
  const body = { name: 'Child', scopes, daily_cost_limit_usd };
  const made = await call('POST', '/keys', { key: by.key, body });
  expect(made.status).toBe(201);
  return { key: made.body.api_key, key_id: made.body.key_id };
};
const rotates = async (by: { key: string }, { key_id }: { key_id: string }) => {
  const made = await call('POST', `/keys/${key_id}/rotate`, { key: by.key, body: { grace_seconds: 0 } });
  return { key: made.body.api_key, key_id: made.body.key_id };
};
const refusesRuns = async (by: { key: string }) =>
  expectRefusal(await when.createsPlanRun(by, [costly]), 429, 'cost_threshold_exceeded');
const today = async ({ key }: { key: string }) => (await call('GET', '/me', { key })).body.cost_today_usd;

describe('a daily limit bounds all keys that descend from its key', () => {
  test('children and their children spend from it, and it stops them together', async () => {
    const home = await given.workspace(roomy);
    const root = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 6 });
    const [first, second] = [await makes(root, 6), await makes(root, 6)];
    const grandchild = await makes(first, 5);
    expect((await spends(grandchild)).status).toBe('succeeded');
    expect((await spends(second)).status).toBe('succeeded');
    expect([await today(root), await today(first), await today(second), await today(grandchild)]).toEqual([
      6.08, 3.04, 3.04, 3.04,
    ]);
    for (const one of [root, first, second, grandchild]) await refusesRuns(one);
    expect((await spends(home)).status).toBe('succeeded');
    const more = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 6 });
    expect((await spends(more)).status).toBe('succeeded');
  });

  test('whatever becomes of those between: revoked, rotated, and rotated by one that is not above', async () => {
    const home = await given.workspace(roomy);
    const root = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 6 });
    const child = await makes(root, 6);
    const grandchild = await makes(child, 6);
    await call('DELETE', `/keys/${child.key_id}`, { key: home.key });
    const next = await rotates(home, grandchild);
    expect((await spends(next)).status).toBe('succeeded');
    const successor = await rotates(home, root);
    expect(await today(successor)).toBe(3.04);
    expect((await spends(await makes(successor, 6))).status).toBe('succeeded');
    for (const one of [successor, next]) await refusesRuns(one);
  });

  test('a limited key does not escape by rotating the key of another', async () => {
    const home = await given.workspace(roomy);
    const limited = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 3 });
    const other = await given.key(home.workspace_id, ['runs:create', 'runs:read'], {
      daily_cost_limit_usd: 3,
    });
    const taken = await rotates(limited, other);
    expect((await spends(limited)).status).toBe('succeeded');
    await refusesRuns(taken);
  });

  test("a run stops before its next call, as its key's ancestors have spent", async () => {
    const home = await given.workspace(roomy);
    const root = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 5 });
    const child = await makes(root, 5);
    const { body } = await when.createsPlanRun(child, [costly, costly, costly]);
    const details = { limit_usd: 5, spent_usd: 6.08 };
    const run = await then.ended(child, body.id);
    expect(run.errors).toMatchObject([{ code: 'cost_threshold_exceeded', details }]);
    expect(await today(root)).toBe(6.08);
  });

  test('a query counts on all of them, too', async () => {
    const home = await given.workspace(roomy);
    await given.companies(home.workspace_id);
    const root = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 5 });
    const child = await makes(root, 5);
    const query = 'Which companies are in Berlin? [[tokens:1000000,400000,500000,100000]]';
    await then.ended(child, (await when.createsQueryRun(child, query)).body.id);
    expect(await today(root)).toBe(await today(child));
    expect(await today(root)).toBeGreaterThan(3);
  });

  test('at most 20 limits bound a key', async () => {
    const home = await given.workspace(roomy);
    let last = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 100 });
    for (let n = 1; n <= 20; n += 1) last = await makes(last, 100 - n);
    const body = { name: 'One more', scopes, daily_cost_limit_usd: 1 };
    const refused = await call('POST', '/keys', { key: last.key, body });
    expectRefusal(refused, 409, 'keys_exceeded', { details: { limit: 20 } });
    expect((await spends(last)).status).toBe('succeeded');
  });
});

test('a key whose day is spent makes no runs, whoever pays; it cancels, deletes and revokes', async () => {
  const home = await given.workspace(roomy);
  const theirs = await monitor(home);
  const spent = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 3 });
  const own = await monitor(spent);
  const ended = await spends(spent);
  const failed = (await when.createsPlanRun(home, [{ kind: 'analyze', instructions: '[[fail]]' }])).body.id;
  await then.ended(home, failed);
  const { key } = spent;
  const run = { input_type: 'plan', plan: when.plan(costly) };
  const key2 = { 'idempotency-key': 'once' };
  for (const reply of [
    await call('POST', '/runs', { key, body: run }),
    await call('POST', `/runs/${ended.id}/rerun-from`, { key, body: { step_index: 0 } }),
    await call('POST', `/runs/${failed}/resume`, { key, body: { config: { max_cost_usd: 9 } } }),
    await fires(spent, theirs.id),
    await fires(spent, own.id, key2),
    await call('POST', '/monitors', { key, body: monitorBody() }),
    await call('PATCH', `/monitors/${theirs.id}`, { key, body: { run } }),
    await call('PATCH', `/monitors/${own.id}`, { key, body: { status: 'paused' } }),
  ])
    expectRefusal(reply, 429, 'cost_threshold_exceeded');
  expect((await call('GET', `/monitors/${theirs.id}`, { key: home.key })).body).toEqual(theirs);
  const waiting = (await when.createsPlanRun(home, [{ kind: 'analyze', instructions: '[[delay:2000]]' }]))
    .body.id;
  expect((await call('POST', `/runs/${waiting}/cancel`, { key })).status).toBe(200);
  expect((await call('DELETE', `/runs/${ended.id}`, { key })).status).toBe(204);
  expect((await call('DELETE', `/monitors/${own.id}`, { key })).status).toBe(204);
  const other = await given.key(home.workspace_id, ['runs:read']);
  expect((await call('DELETE', `/keys/${other.key_id}`, { key })).status).toBe(204);
  expect((await fires(home, theirs.id)).body.outcome).toBe('run');
});

describe('a resume', () => {
  const failsAt = async (by: { key: string }, max_cost_usd: number) => {
    const { body } = await when.createsPlanRun(by, [costly, costly, costly], { config: { max_cost_usd } });
    return then.ended(by, body.id);
  };
  const resumes = (by: { key: string }, id: string, config?: object) =>
    call('POST', `/runs/${id}/resume`, { key: by.key, ...(config && { body: { config } }) });

  test('that raises the limit is charged to the key that resumes, and bounded by its limit alone', async () => {
    const home = await given.workspace(roomy);
    const maker = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 4 });
    const payer = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 6 });
    const run = await failsAt(maker, 3);
    expect((await resumes(payer, run.id, { max_cost_usd: 100 })).status).toBe(202);
    expect((await then.ended(home, run.id)).status).toBe('succeeded');
    expect([await today(maker), await today(payer)]).toEqual([3.04, 6.08]);
    const again = await failsAt(maker, 0.5);
    expect((await resumes(payer, again.id, { max_cost_usd: 9 })).status).toBe(429);
  });

  test('that raises it is stopped by the day of the key that resumes', async () => {
    const home = await given.workspace(roomy);
    const maker = await given.key(home.workspace_id, 'all');
    const payer = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 2 });
    const run = await failsAt(maker, 3);
    await resumes(payer, run.id, { max_cost_usd: 100 });
    const stopped = await then.ended(home, run.id);
    expect(stopped.errors).toMatchObject([
      { code: 'cost_threshold_exceeded', details: { limit_usd: 2, spent_usd: 3.04 } },
    ]);
    expect([await today(maker), await today(payer)]).toEqual([3.04, 3.04]);
  });

  test('that does not raise it is charged to the key of the run', async () => {
    const home = await given.workspace(roomy);
    const maker = await given.key(home.workspace_id, 'all');
    const other = await given.key(home.workspace_id, 'all');
    const fails = {
      kind: 'analyze',
      instructions: 'Think [[fail-once]] [[tokens:1000000,400000,500000,100000]]',
    };
    const { body } = await when.createsPlanRun(maker, [costly, fails, costly], {
      config: { max_cost_usd: 50 },
    });
    await then.ended(maker, body.id);
    const before = await today(maker);
    await resumes(other, body.id, { max_cost_usd: 50 });
    expect((await then.ended(home, body.id)).status).toBe('succeeded');
    expect(await today(other)).toBe(0);
    expect(await today(maker)).toBeGreaterThan(before);
  });
});

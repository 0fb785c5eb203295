// rules.md: capacity. Slots, credits and daily caps admit exactly as much as they allow.
import { describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call, type HttpReply, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const slow = { kind: 'analyze', instructions: 'Sum up [[delay:9000]]' };
const costly = { kind: 'analyze', instructions: 'Sum up [[tokens:1000000,400000,500000,100000]]' };

/** How many replies there are of each status. */
function statuses(replies: HttpReply[]): Record<string, number> {
  const groups = Map.groupBy(replies, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, all]) => [status, all.length]));
}
const cancels = (home: given.Home, id: string) => call('POST', `/runs/${id}/cancel`, { key: home.key });
const shows = (home: given.Home) => admin({ command: 'workspace.show', workspace_id: home.workspace_id });

describe('slots', () => {
  test('200 creates at once against a cap of 50 admit exactly 50, and every slot comes back', {
    timeout: 120_000,
  }, async () => {
    const home = await given.workspace({ max_concurrent_runs: 50 });
    // No run may end before the last create is answered.
    const lasting = { kind: 'analyze', instructions: 'Sum up [[delay:25000]]' };
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => when.createsPlanRun(home, [lasting])),
    );
    expect(statuses(replies)).toEqual({ 202: 50, 429: 150 });
    const refused = replies.filter(({ status }) => status === 429);
    for (const reply of refused) {
      expectRefusal(reply, 429, 'concurrent_runs_exceeded', { details: { limit: 50, in_flight: 50 } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const made = replies.filter(({ status }) => status === 202).map(({ body }) => body.id);
    expect((await call('GET', '/runs?limit=100', { key: home.key })).body.data).toHaveLength(50);
    await Promise.all(made.map((id) => cancels(home, id)));
    await until('every slot free', async () => (await shows(home)).runs_in_flight === 0 || undefined, 50_000);
    expect((await when.createsPlanRun(home, [{ kind: 'fetch' }])).status).toBe(202);
  });

  test.each(['succeeded', 'failed', 'canceled while pending or running'])(
    'a run that has %s gives its slot back at once',
    async (end) => {
      const home = await given.workspace({ max_concurrent_runs: 1 });
      const text = end === 'failed' ? 'x [[fail]]' : end === 'succeeded' ? 'x' : 'x [[delay:2500]]';
      const first = await when.createsPlanRun(home, [{ kind: 'analyze', instructions: text }]);
      if (end.startsWith('canceled')) await cancels(home, first.body.id);
      await then.ended(home, first.body.id);
      expect((await when.createsPlanRun(home, [{ kind: 'fetch' }])).status).toBe(202);
    },
  );

  test('a run canceled in mid-step holds its slot until the step has ended', async () => {
    const home = await given.workspace({ max_concurrent_runs: 1 });
    const { id } = (await when.createsPlanRun(home, [{ kind: 'analyze', instructions: 'x [[delay:2500]]' }]))
      .body;
    await then.event(home, id, 'step.started');
    await cancels(home, id);
    expectRefusal(await when.createsPlanRun(home, [slow]), 429, 'concurrent_runs_exceeded');
    await then.event(home, id, 'run.canceled');
    expect((await when.createsPlanRun(home, [{ kind: 'fetch' }])).status).toBe(202);
  });

  test.each([
    ['free', 3],
    ['pro', 25],
    ['enterprise', 100],
  ] as const)('the tier %s has %d slots', async (tier, slots) => {
    const home = await given.workspace({ tier });
    expect((await shows(home)).max_concurrent_runs).toBe(slots);
  });

  test('a refused create leaves nothing: no run, no slot, no credits', async () => {
    const home = await given.workspace({ max_concurrent_runs: 1, credits: 1000 });
    const first = await when.createsPlanRun(home, [slow]);
    await when.createsPlanRun(home, [slow]);
    await call('POST', '/runs', { key: home.key, body: { input_type: 'query', query: 'List companies' } });
    expect((await call('GET', '/runs', { key: home.key })).body.data).toHaveLength(1);
    expect(await shows(home)).toMatchObject({ runs_in_flight: 1, credits_held: 20, credits_left: 980 });
    await cancels(home, first.body.id);
  });
});

describe('credits', () => {
  test('12 creates of 20 credits at once against 200 admit exactly 10, whose credits come back when they are canceled', async () => {
    const home = await given.workspace({ credits: 200, max_concurrent_runs: 1000 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => when.createsPlanRun(home, [slow])));
    expect(statuses(replies)).toEqual({ 202: 10, 429: 2 });
    for (const reply of replies.filter(({ status }) => status === 429)) {
      expectRefusal(reply, 429, 'workspace_cost_cap_exceeded', {
        details: { reason: 'credits', required: 20, available: 0 },
      });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const made = replies.filter(({ status }) => status === 202).map(({ body }) => body.id);
    await Promise.all(made.map((id) => cancels(home, id)));
    await until('nothing held', async () => (await shows(home)).credits_held === 0 || undefined, 50_000);
    const { credits_left } = await shows(home);
    const runs = await Promise.all(made.map((id) => when.readsRun(home, id)));
    const used = runs.reduce((sum, run) => sum + run.usage.credits_used, 0);
    expect(credits_left).toBe(200 - used);
  });

  test('a query holds 400, so 399 do not suffice', async () => {
    const home = await given.workspace({ credits: 399 });
    const body = { input_type: 'query', query: 'List companies' };
    expectRefusal(await call('POST', '/runs', { key: home.key, body }), 429, 'workspace_cost_cap_exceeded', {
      details: { reason: 'credits', required: 400, available: 399 },
    });
  });

  test('a workspace without credits draws none: the fields are absent', async () => {
    const home = await given.workspace();
    const { usage } = (await when.createsPlanRun(home, [{ kind: 'fetch' }])).body;
    expect(usage).not.toHaveProperty('credits_at_most');
    expect(usage).not.toHaveProperty('credits_used');
  });
});

describe('daily caps', () => {
  const nextDay = () => new Date().setUTCHours(24, 0, 0, 0);

  test('the cap of the workspace is reached when as much is spent', async () => {
    const home = await given.workspace({ daily_cost_cap_usd: 3.04 });
    const { id } = (await when.createsPlanRun(home, [costly])).body;
    expect((await then.ended(home, id)).usage.cost_usd).toBe(3.04);
    const reply = await when.createsPlanRun(home, [{ kind: 'fetch' }]);
    expectRefusal(reply, 429, 'workspace_cost_cap_exceeded', {
      details: { limit_usd: 3.04, spent_usd: 3.04, resets_at: nextDay() },
    });
    const seconds = Number(reply.headers.get('retry-after'));
    expect(Math.abs(Date.now() + seconds * 1000 - nextDay())).toBeLessThan(5000);
  });

  test('below the cap a run is admitted, even one that will pass it', async () => {
    const home = await given.workspace({ daily_cost_cap_usd: 3.040001 });
    await then.ended(home, (await when.createsPlanRun(home, [costly])).body.id);
    expect((await when.createsPlanRun(home, [costly])).status).toBe(202);
  });

  test('the limit of a key is its own: other keys go on', async () => {
    const home = await given.workspace();
    const limited = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 3 });
    await then.ended(limited, (await when.createsPlanRun(limited, [costly])).body.id);
    expectRefusal(await when.createsPlanRun(limited, [{ kind: 'fetch' }]), 429, 'cost_threshold_exceeded', {
      details: { limit_usd: 3, spent_usd: 3.04, resets_at: nextDay() },
    });
    expect((await when.createsPlanRun(home, [{ kind: 'fetch' }])).status).toBe(202);
  });

  test('understanding a query is spent money too', async () => {
    const home = await given.workspace({ daily_cost_cap_usd: 1 });
    const body = { input_type: 'query', query: 'List companies [[tokens:1000000,0,0,0]]' };
    expect((await call('POST', '/runs', { key: home.key, body })).status).toBe(202);
    expectRefusal(await call('POST', '/runs', { key: home.key, body }), 429, 'workspace_cost_cap_exceeded');
  });
});

describe('order: faults of the request are reported before', () => {
  const dossier = { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'x:y' } } };
  const unclear = { input_type: 'query', query: 'List companies [[ambiguous]]' };

  test.each<[string, { max_concurrent_runs?: number; credits?: number; daily_cost_cap_usd?: number }]>([
    ['a full house', { max_concurrent_runs: 1 }],
    ['the end of credits', { credits: 20 }],
    ['a spent daily cap', { daily_cost_cap_usd: 0.5 }],
  ])('%s', async (_end, settings) => {
    const home = await given.workspace(settings);
    const first = await when.createsPlanRun(home, [settings.daily_cost_cap_usd ? costly : slow]);
    if (settings.daily_cost_cap_usd) await then.ended(home, first.body.id);
    const post = (body: unknown) => call('POST', '/runs', { key: home.key, body });
    expect((await when.createsPlanRun(home, [slow])).status).toBe(429);
    expectRefusal(await post(dossier), 422, 'entity_not_resolvable', { param: 'params.entity' });
    expectRefusal(await post(unclear), 422, 'query_ambiguous', { param: 'query' });
    await cancels(home, first.body.id);
  });
});

// rules.md: keys 7. A key learns who it is.
import { describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const asks = (key?: string) => call('GET', '/me', { key });
const costly = { kind: 'analyze', instructions: 'Sum up [[tokens:1000000,400000,500000,100000]]' };

describe('GET /me', () => {
  test('describes a key without a limit of its own, and its workspace', async () => {
    const home = await given.workspace({ tier: 'pro', features: ['GLOBAL_SEARCH'] });
    const reply = await asks(home.key);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      object: 'key',
      key_id: home.key_id,
      name: 'API key',
      scopes: expect.arrayContaining(['runs:create', 'config:xray']),
      expires_at: null,
      daily_cost_limit_usd: null,
      cost_today_usd: 0,
      model: { name: 'offline', simulated: true, available: true },
      workspace: {
        id: home.workspace_id,
        name: 'Test',
        tier: 'pro',
        features: ['GLOBAL_SEARCH'],
        max_concurrent_runs: 25,
        runs_in_flight: 0,
        daily_cost_cap_usd: 100,
        cost_today_usd: 0,
        credits_left: null,
        credits_held: null,
      },
    });
  });

  test('any valid key may ask, and gets its own limits and costs next to those of the workspace', async () => {
    const home = await given.workspace({ max_concurrent_runs: 7, daily_cost_cap_usd: 9.5 });
    const expires_at = Date.now() + 3_600_000;
    const limited = await given.key(home.workspace_id, ['runs:cancel'], {
      expires_at,
      daily_cost_limit_usd: 0.25,
    });
    const { body } = await when.createsPlanRun(home, [costly]);
    await then.ended(home, body.id);
    expect((await asks(limited.key)).body).toMatchObject({
      key_id: limited.key_id,
      scopes: ['runs:cancel'],
      expires_at,
      daily_cost_limit_usd: 0.25,
      cost_today_usd: 0,
      workspace: { max_concurrent_runs: 7, daily_cost_cap_usd: 9.5, cost_today_usd: 3.04 },
    });
    expect((await asks(home.key)).body.cost_today_usd).toBe(3.04);
  });

  test('runs in flight and the credits held for them are those of this moment', async () => {
    const home = await given.workspace({ credits: 100 });
    await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
    const { body } = await when.createsPlanRun(home, [{ kind: 'fetch' }, when.keepBerlin]);
    const held = { runs_in_flight: 1, credits_left: 88, credits_held: 12 };
    expect((await asks(home.key)).body.workspace).toMatchObject(held);
    await call('POST', `/runs/${body.id}/cancel`, { key: home.key });
    const freed = { runs_in_flight: 0, credits_left: 100, credits_held: 0 };
    expect((await asks(home.key)).body.workspace).toMatchObject(freed);
  });

  test('a wrong key, none, and that of a suspended workspace are refused', async () => {
    expectRefusal(await asks(), 401, 'auth_missing');
    expectRefusal(await asks('sk_wrong'), 401, 'auth_invalid');
    const home = await given.workspace();
    await admin({ command: 'workspace.update', workspace_id: home.workspace_id, status: 'suspended' });
    expectRefusal(await asks(home.key), 403, 'forbidden_workspace');
  });
});

// rules.md: monitors 14, monitors 15. Whose runs the fires of a monitor are.
import { describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { berlin, fires, monitor } from '../support/monitors.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { plan } from '../support/when.ts';

/** Costs 3.04 USD. */
const costly = {
  input_type: 'plan',
  plan: plan({ kind: 'analyze', instructions: 'Sum up [[tokens:1000000,400000,500000,100000]]' }),
};
const patch = (by: { key: string }, id: string, body: object) =>
  call('PATCH', `/monitors/${id}`, { key: by.key, body });
const today = async ({ key }: { key: string }) => (await call('GET', '/me', { key })).body.cost_today_usd;
const shown = async (home: given.Home, id: string) =>
  (await call('GET', `/monitors/${id}`, { key: home.key })).body.key_id;
const rotates = async (by: { key: string }, { key_id }: { key_id: string }, grace_seconds: number) => {
  const { body } = await call('POST', `/keys/${key_id}/rotate`, { key: by.key, body: { grace_seconds } });
  return { key: body.api_key, key_id: body.key_id };
};

describe('who sends the run of a monitor becomes its key', () => {
  test('at the creation and in a change, changed or not; whoever changes another setting does not', async () => {
    const home = await given.workspace();
    const other = await given.key(home.workspace_id, 'all');
    const { id, key_id } = await monitor(home);
    expect(key_id).toBe(home.key_id);
    expect((await patch(other, id, { name: 'Renamed' })).body.key_id).toBe(home.key_id);
    expect((await patch(other, id, { run: berlin })).body.key_id).toBe(other.key_id);
    expect(await shown(home, id)).toBe(other.key_id);
    const listed = (await call('GET', '/monitors', { key: home.key })).body.data;
    expect(listed).toMatchObject([{ id, key_id: other.key_id }]);
    await patch(other, id, { run: berlin });
    const { data } = (await call('GET', '/audit', { key: home.key })).body;
    const updates = data.filter(({ action }: { action: string }) => action === 'monitor.update');
    expect(updates).toMatchObject([
      { actor: other.key_id, target: id },
      { actor: other.key_id, target: id },
    ]);
  });

  test('it pays for the fires, within its limit, and its revocation ends them', async () => {
    const home = await given.workspace({ daily_cost_cap_usd: 1e6 });
    const deputy = await given.key(home.workspace_id, 'all', { daily_cost_limit_usd: 3 });
    const { id } = await monitor(home);
    expect((await patch(deputy, id, { run: costly })).status).toBe(200);
    const fire = (await fires(home, id)).body;
    await then.ended(home, fire.run_id);
    expect([await today(deputy), await today(home)]).toEqual([3.04, 0]);
    expect((await fires(home, id)).body).toMatchObject({
      outcome: 'refused',
      reason: 'cost_threshold_exceeded',
    });
    await call('DELETE', `/keys/${deputy.key_id}`, { key: home.key });
    expect((await fires(home, id)).body).toMatchObject({ outcome: 'refused', reason: 'auth_invalid' });
    await patch(home, id, { run: berlin });
    expect((await fires(home, id)).body.outcome).toBe('run');
  });
});

describe('the monitors of a rotated key', () => {
  test('pass to its successor at the rotation, and outlive the grace', async () => {
    const home = await given.workspace();
    const old = await given.key(home.workspace_id, 'all');
    const [first, second, others] = [await monitor(old), await monitor(old), await monitor(home)];
    const next = await rotates(home, old, 0);
    for (const { id } of [first, second]) {
      expect(await shown(home, id)).toBe(next.key_id);
      expect((await fires(home, id)).body.outcome).toBe('run');
    }
    expect(await shown(home, others.id)).toBe(home.key_id);
  });

  test('one that the old key makes in its grace passes when it fires, over several rotations', async () => {
    const home = await given.workspace();
    const old = await given.key(home.workspace_id, 'all');
    const next = await rotates(home, old, 600);
    const { id, key_id } = await monitor(old);
    expect(key_id).toBe(old.key_id);
    const last = await rotates(home, next, 0);
    expect((await fires(home, id)).body.outcome).toBe('run');
    expect(await shown(home, id)).toBe(last.key_id);
  });
});

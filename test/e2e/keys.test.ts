// rules.md: keys 8, keys 9, keys 10. The keys of a workspace, as its own keys manage them.
import { describe, expect, test } from 'vitest';
import type { Scope } from '../../functions/contract/scopes.ts';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const HOUR_MS = 3_600_000;
const costly = { kind: 'analyze', instructions: 'Sum up [[tokens:1000000,400000,500000,100000]]' };
const manage: Scope[] = ['keys:manage', 'runs:read'];

const lists = async (home: given.Caller) => (await call('GET', '/keys', { key: home.key })).body.data;
const creates = (home: given.Caller, body: object) => call('POST', '/keys', { key: home.key, body });
const reads = { name: 'Reader', scopes: ['runs:read'] };
const rotates = (home: given.Caller, id: string, grace_seconds?: number) =>
  call('POST', `/keys/${id}/rotate`, {
    key: home.key,
    ...(grace_seconds !== undefined && { body: { grace_seconds } }),
  });
const revokes = (home: given.Caller, id: string) => call('DELETE', `/keys/${id}`, { key: home.key });
const asks = (key: string) => call('GET', '/me', { key });
const listed = async (home: given.Caller, id: string) =>
  (await lists(home)).find(({ key_id }: { key_id: string }) => key_id === id);

test('a key is created, shown once, listed without its text, and used', async () => {
  const home = await given.workspace();
  const expires_at = Date.now() + HOUR_MS;
  const wanted = { ...reads, scopes: ['runs:read', 'runs:read'], expires_at, daily_cost_limit_usd: 0.5 };
  const { status, body } = await creates(home, wanted);
  expect(status).toBe(201);
  const { api_key, ...shown } = body;
  expect(shown).toEqual({
    ...{ key_id: expect.stringMatching(/^key_/), name: 'Reader', scopes: ['runs:read'], expires_at },
    ...{ created_at: expect.any(Number), daily_cost_limit_usd: 0.5 },
    ...{ revoked_at: null, successor_of: null, last_used_day: null },
  });
  expect(await listed(home, shown.key_id)).toEqual(shown);

  expect((await call('GET', '/runs', { key: api_key })).status).toBe(200);
  const today = new Date().toISOString().slice(0, 10);
  expect(await listed(home, shown.key_id)).toEqual({ ...shown, last_used_day: today });
  expect(await listed(home, home.key_id)).toMatchObject({ name: 'API key', last_used_day: today });
  expect(JSON.stringify([await lists(home), shown])).not.toContain(api_key);
});

test.each([
  ['expires_at', { ...reads, expires_at: 1_700_000_000_000 }],
  ['expires_at', { ...reads, expires_at: 1.5 }],
  ['scopes.1', { ...reads, scopes: ['runs:read', 'runs:all'] }],
  ['scopes', { ...reads, scopes: [] }],
  ['name', { ...reads, name: '' }],
  ['name', { ...reads, name: 'x'.repeat(201) }],
  ['daily_cost_limit_usd', { ...reads, daily_cost_limit_usd: 0 }],
  ['api_key', { ...reads, api_key: 'mine' }],
])('a create with a wrong %s is refused', async (param, body) => {
  const home = await given.workspace();
  expectRefusal(await creates(home, body), 422, 'schema_validation_failed', { param });
});

test('absent fields and wrong graces are refused with their names; the longest name is taken', async () => {
  const home = await given.workspace();
  expectRefusal(await creates(home, { name: 'x' }), 422, 'missing_required_field', { param: 'scopes' });
  expectRefusal(await creates(home, { scopes: ['runs:read'] }), 422, 'missing_required_field', {
    param: 'name',
  });
  for (const grace of [604_801, -1, 0.5])
    expectRefusal(await rotates(home, home.key_id, grace), 422, 'schema_validation_failed', {
      param: 'grace_seconds',
    });
  const { body } = await creates(home, { ...reads, name: 'é'.repeat(200) });
  expect((await rotates(home, body.key_id, 604_800)).status).toBe(201);
});

describe('a key gives nothing that it lacks', () => {
  test('without keys:manage it manages no keys', async () => {
    const home = await given.workspace();
    const reader = await given.key(home.workspace_id, ['runs:read', 'runs:create']);
    const details = { required_scope: 'keys:manage' };
    for (const refused of [
      await call('GET', '/keys', { key: reader.key }),
      await creates(reader, reads),
      await rotates(reader, home.key_id),
      await revokes(reader, home.key_id),
    ])
      expectRefusal(refused, 403, 'forbidden_feature', { details });
  });

  test('no scope, neither to a new key nor to a successor', async () => {
    const home = await given.workspace();
    const manager = await given.key(home.workspace_id, manage);
    const details = { required_scope: 'runs:create' };
    const wanted = { name: 'More', scopes: ['runs:read', 'runs:create'] };
    expectRefusal(await creates(manager, wanted), 403, 'forbidden_feature', { details });
    expectRefusal(await rotates(manager, home.key_id), 403, 'forbidden_feature', { details });
    expect((await creates(manager, reads)).status).toBe(201);
    expect((await rotates(manager, manager.key_id)).status).toBe(201);
  });

  test('neither a higher limit nor a later expiry than its own', async () => {
    const home = await given.workspace();
    const expires_at = Date.now() + HOUR_MS;
    const own = { expires_at, daily_cost_limit_usd: 2 };
    const limited = await given.key(home.workspace_id, manage, own);
    const wrong = [
      ['daily_cost_limit_usd', { expires_at }],
      ['daily_cost_limit_usd', { expires_at, daily_cost_limit_usd: 2.01 }],
      ['expires_at', { daily_cost_limit_usd: 2 }],
      ['expires_at', { daily_cost_limit_usd: 2, expires_at: expires_at + 1 }],
    ] as const;
    for (const [param, body] of wrong)
      expectRefusal(await creates(limited, { ...reads, ...body }), 422, 'schema_validation_failed', {
        param,
      });
    expect((await creates(limited, { ...reads, ...own })).status).toBe(201);
    const unlimited = await given.key(home.workspace_id, manage, { expires_at });
    expectRefusal(await rotates(limited, unlimited.key_id), 422, 'schema_validation_failed', {
      param: 'daily_cost_limit_usd',
    });
  });
});

describe('rotation', () => {
  test('the successor has name, scopes, limit and expiry; both work in the grace, whose end is listed', async () => {
    const home = await given.workspace();
    const expires_at = Date.now() + 48 * HOUR_MS;
    const old = (await creates(home, { ...reads, name: 'Nightly', expires_at, daily_cost_limit_usd: 1 }))
      .body;
    const before = Date.now();
    const { status, body } = await rotates(home, old.key_id);
    expect(status).toBe(201);
    const { api_key, ...shown } = body;
    expect(shown).toMatchObject({
      ...{ name: 'Nightly', scopes: ['runs:read'], expires_at, daily_cost_limit_usd: 1 },
      successor_of: old.key_id,
    });
    for (const key of [old.api_key, api_key]) expect((await asks(key)).status).toBe(200);
    const graceEnd = (await listed(home, old.key_id)).expires_at;
    expect(graceEnd).toBeGreaterThanOrEqual(before + 24 * HOUR_MS);
    expect(graceEnd).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS);
  });

  test('the old key has expired when its grace is over, never later than by itself', async () => {
    const home = await given.workspace();
    const old = (await creates(home, reads)).body;
    const { body } = await rotates(home, old.key_id, 0);
    const refused = await asks(old.api_key);
    expectRefusal(refused, 401, 'auth_expired');
    expect(refused.body.error.details.expired_at).toBe((await listed(home, old.key_id)).expires_at);
    expect((await asks(body.api_key)).status).toBe(200);

    const expires_at = Date.now() + HOUR_MS;
    const short = (await creates(home, { ...reads, expires_at })).body;
    await rotates(home, short.key_id, 604_800);
    expect(await listed(home, short.key_id)).toMatchObject({ expires_at });
  });

  test('a key that is revoked, expired or rotated is not rotated', async () => {
    const home = await given.workspace();
    const revoked = (await creates(home, reads)).body.key_id;
    await revokes(home, revoked);
    const { key_id: expired } = await given.key(home.workspace_id, ['runs:read'], { expires_at: 1 });
    const rotated = (await creates(home, reads)).body.key_id;
    await rotates(home, rotated);
    for (const [id, reason] of Object.entries({
      [revoked]: 'revoked',
      [expired]: 'expired',
      [rotated]: 'rotated',
    }))
      expectRefusal(await rotates(home, id), 409, 'key_not_active', { details: { reason } });
  });

  test('old and new key share one day and one limit, whichever of them runs', async () => {
    const home = await given.workspace();
    const wanted = { ...reads, scopes: ['runs:create', 'runs:read'], daily_cost_limit_usd: 6 };
    const old = (await creates(home, wanted)).body;
    const runs = async (key: string) => {
      const { body } = await when.createsPlanRun({ key }, [costly]);
      return then.ended({ key }, body.id);
    };
    await runs(old.api_key);
    const next = (await rotates(home, old.key_id)).body;
    expect((await asks(next.api_key)).body).toMatchObject({ cost_today_usd: 3.04, daily_cost_limit_usd: 6 });
    await runs(next.api_key);
    for (const key of [old.api_key, next.api_key]) {
      expect((await asks(key)).body.cost_today_usd).toBe(6.08);
      expectRefusal(await when.createsPlanRun({ key }, [costly]), 429, 'cost_threshold_exceeded');
    }
    expect((await asks(home.key)).body.workspace.cost_today_usd).toBe(6.08);
  });

  test('of two at once one wins; a revocation at the same time leaves no old key alive', async () => {
    const home = await given.workspace();
    const old = (await creates(home, reads)).body;
    const both = await Promise.all([rotates(home, old.key_id), rotates(home, old.key_id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const [lost] = both.filter(({ status }) => status === 409);
    expect(lost?.body.error.details).toEqual({ reason: 'rotated' });

    const other = (await creates(home, reads)).body;
    const [rotated, revoked] = await Promise.all([rotates(home, other.key_id), revokes(home, other.key_id)]);
    expect(revoked.status).toBe(204);
    expect([201, 409]).toContain(rotated.status);
    expectRefusal(await asks(other.api_key), 401, 'auth_invalid');
  });
});

describe('revocation', () => {
  test('takes effect at once, may be repeated, and not on the key that asks', async () => {
    const home = await given.workspace();
    const { api_key, key_id } = (await creates(home, { ...reads, scopes: manage })).body;
    expect((await asks(api_key)).status).toBe(200);
    expectRefusal(await revokes({ key: api_key }, key_id), 409, 'key_in_use');
    for (let n = 0; n < 2; n += 1) {
      const reply = await revokes(home, key_id);
      expect([reply.status, reply.body]).toEqual([204, '']);
    }
    expectRefusal(await asks(api_key), 401, 'auth_invalid');
    expect((await listed(home, key_id)).revoked_at).toBeGreaterThan(0);
  });

  test('missing, malformed and foreign ids are the same 404, in rotate too', async () => {
    const [home, foreign] = [await given.workspace(), await given.workspace()];
    const missing = home.key_id.replace(/.{4}$/, '0000');
    for (const id of [missing, foreign.key_id, 'x', '%20', home.key_id.toUpperCase()]) {
      expectRefusal(await rotates(home, id), 404, 'key_not_found');
      expectRefusal(await revokes(home, id), 404, 'key_not_found');
    }
    expect((await asks(foreign.key)).status).toBe(200);
  });
});

test('a workspace has 100 active keys: of two creates at 99 one wins, and a rotation without a grace fits', async () => {
  const home = await given.workspace();
  for (let n = 1; n < 99; n += 1) expect((await creates(home, reads)).status).toBe(201);
  const both = await Promise.all([creates(home, reads), creates(home, reads)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const details = { limit: 100 };
  expectRefusal(await creates(home, reads), 409, 'keys_exceeded', { details });
  const [made] = both.filter(({ status }) => status === 201);
  const id = made?.body.key_id;
  expectRefusal(await rotates(home, id, 1), 409, 'keys_exceeded', { details });
  expect((await rotates(home, id, 0)).status).toBe(201);
  expectRefusal(await creates(home, reads), 409, 'keys_exceeded', { details });
  await revokes(home, (await lists(home))[50].key_id);
  expect((await creates(home, reads)).status).toBe(201);
});

test('the audit names who managed which key, and no text of a key', async () => {
  const home = await given.workspace();
  const made = (await creates(home, reads)).body;
  const next = (await rotates(home, made.key_id)).body;
  for (let n = 0; n < 2; n += 1) await revokes(home, next.key_id);
  await rotates(home, made.key_id);
  const { data } = (await call('GET', '/audit', { key: home.key })).body;
  const actor = home.key_id;
  expect(data).toMatchObject([
    { actor, action: 'key.revoke', target: next.key_id },
    { actor, action: 'key.rotate', target: made.key_id },
    { actor, action: 'key.create', target: made.key_id },
    { actor: 'admin', action: 'key.create', target: actor },
  ]);
  expect(data).toHaveLength(4);
  for (const { api_key } of [made, next]) expect(JSON.stringify(data)).not.toContain(api_key);
});

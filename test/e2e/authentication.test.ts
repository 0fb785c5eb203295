// rules.md: keys. Bearer keys, scopes, and the standing of key and workspace, on every route that takes a key.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Scope, scopes } from '../../functions/contract/scopes.ts';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import * as when from '../support/when.ts';

const ID = '0b2a4c6e-0000-4000-8000-000000000001';
/** Every route that takes a key, with the scope it needs. */
const routes: [method: string, path: string, scope: Scope][] = [
  ['POST', '/runs', 'runs:create'],
  ['GET', '/runs', 'runs:read'],
  ['GET', `/runs/${ID}`, 'runs:read'],
  ['POST', `/runs/${ID}/cancel`, 'runs:cancel'],
  ['DELETE', `/runs/${ID}`, 'runs:delete'],
  ['POST', `/runs/${ID}/resume`, 'runs:create'],
  ['POST', `/runs/${ID}/rerun-from`, 'runs:create'],
  ['GET', `/runs/${ID}/events`, 'runs:read'],
  ['POST', `/runs/${ID}/events/token`, 'runs:read'],
  ['GET', `/runs/${ID}/webhook-deliveries`, 'runs:read'],
  ['POST', `/runs/${ID}/webhook-deliveries/evt_1/redeliver`, 'runs:create'],
  ['GET', `/artifacts/${ID}`, 'artifacts:read'],
  ['GET', `/notes/${ID}`, 'artifacts:read'],
  ['GET', '/entities/resolve?refs=%5B%5D', 'runs:read'],
  ['GET', '/entities/types', 'runs:read'],
  ['GET', '/sources', 'runs:read'],
  ['GET', `/entities/${ID}`, 'runs:read'],
];

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
});

describe.each(routes)('%s %s', (method, path, scope) => {
  test('without a key: auth_missing; with an unknown one: auth_invalid', async () => {
    expectRefusal(await call(method, path), 401, 'auth_missing');
    for (const key of ['sk_nobody', `${home.key}0`])
      expectRefusal(await call(method, path, { key }), 401, 'auth_invalid');
  });

  test(`needs ${scope} and no other scope`, async () => {
    const others = await given.key(
      home.workspace_id,
      scopes.filter((one) => one !== scope),
    );
    expectRefusal(await call(method, path, { key: others.key }), 403, 'forbidden_feature', {
      details: { required_scope: scope },
    });
    const only = await given.key(home.workspace_id, [scope]);
    expect((await call(method, path, { key: only.key })).body.error?.code).not.toBe('forbidden_feature');
  });
});

describe('the header', () => {
  const list = (authorization: string) => call('GET', '/runs', { headers: { authorization } });

  test.each(['Basic eDp5', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer\ta', 'Bearera', ''])(
    '%j is not a bearer key: auth_missing',
    async (header) => expectRefusal(await list(header), 401, 'auth_missing'),
  );

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme may be spelled %s', async (scheme) => {
    expect((await list(`${scheme} ${home.key}`)).status).toBe(200);
  });

  test('a key of another spelling is another key: auth_invalid', async () => {
    const changed = home.key.slice(0, -1) + (home.key.endsWith('a') ? 'b' : 'a');
    const foreign = await given.workspace();
    const grafted = foreign.key.slice(0, 36) + home.key.slice(36);
    for (const key of [changed, grafted, `${home.key}0`, home.key.slice(0, -1), home.key.toUpperCase()])
      expectRefusal(await list(`Bearer ${key}`), 401, 'auth_invalid');
  });
});

describe('the standing', () => {
  test('a revoked key: auth_invalid, and other keys still work', async () => {
    const { key, key_id } = await given.key(home.workspace_id, 'all');
    await admin({ command: 'key.revoke', key_id });
    expectRefusal(await call('GET', '/runs', { key }), 401, 'auth_invalid');
    expect((await call('GET', '/runs', { key: home.key })).status).toBe(200);
  });

  test('an expired key: auth_expired with the time; one that expires later works', async () => {
    const expired_at = Date.now() - 1;
    const late = await given.key(home.workspace_id, 'all', { expires_at: expired_at });
    expectRefusal(await call('GET', '/runs', { key: late.key }), 401, 'auth_expired', {
      details: { expired_at },
    });
    const early = await given.key(home.workspace_id, 'all', { expires_at: Date.now() + 3_600_000 });
    expect((await call('GET', '/runs', { key: early.key })).status).toBe(200);
  });

  test('a suspended workspace: forbidden_workspace until it is active again', async () => {
    const { workspace_id, key } = await given.workspace();
    await admin({ command: 'workspace.update', workspace_id, status: 'suspended' });
    expectRefusal(await call('GET', '/runs', { key }), 403, 'forbidden_workspace');
    expectRefusal(await when.createsPlanRun({ key }, [{ kind: 'fetch' }]), 403, 'forbidden_workspace');
    await admin({ command: 'workspace.update', workspace_id, status: 'active' });
    expect((await call('GET', '/runs', { key })).status).toBe(200);
  });

  test('a deleted workspace: workspace_not_found', async () => {
    const { workspace_id, key } = await given.workspace();
    await admin({ command: 'workspace.update', workspace_id, status: 'deleted' });
    expectRefusal(await call('GET', '/runs', { key }), 404, 'workspace_not_found');
  });

  test('of a revoked key of a suspended workspace the key is reported first', async () => {
    const { workspace_id, key, key_id } = await given.workspace();
    await admin({ command: 'key.revoke', key_id });
    await admin({ command: 'workspace.update', workspace_id, status: 'suspended' });
    expectRefusal(await call('GET', '/runs', { key }), 401, 'auth_invalid');
  });
});

describe('isolation: what belongs to another workspace looks like what does not exist', () => {
  test('every id of a foreign run answers as a random one, but for request_id', async () => {
    const other = await given.workspace();
    await given.companies(other.workspace_id);
    const created = await call('POST', '/runs', {
      key: other.key,
      body: { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'crm:acme' } } },
    });
    const { id } = created.body;
    const bodyFor = async (method: string, path: string) => {
      const body = path.endsWith('rerun-from') ? { step_index: 0 } : undefined;
      const reply = await call(method, path, { key: home.key, body });
      return { status: reply.status, error: { ...reply.body.error, request_id: '' } };
    };
    for (const [method, path] of routes.filter(([, path]) => path.startsWith(`/runs/${ID}`)))
      expect(await bodyFor(method, path.replace(ID, id)), path).toEqual(await bodyFor(method, path));
  });
});

// rules.md: monitors 1, monitors 2, monitors 11. Monitors over HTTP: what is accepted, refused, changed and listed.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../functions/contract/scopes.ts';
import * as given from '../support/given.ts';
import { berlin, creates, fires, monitor, monitorBody, yearly } from '../support/monitors.ts';
import { call } from '../support/service.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
});

const patch = (id: string, body: unknown) => call('PATCH', `/monitors/${id}`, { key: home.key, body });

test('a monitor comes back as it was sent, with its defaults', async () => {
  const { status, body } = await creates(home, { name: 'Berlin', run: berlin, on: { cron: '0 7 * * 1-5' } });
  expect(status).toBe(201);
  expect(body).toEqual({
    ...{ id: body.id, object: 'monitor', name: 'Berlin', status: 'active', run: berlin },
    key_id: home.key_id,
    ...{ on: { cron: '0 7 * * 1-5', timezone: 'UTC' }, overlap: 'skip', catch_up_seconds: 3600 },
    ...{ notify: 'every', created_at: body.created_at, next_fire_at: body.next_fire_at, last_fire: null },
  });
  const due = new Date(body.next_fire_at);
  expect([due.getUTCHours(), due.getUTCMinutes(), due.getTime() > Date.now()]).toEqual([7, 0, true]);
  const read = await call('GET', `/monitors/${body.id}`, { key: home.key });
  expect(read.body).toEqual(body);
  const change = { types: ['company'], where: { field: 'city', op: '=', value: 'Berlin' } };
  const onChange = await creates(home, monitorBody({ on: { change }, overlap: 'queue', notify: 'changed' }));
  expect(onChange.body).toMatchObject({
    on: { change: { ...change, settle_seconds: 60 } },
    ...{ overlap: 'queue', notify: 'changed', next_fire_at: null },
  });
});

const change = (more: object) => ({ on: { change: { types: ['company'], ...more } } });
const ofRun = (more: object) => ({ run: { ...berlin, ...more } });
const stepOf = (step: object) => ofRun({ plan: { title: 'T', steps: [{ title: 'S', ...step }] } });
const pairs = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']));

describe('a wrong monitor is refused with its place', () => {
  test.each<[what: string, change: object, param: string, code?: string]>([
    ['no name', { name: undefined }, 'name', 'missing_required_field'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['no run', { run: undefined }, 'run', 'missing_required_field'],
    ['a run that is none', { run: 'x' }, 'run'],
    ['no trigger', { on: undefined }, 'on', 'missing_required_field'],
    ['a trigger without a pattern', { on: {} }, 'on.cron', 'missing_required_field'],
    ['both triggers', { on: { cron: '* * * * *', ...change({}).on } }, 'on.cron'],
    ['six fields', { on: { cron: '* * * * * *' } }, 'on.cron'],
    ['a name of a day', { on: { cron: '0 0 * * MON' } }, 'on.cron'],
    ['a date that never comes', { on: { cron: '0 0 30 2 *' } }, 'on.cron'],
    ['no such zone', { on: { ...yearly, timezone: 'Mars/Olympus' } }, 'on.timezone'],
    ['no types', { on: { change: {} } }, 'on.change.types', 'missing_required_field'],
    ['eleven types', change({ types: Array(11).fill('x') }), 'on.change.types'],
    ['an empty list of types', change({ types: [] }), 'on.change.types'],
    ['a type that is no text', change({ types: [1] }), 'on.change.types.0'],
    ['no time to settle', change({ settle_seconds: 0 }), 'on.change.settle_seconds'],
    ['more than a day to settle', change({ settle_seconds: 86_401 }), 'on.change.settle_seconds'],
    [
      'a wrong condition',
      change({ where: { and: [{ field: 'a', op: '~', value: 1 }] } }),
      'on.change.where.and.0.op',
    ],
    ['another overlap', { overlap: 'wait' }, 'overlap'],
    ['a negative catch-up', { catch_up_seconds: -1 }, 'catch_up_seconds'],
    ['a long catch-up', { catch_up_seconds: 86_401 }, 'catch_up_seconds'],
    ['another notify', { notify: 'never' }, 'notify'],
    ['an unknown field', { status: 'paused' }, 'status'],
    ['the reserved pair', ofRun({ metadata: { monitor_id: 'x' } }), 'run.metadata'],
    ['sixteen pairs', ofRun({ metadata: pairs(16) }), 'run.metadata'],
    ['an unknown kind of run', ofRun({ input_type: 'wish' }), 'run.input_type', 'unsupported_input_type'],
    ['a run without a kind', { run: {} }, 'run.input_type', 'missing_required_field'],
    [
      'a step without what it needs',
      stepOf({ kind: 'filter' }),
      'run.plan.steps.0.instructions',
      'missing_required_field',
    ],
    [
      'a step with an unknown param',
      stepOf({ kind: 'fetch', params: { x: 1 } }),
      'run.plan.steps.0.params.x',
    ],
    [
      'a private callback',
      ofRun({ callback_url: 'https://10.0.0.1/' }),
      'run.callback_url',
      'invalid_callback_url',
    ],
    [
      'a dossier of nobody',
      { run: { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'crm:x' } } } },
      'run.params.entity',
      'entity_not_resolvable',
    ],
  ])('%s', async (_, wrong, param, code = 'schema_validation_failed') => {
    const { body } = await creates(home, monitorBody(wrong));
    expect([body.error?.code, body.error?.param]).toEqual([code, param]);
    for (const issue of body.error.details?.issues ?? [])
      if (param.startsWith('run.')) expect(issue.path[0]).toBe('run');
  });
});

test('a fifteenth pair of metadata is accepted', async () => {
  expect((await creates(home, monitorBody(ofRun({ metadata: pairs(15) })))).status).toBe(201);
});

test('a repeated create is the same monitor, until it is deleted; another body is a conflict', async () => {
  const key = { 'Idempotency-Key': `create ${Math.random()}` };
  const first = await creates(home, monitorBody(), key);
  const again = await creates(home, monitorBody(), key);
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 200, 'true']);
  expect(again.body.id).toBe(first.body.id);
  const other = await creates(home, monitorBody({ name: 'Other' }), key);
  expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_key_conflict']);
  expect(other.body.error.details).toEqual({ original_id: first.body.id });
  const gone = await call('DELETE', `/monitors/${first.body.id}`, { key: home.key });
  expect(gone.status).toBe(204);
  expect((await creates(home, monitorBody({ name: 'Other' }), key)).status).toBe(201);
});

test('a repeated fire is the same fire', async () => {
  const { id } = await monitor(home);
  const key = { 'Idempotency-Key': `fire ${id}` };
  const [first, second] = await Promise.all([fires(home, id, key), fires(home, id, key)]);
  expect([first.status, second.status].toSorted()).toEqual([200, 202]);
  expect(second.body.id).toBe(first.body.id);
  const other = await fires(home, (await monitor(home)).id, key);
  expect([other.status, other.body.error.param]).toEqual([409, 'Idempotency-Key']);
  const bad = await fires(home, id, { 'Idempotency-Key': 'x'.repeat(256) });
  expect([bad.status, bad.body.error.param]).toEqual([422, 'Idempotency-Key']);
});

test('a change names what changes; what is wrong is refused with its place', async () => {
  const { id, ...made } = await monitor(home);
  const paused = await patch(id, { status: 'paused', name: 'Paused' });
  expect(paused.body).toEqual({ ...made, id, status: 'paused', name: 'Paused', next_fire_at: null });
  const active = await patch(id, { status: 'active', on: { cron: '0 0 1 1 *', timezone: 'Asia/Tokyo' } });
  expect(active.body).toMatchObject({ status: 'active', on: { timezone: 'Asia/Tokyo' } });
  expect(new Date(active.body.next_fire_at).toISOString()).toMatch(/-12-31T15:00:00.000Z$/);
  for (const [wrong, param] of [
    [{ status: 'gone' }, 'status'],
    [{ on: { cron: 'x' } }, 'on.cron'],
    [{ run: { ...berlin, metadata: { monitor_id: 'x' } } }, 'run.metadata'],
    [{ id: 'x' }, 'id'],
  ] as const)
    expect((await patch(id, wrong)).body.error.param).toBe(param);
});

test('a workspace has at most 100 monitors', async () => {
  const own = await given.workspace();
  const all = await Promise.all(Array.from({ length: 100 }, () => creates(own, monitorBody())));
  expect(all.every(({ status }) => status === 201)).toBe(true);
  const refused = await creates(own, monitorBody());
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'monitors_exceeded', type: 'conflict', details: { limit: 100 } },
  ]);
  await call('DELETE', `/monitors/${all[0]?.body.id}`, { key: own.key });
  expect((await creates(own, monitorBody())).status).toBe(201);
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await call('GET', `/monitors?limit=40${cursor}`, { key: own.key });
    ids.push(...page.body.data.map((one: { id: string }) => one.id));
    expect(page.body.data[0]).not.toHaveProperty('run');
    if (!page.body.has_more) break;
    cursor = `&cursor=${page.body.next_cursor}`;
  }
  expect(new Set(ids).size).toBe(100);
  expect(ids).toEqual(ids.toSorted().toReversed());
  const foreign = await call('GET', `/monitors?cursor=${'A'.repeat(40)}`, { key: own.key });
  expect([foreign.status, foreign.body.error.param]).toEqual([422, 'cursor']);
});

test('a monitor of another workspace does not exist, in any of the routes', async () => {
  const { id } = await monitor(home);
  const other = await given.workspace();
  for (const one of [id, id.toUpperCase().slice(1), '00000000-0000-4000-8000-000000000000'])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/fire'],
      ['GET', '/fires'],
    ] as const) {
      const body = method === 'PATCH' ? { body: {} } : {};
      const reply = await call(method, `/monitors/${one}${path}`, { key: other.key, ...body });
      expect([reply.status, reply.body.error.code]).toEqual([404, 'monitor_not_found']);
    }
  expect((await call('GET', '/monitors', { key: other.key })).body.data).toEqual([]);
});

describe('scopes', () => {
  const as = async (...scopes: Scope[]) => given.key(home.workspace_id, scopes);
  const missing = (reply: { status: number; body: { error: { details: object } } }) => [
    reply.status,
    reply.body.error.details,
  ];

  test('a create needs the scope of monitors, of runs and of what its run does', async () => {
    const xray = monitorBody(ofRun({ config: { xray: true } }));
    expect(missing(await creates(await as('runs:create'), xray))).toEqual([
      403,
      { required_scope: 'monitors:manage' },
    ]);
    expect(missing(await creates(await as('monitors:manage'), xray))).toEqual([
      403,
      { required_scope: 'runs:create' },
    ]);
    const both = await as('monitors:manage', 'runs:create');
    expect(missing(await creates(both, xray))).toEqual([403, { required_scope: 'config:xray' }]);
    const { id } = await monitor(home, ofRun({ config: { xray: true } }));
    const renamed = await call('PATCH', `/monitors/${id}`, { key: both.key, body: { name: 'N' } });
    expect(missing(renamed)).toEqual([403, { required_scope: 'config:xray' }]);
  });

  test('reads need `runs:read`; fire and delete need `monitors:manage` alone', async () => {
    const { id } = await monitor(home);
    const [reader, manager] = [await as('runs:read'), await as('monitors:manage')];
    for (const path of ['/monitors', `/monitors/${id}`, `/monitors/${id}/fires`]) {
      expect((await call('GET', path, { key: reader.key })).status).toBe(200);
      expect((await call('GET', path, { key: manager.key })).status).toBe(403);
    }
    expect((await fires(reader, id)).status).toBe(403);
    expect((await fires(manager, id)).status).toBe(202);
    expect((await call('DELETE', `/monitors/${id}`, { key: reader.key })).status).toBe(403);
    expect((await call('DELETE', `/monitors/${id}`, { key: manager.key })).status).toBe(204);
    expect((await call('GET', `/monitors/${id}`, { key: reader.key })).status).toBe(404);
  });
});

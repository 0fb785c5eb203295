// rules.md: audit. Who did what in a workspace, as its keys and administrators leave it.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

interface Entry {
  at: number;
  actor: string;
  action: string;
  target: string;
  request_id: string;
}

const reads = (home: given.Caller, query = '') => call('GET', `/audit${query}`, { key: home.key });
const entries = async (home: given.Caller): Promise<Entry[]> => (await reads(home)).body.data;
const last = async (home: given.Caller) => (await entries(home))[0];
const failing = [{ kind: 'analyze', instructions: '[[fail-once]]' }];

const posts = (home: given.Caller, path: string, body?: object) =>
  call('POST', path, { key: home.key, body, headers: { 'x-request-id': `for-${path.split('/').at(-1)}` } });

test('cancel, resume, rerun and redeliver leave one entry for each effect, with the key and the request', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(400))]);
  const actor = home.key_id;
  const failed = (await when.createsPlanRun(home, failing, { callback_url: server.url })).body.id;
  await then.ended(home, failed);
  await posts(home, `/runs/${failed}/resume`);
  expect(await last(home)).toMatchObject({ actor, action: 'run.resume', target: failed });
  await then.ended(home, failed);

  const replay = { 'idempotency-key': 'once' };
  const rerun = () =>
    call('POST', `/runs/${failed}/rerun-from`, { key: home.key, body: { step_index: 0 }, headers: replay });
  const made = (await rerun()).body.id;
  expect((await rerun()).body.id).toBe(made);
  await then.ended(home, made);
  const [first, second] = await entries(home);
  expect(first).toMatchObject({ actor, action: 'run.rerun', target: made });
  expect(second?.action).toBe('run.resume');

  const [delivery] = (await call('GET', `/runs/${failed}/webhook-deliveries`, { key: home.key })).body.data;
  await posts(home, `/runs/${failed}/webhook-deliveries/${delivery.event_id}/redeliver`);
  expect(await last(home)).toMatchObject({
    action: 'webhook.redeliver',
    target: delivery.event_id,
    request_id: 'for-redeliver',
  });
});

test('a repeated cancel and refused commands leave none; each page ends where the next begins', async () => {
  const home = await given.workspace();
  await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push((await when.createsPlanRun(home, [{ kind: 'fetch' }])).body.id);
  for (const id of ids) for (let n = 0; n < 2; n += 1) await posts(home, `/runs/${id}/cancel`);
  expect((await posts(home, `/runs/${ids[0]}/resume`)).status).toBe(409);

  const canceled = ids.toReversed().map((target) => ({ action: 'run.cancel', target }));
  expect(await entries(home)).toMatchObject([...canceled, { action: 'key.create' }]);
  const page = (await reads(home, '?limit=2')).body;
  expect(page).toMatchObject({ object: 'list', data: canceled.slice(0, 2), has_more: true });
  const rest = (await reads(home, `?limit=2&cursor=${page.next_cursor}`)).body;
  expect(rest).toMatchObject({
    data: [canceled[2], { action: 'key.create' }],
    next_cursor: null,
    has_more: false,
  });
  const times = [...page.data, ...rest.data].map(({ at }: Entry) => at);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('administrators are named admin; an update that changes nothing leaves no entry', async () => {
  const home = await given.workspace();
  const { workspace_id } = home;
  const other = await given.key(workspace_id, ['runs:read']);
  await admin({ command: 'key.revoke', key_id: other.key_id });
  await admin({ command: 'key.revoke', key_id: other.key_id });
  await admin({ command: 'workspace.update', workspace_id, name: 'Changed', features: ['GLOBAL_SEARCH'] });
  await admin({ command: 'workspace.update', workspace_id, name: 'Changed', features: ['GLOBAL_SEARCH'] });
  await admin({ command: 'workspace.update', workspace_id, credits: 50 });
  const written = await entries(home);
  expect(written.map(({ actor, action, target }) => [actor, action, target])).toEqual([
    ['admin', 'workspace.update', workspace_id],
    ['admin', 'workspace.update', workspace_id],
    ['admin', 'key.revoke', other.key_id],
    ['admin', 'key.create', other.key_id],
    ['admin', 'key.create', home.key_id],
  ]);
  expect(new Set(written.map(({ request_id }) => request_id)).size).toBe(written.length);
  expect(JSON.stringify(written)).not.toContain(home.key);
});

test('the audit is for keys that manage keys, in pages of 1 to 100, and its cursors are its own', async () => {
  const home = await given.workspace();
  const reader = await given.key(home.workspace_id, ['runs:read', 'runs:create']);
  const refused = await reads(reader);
  expectRefusal(refused, 403, 'forbidden_feature');
  expect(refused.body.error.details).toEqual({ required_scope: 'keys:manage' });
  for (const query of ['limit=0', 'limit=101', 'limit=', 'cursor=', 'cursor=x'])
    expectRefusal(await reads(home, `?${query}`), 422, 'schema_validation_failed', {
      param: query.split('=')[0] ?? '',
    });
  const { next_cursor } = (await reads(home, '?limit=1')).body;
  const foreign = await given.workspace();
  const wrong = await reads(foreign, `?cursor=${next_cursor}`);
  expectRefusal(wrong, 422, 'schema_validation_failed', { param: 'cursor' });
  expect(await entries(foreign)).toMatchObject([{ target: foreign.key_id }]);
});

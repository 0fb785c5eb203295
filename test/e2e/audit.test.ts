// rules.md: audit 1, audit 2, audit 3. Who did what in a workspace, as its keys and administrators leave it.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Feature } from '../../functions/contract/scopes.ts';
import * as given from '../support/given.ts';
import { fires, monitor, slow } from '../support/monitors.ts';
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
  const before = [{ action: 'maintenance.start' }, { action: 'key.create' }];
  expect(await entries(home)).toMatchObject([...canceled, ...before]);
  const page = (await reads(home, '?limit=2')).body;
  expect(page).toMatchObject({ object: 'list', data: canceled.slice(0, 2), has_more: true });
  const rest = (await reads(home, `?limit=2&cursor=${page.next_cursor}`)).body;
  expect(rest).toMatchObject({
    data: [canceled[2], before[0]],
    has_more: true,
  });
  const times = [...page.data, ...rest.data].map(({ at }: Entry) => at);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('a link to an artifact leaves an entry with the artifact', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer])).body;
  const artifact = (await then.ended(home, id)).artifacts[0].id;
  await posts(home, `/artifacts/${artifact}/links`);
  const entry = { actor: home.key_id, action: 'artifact.link', target: artifact, request_id: 'for-links' };
  expect(await last(home)).toMatchObject(entry);
  await posts(home, `/artifacts/${artifact}/links`, { format: 'pdf' });
  expect((await entries(home)).filter(({ action }) => action === 'artifact.link')).toHaveLength(1);
});

test('a fire that replaces a run cancels it in the name of the monitor', async () => {
  const home = await given.workspace();
  const { id } = await monitor(home, { run: slow(3000), overlap: 'replace' });
  const first = (await fires(home, id)).body.run_id;
  await then.event(home, first, 'run.started');
  await posts(home, `/monitors/${id}/fire`);
  expect((await entries(home)).slice(0, 2)).toMatchObject([
    { actor: home.key_id, action: 'monitor.fire', target: id, request_id: 'for-fire' },
    { actor: id, action: 'run.cancel', target: first, request_id: 'for-fire' },
  ]);
});

test('bridges, maintenance of a workspace and imports leave entries where they have effects, and once', async () => {
  const features: Feature[] = ['WEBHOOK_INTEGRATION'];
  const [home, other] = [await given.workspace({ features }), await given.workspace({ features })];
  const resource = { type: 'company', kind: 'entity', entity_type: 'company', name_field: 'name' } as const;
  const at = ({ workspace_id }: given.Home) => ({
    workspace_id,
    resources: [{ ...resource, field_map: {} }],
  });
  const bridge = { name: 'crm', workspaces: [at(home)] };
  const { bridge_id } = await admin({ command: 'bridge.create', bridge });
  const both = { ...bridge, workspaces: [at(home), at(other)] };
  for (let n = 0; n < 2; n += 1) await admin({ command: 'bridge.update', bridge_id, bridge: both });
  const { workspace_id } = home;
  for (let n = 0; n < 2; n += 1) await admin({ command: 'maintenance.start', workspace_id });
  for (let n = 0; n < 2; n += 1) await admin({ command: 'maintenance.end', workspace_id });
  const named = (entities: { type: string; name: string; id?: string }[]) =>
    admin({ command: 'entity.import', workspace_id, entities });
  const lines = [{ id: randomUUID(), type: 'company', name: 'Acme' }];
  for (let n = 0; n < 2; n += 1) await named(lines);
  await named([...lines, { type: 'company', name: 'Globex' }, { type: 'company', name: 'Initech' }]);

  const admins = (all: Entry[]) => all.filter(({ action }) => action !== 'key.create');
  const acted = (one: object) => ({ actor: 'admin', ...one });
  expect(admins(await entries(home))).toMatchObject(
    [
      { action: 'entity.import', target: '*', count: 2 },
      { action: 'entity.import', target: '*', count: 1 },
      { action: 'maintenance.end', target: workspace_id },
      { action: 'maintenance.start', target: workspace_id },
      { action: 'bridge.update', target: bridge_id },
      { action: 'bridge.create', target: bridge_id },
    ].map(acted),
  );
  expect(admins(await entries(other))).toMatchObject([acted({ action: 'bridge.update', target: bridge_id })]);
});

test('the parts of one import share one entry, which adds them up', async () => {
  const home = await given.workspace();
  const { workspace_id } = home;
  const file_sha256 = 'a'.repeat(64);
  const { import_id } = await admin({ command: 'import.start', workspace_id, file_sha256 });
  const part = (offset: number) =>
    admin({
      command: 'entity.import',
      workspace_id,
      entities: [0, 1, 2].map((n) => ({ type: 'thing', name: `Thing ${offset + n}` })),
      origin: { import_id, offset },
    });
  await Promise.all([0, 3, 6, 9].map(part));
  await part(3);
  await admin({ command: 'import.end', workspace_id, file_sha256 });
  const imports = (await entries(home)).filter(({ action }) => action === 'entity.import');
  expect(imports).toMatchObject([{ actor: 'admin', target: '*', count: 12 }]);
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

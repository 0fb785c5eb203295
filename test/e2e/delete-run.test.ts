// rules.md: deletion. DELETE /runs/{id} as a client sees it.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const deletes = (id: string, key = home.key) => call('DELETE', `/runs/${id}`, { key });
const maintenance = (verb: 'start' | 'end') =>
  admin({ command: `maintenance.${verb}`, workspace_id: home.workspace_id });
const reads = (path: string, key = home.key) => call('GET', path, { key });
const steps = [when.fetchCompanies, when.keepBerlin, when.answer];
const [UNKNOWN, SLOW] = [crypto.randomUUID(), { kind: 'analyze', instructions: '[[delay:1500]]' }];

async function ended(plan: Record<string, unknown>[] = steps, extra: Record<string, unknown> = {}) {
  const { body } = await when.createsPlanRun(home, plan, extra);
  return then.ended(home, body.id);
}

test('a deleted run is not found by any of its addresses, and in no list', async () => {
  const receiver = await customer(status(200));
  const metadata = { ticket: crypto.randomUUID() };
  const run = await ended(steps, { metadata, callback_url: receiver.url });
  const dossier = {
    input_type: 'preset',
    preset: 'dossier',
    params: { entity: { external_uri: 'crm:acme' } },
  };
  const noted = await then.ended(
    home,
    (await call('POST', '/runs', { key: home.key, body: dossier })).body.id,
  );
  const token = (await call('POST', `/runs/${run.id}/events/token`, { key: home.key })).body.event_token;
  const before = (await reads('/me')).body;

  const reply = await deletes(run.id);
  expect([reply.status, reply.body]).toEqual([204, '']);
  expect((await deletes(noted.id.toUpperCase())).status).toBe(204);

  for (const path of ['', '?include=plan', '/events', '/events?keep-open=1', '/webhook-deliveries'])
    expectRefusal(await reads(`/runs/${run.id}${path}`), 404, 'run_not_found');
  for (const path of ['cancel', 'resume', 'events/token', 'webhook-deliveries/evt_1/redeliver'])
    expectRefusal(await call('POST', `/runs/${run.id}/${path}`, { key: home.key }), 404, 'run_not_found');
  const streamed = await call('GET', `/runs/${run.id}/events/stream?event_token=${token}`);
  expectRefusal(streamed, 404, 'run_not_found');
  expectRefusal(await when.rerunsFrom(home, run.id, 1), 404, 'run_not_found');
  expectRefusal(await deletes(run.id), 404, 'run_not_found');
  for (const { id } of [...run.artifacts, ...noted.artifacts])
    expectRefusal(await reads(`/artifacts/${id}`), 404, 'artifact_not_found');
  for (const id of noted.note_ids) expectRefusal(await reads(`/notes/${id}`), 404, 'note_not_found');
  for (const filter of ['', '?status=succeeded', `?metadata=ticket:${metadata.ticket}`]) {
    const listed = (await reads(`/runs${filter}`)).body.data.map(({ id }: { id: string }) => id);
    expect(listed).not.toContain(run.id);
  }
  // What it has cost stays counted.
  const { cost_today_usd, workspace } = (await reads('/me')).body;
  expect([cost_today_usd, workspace]).toEqual([before.cost_today_usd, before.workspace]);
});

test('a run is not deleted before it has ended and its log is finished', async () => {
  const { id } = (await when.createsPlanRun(home, [SLOW])).body;
  await then.event(home, id, 'step.started');
  const details = { status: 'running' };
  expectRefusal(await deletes(id), 409, 'run_not_terminal', { details });
  const canceled = await call('POST', `/runs/${id}/cancel`, { key: home.key });
  expect(canceled.body.status).toBe('canceled');
  const refused = await deletes(id);
  expectRefusal(refused, 409, 'run_not_terminal', { details: { status: 'canceled' } });
  expect(refused.body.error.type).toBe('conflict');
  await then.ended(home, id);
  expect((await deletes(id)).status).toBe(204);
});

test('only a key with runs:delete deletes, and only in its own workspace', async () => {
  const run = await ended();
  const other = await given.workspace();
  const { key } = await given.key(home.workspace_id, ['runs:read', 'runs:create', 'runs:cancel']);
  expectRefusal(await deletes(run.id, key), 403, 'forbidden_feature', {
    details: { required_scope: 'runs:delete' },
  });
  for (const id of [UNKNOWN, 'none', '%20']) expectRefusal(await deletes(id), 404, 'run_not_found');
  expectRefusal(await deletes(run.id, other.key), 404, 'run_not_found');
  const cleaner = await given.key(home.workspace_id, ['runs:delete']);
  expect((await deletes(run.id, cleaner.key)).status).toBe(204);
});

test('its idempotency key is free: the same request, and another one, make a new run', async () => {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const creates = (plan = steps) => when.createsPlanRun(home, plan, {}, headers);
  const made: string[] = [];
  for (const plan of [steps, steps, [when.fetchCompanies], steps]) {
    const { status: code, body } = await creates(plan);
    expect(code).toBe(202);
    await then.ended(home, body.id);
    expect((await creates(plan)).body.id).toBe(body.id);
    made.push(body.id);
    expect((await deletes(body.id)).status).toBe(204);
  }
  expect(new Set(made).size).toBe(made.length);
  const copies = await Promise.all(Array.from({ length: 5 }, () => creates()));
  expect(new Set(copies.map(({ body }) => body.id)).size).toBe(1);
  expect(made).not.toContain(copies[0]?.body.id);
});

test('a key of a query and one of a rerun are free as well', async () => {
  const query = { input_type: 'query', query: 'Companies in Berlin' };
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const source = await ended();
  const bodies = { '/runs': query, [`/runs/${source.id}/rerun-from`]: { step_index: 2 } };
  for (const [path, body] of Object.entries(bodies)) {
    const [first, second] = [0, 1].map(() => call('POST', path, { key: home.key, body, headers }));
    const { id } = (await first)?.body ?? {};
    expect((await second)?.body.id).toBe(id);
    await then.ended(home, id);
    await deletes(id);
    const again = await call('POST', path, { key: home.key, body, headers });
    expect([again.status, again.body.id === id]).toEqual([202, false]);
    expect((await then.ended(home, again.body.id)).status).toBe('succeeded');
  }
});

test('a rerun that still needs a step of it fails; one that has ended keeps all it has', async () => {
  const source = await ended([when.fetchCompanies, when.answer]);
  const done = await then.ended(home, (await when.rerunsFrom(home, source.id, 1)).body.id);
  const other = await ended([when.fetchCompanies, when.answer]);
  await maintenance('start');
  const { id } = (await when.rerunsFrom(home, other.id, 1)).body;
  await deletes(source.id);
  await deletes(other.id);
  await maintenance('end');
  expect(await then.ended(home, id)).toMatchObject({
    status: 'failed',
    errors: [{ code: 'checkpoint_not_found', type: 'not_found', details: { step_index: 1 } }],
  });
  expectRefusal(await when.rerunsFrom(home, done.id, 1), 404, 'checkpoint_not_found', {
    param: 'step_index',
    details: { step_index: 1 },
  });
  expect(await when.readsRun(home, done.id)).toEqual(done);
  for (const artifact of done.artifacts) expect((await reads(`/artifacts/${artifact.id}`)).status).toBe(200);
});

describe('a failed rerun whose source was deleted (rules.md: resume 10)', () => {
  const failing = [when.fetchCompanies, { kind: 'analyze', instructions: '[[fail-once]] compare' }];

  /** A failed rerun of a failed run that is deleted then. */
  async function orphan(step_index: number): Promise<string> {
    const source = await ended(failing);
    const { body } = await call('POST', `/runs/${source.id}/rerun-from`, {
      key: home.key,
      body: { step_index },
    });
    expect((await then.ended(home, body.id)).status).toBe('failed');
    expect((await deletes(source.id)).status).toBe(204);
    return body.id;
  }
  const resumes = (id: string) => call('POST', `/runs/${id}/resume`, { key: home.key, body: {} });

  test('is not resumed while it needs a step of it, and says which', async () => {
    const id = await orphan(1);
    expectRefusal(await resumes(id), 404, 'checkpoint_not_found', { details: { step_index: 0 } });
    expect((await reads(`/runs/${id}`)).body.status).toBe('failed');
  });

  test('is resumed when it needs none', async () => {
    const id = await orphan(0);
    expect((await resumes(id)).status).toBe(202);
    expect((await then.ended(home, id)).status).toBe('succeeded');
  });
});

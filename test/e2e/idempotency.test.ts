// rules.md: idempotency. One key, one run, whatever happens at the same time.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call, type HttpReply } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const planBody = { input_type: 'plan', plan: when.plan({ kind: 'fetch' }) };
const queryBody = { input_type: 'query', query: 'List the companies in Berlin [[tokens:1000000,0,0,0]]' };
/** A step that keeps its run in flight. */
const slow = { kind: 'analyze', instructions: 'Sum up [[delay:5000]]' };
const slowBody = { input_type: 'plan', plan: when.plan(slow) };

let home: given.Home;
let keys = 0;
const newKey = () => `key ${++keys}`;
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
  await given.companies(home.workspace_id);
});

const post = (key: string, body: unknown, as: Pick<given.Home, 'key'> = home) =>
  call('POST', '/runs', { key: as.key, body, headers: { 'Idempotency-Key': key } });

function expectReplayOf(reply: HttpReply, id: string): void {
  expect([reply.status, reply.body.id]).toEqual([200, id]);
  expect(reply.headers.get('idempotency-replayed')).toBe('true');
}

describe('rule 3: the same request again', () => {
  test('answers 200 with the current run, marked as replayed', async () => {
    const key = newKey();
    const first = await post(key, planBody);
    expect(first.status).toBe(202);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await then.ended(home, first.body.id);
    const again = await post(key, planBody);
    expectReplayOf(again, first.body.id);
    expect(again.body).toEqual(await when.readsRun(home, first.body.id));
    expect(again.body.request_id).toBe(first.body.request_id);
  });

  test('is the same in another order and spacing of its JSON', async () => {
    const key = newKey();
    const first = await post(
      key,
      '{"input_type":"plan","plan":{"title":"T","steps":[{"kind":"fetch","title":"A"}]}}',
    );
    const again = await post(
      key,
      '{ "plan": {"steps":[ {"title":"\\u0041","kind":"fetch"} ], "title":"T"},\n"input_type":"plan"}',
    );
    expectReplayOf(again, first.body.id);
  });

  test.each(['failed', 'canceled'])('finds a run that has %s', async (status) => {
    const key = newKey();
    const text = status === 'failed' ? 'x [[fail]]' : 'x [[delay:60000]]';
    const body = { input_type: 'plan', plan: when.plan({ kind: 'analyze', instructions: text }) };
    const first = await post(key, body);
    if (status === 'canceled') await call('POST', `/runs/${first.body.id}/cancel`, { key: home.key });
    else await then.ended(home, first.body.id);
    const again = await post(key, body);
    expectReplayOf(again, first.body.id);
    expect(again.body.status).toBe(status);
  });

  test('is answered though every slot is taken', async () => {
    const full = await given.workspace({ max_concurrent_runs: 1 });
    const key = newKey();
    const first = await post(key, slowBody, full);
    expectRefusal(await post(newKey(), slowBody, full), 429, 'concurrent_runs_exceeded', {
      details: { limit: 1, in_flight: 1 },
    });
    expectReplayOf(await post(key, slowBody, full), first.body.id);
  });
});

describe('rule 4: another request under the same key', () => {
  test.each<[string, object]>([
    ['another plan', { plan: when.plan({ kind: 'fetch' }, { kind: 'fetch' }) }],
    ['a config that changes nothing', { config: {} }],
    ['metadata', { metadata: { a: 'b' } }],
  ])('%s: idempotency_key_conflict', async (_what, change) => {
    const key = newKey();
    const first = await post(key, planBody);
    expectRefusal(await post(key, { ...planBody, ...change }), 409, 'idempotency_key_conflict', {
      param: 'Idempotency-Key',
      details: { original_run_id: first.body.id },
    });
  });

  test('the conflict is reported before a bad callback and before an unclear query', async () => {
    const key = newKey();
    await post(key, planBody);
    for (const body of [
      { ...planBody, callback_url: 'https://10.0.0.1/' },
      { input_type: 'query', query: 'List companies [[ambiguous]]' },
    ])
      expectRefusal(await post(key, body), 409, 'idempotency_key_conflict', { param: 'Idempotency-Key' });
  });

  test('but a body that is wrong in itself is reported first', async () => {
    const key = newKey();
    await post(key, planBody);
    expectRefusal(await post(key, { ...planBody, x: 1 }), 422, 'schema_validation_failed', { param: 'x' });
  });
});

describe('the key', () => {
  test.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['not ASCII', 'clé'],
    ['with a tab', 'a\tb'],
  ])('%s is refused', async (_what, key) => {
    expectRefusal(await post(key, planBody), 422, 'schema_validation_failed', { param: 'Idempotency-Key' });
  });

  test.each([
    ['one character', '!'],
    ['255 characters', '~'.repeat(255)],
  ])('of %s is fine', async (_what, key) => {
    expect((await post(key, planBody)).status).toBe(202);
  });

  test('belongs to its workspace, not to the API key', async () => {
    const key = newKey();
    const first = await post(key, planBody);
    const colleague = await given.key(home.workspace_id, 'all');
    expectReplayOf(await post(key, planBody, colleague), first.body.id);
    const other = await post(key, planBody, await given.workspace());
    expect(other.status).toBe(202);
    expect(other.body.id).not.toBe(first.body.id);
  });

  test('is not used up by a request that made no run', async () => {
    const key = newKey();
    expect((await post(key, { input_type: 'plan' })).status).toBe(422);
    expect((await post(key, { ...planBody, callback_url: 'https://10.0.0.1/' })).status).toBe(422);
    expect((await post(key, { input_type: 'query', query: 'List companies [[ambiguous]]' })).status).toBe(
      422,
    );
    expect((await post(key, { input_type: 'query', query: 'List companies [[fail]]' })).status).toBe(503);
    const full = await given.workspace({ max_concurrent_runs: 1 });
    const running = await post(newKey(), slowBody, full);
    expect((await post(key, planBody, full)).status).toBe(429);
    await call('POST', `/runs/${running.body.id}/cancel`, { key: full.key });
    await then.ended(full, running.body.id);
    expect((await post(key, planBody, full)).status).toBe(202);
    expect((await post(key, planBody)).status).toBe(202);
  });

  test('without one every request makes its own run', async () => {
    const made = await Promise.all(
      [1, 2, 3].map(() => call('POST', '/runs', { key: home.key, body: planBody })),
    );
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(3);
  });
});

describe('50 posts at once with one key', () => {
  test.each<[string, object]>([
    ['plan', planBody],
    ['query', queryBody],
    [
      'dossier',
      { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'crm:acme' } } },
    ],
  ])('of a %s: one 202, 49 times 200, one run', async (_what, body) => {
    const own = await given.workspace({ max_concurrent_runs: 1 });
    await given.companies(own.workspace_id);
    const key = newKey();
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(key, body, own)));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(202), count(200)]).toEqual([1, 49]);
    const [id, ...others] = new Set(replies.map((reply) => reply.body.id));
    expect(others).toEqual([]);
    expect((await call('GET', '/runs', { key: own.key })).body.data).toHaveLength(1);
    const types = await then.eventTypes(own, String(id));
    expect(types.filter((type) => type === 'run.created')).toHaveLength(1);
  });

  test('of a query ask the model once', async () => {
    const own = await given.workspace({ daily_cost_cap_usd: 1.5 });
    const key = newKey();
    await Promise.all(Array.from({ length: 20 }, () => post(key, queryBody, own)));
    // One understanding costs 1 USD: a second one would have reached the cap.
    expect((await post(newKey(), planBody, own)).status).toBe(202);
  });

  test('with two bodies: one body wins, the other gets 409 with the run of the winner', async () => {
    const key = newKey();
    const bodies = [planBody, { ...planBody, metadata: { a: 'b' } }];
    const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => post(key, bodies[i % 2])));
    const made = replies.filter(({ status }) => status === 202);
    expect(made).toHaveLength(1);
    const id = made[0]?.body.id;
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(19).fill(200), 202, ...Array(20).fill(409)]);
    for (const { status, body } of replies)
      expect(status === 409 ? body.error.details.original_run_id : body.id).toBe(id);
  });
});

// rules.md: jobs 5 to 8, 14. What is refused of a job, with its place; the job stays as it was.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun } from '../support/when.ts';
import { say, type Told, type Worker, worker } from '../support/worker.ts';

let home: given.Home;
let scorer: Worker;
beforeAll(async () => {
  home = await given.workspace();
  scorer = await worker(home);
});
afterAll(() => scorer.close());

/** A run that waits for a job, and what its worker is told. */
async function asked(): Promise<Told> {
  const { id } = (
    await createsPlanRun(home, [{ kind: 'fetch', params: { source: scorer.name, limit: 10_000 } }])
  ).body;
  return scorer.job(id);
}

const by = (key: string | undefined, { job_id }: Told, verb = 'progress', body: unknown = {}) =>
  call('POST', `/jobs/${job_id}/${verb}`, { ...(key !== undefined && { key }), body });

const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ name: `item ${from + i}` }));

describe('who may answer for a job', () => {
  let told: Told;
  beforeAll(async () => {
    told = await asked();
  });

  test('a token that is forged, cut, or of another job is no token of this one', async () => {
    const other = await asked();
    const [claims, mac] = String(told.token).split('.');
    const forged = Buffer.from(String(claims), 'base64url').toString().replace(told.job_id, other.job_id);
    for (const token of [
      other.token,
      `${Buffer.from(forged).toString('base64url')}.${mac}`,
      told.token.slice(0, -1),
      `${told.token}A`,
      'x',
    ])
      for (const [method, path] of [
        ['POST', 'progress'],
        ['POST', 'complete'],
        ['GET', ''],
      ] as const) {
        const reply = await call(method, `/jobs/${told.job_id}${path && `/${path}`}`, {
          key: token,
          ...(method === 'POST' && { body: {} }),
        });
        expectRefusal(reply, 401, 'auth_invalid');
      }
    expectRefusal(await by(undefined, told), 401, 'auth_missing');
  });

  test('the token of a job is good for this job alone', async () => {
    expect((await call('GET', `/jobs/${told.job_id}`, { key: told.token })).body.job_id).toBe(told.job_id);
    for (const path of ['/jobs', `/runs/${told.run_id}`, `/runs/${told.run_id}/events`, '/me'])
      expect((await call('GET', path, { key: told.token })).status).toBe(401);
    expect((await call('POST', `/runs/${told.run_id}/cancel`, { key: told.token })).status).toBe(401);
  });

  test('a key needs runs:create to answer and runs:read to look', async () => {
    const { key: reader } = await given.key(home.workspace_id, ['runs:read']);
    const { key: creator } = await given.key(home.workspace_id, ['runs:create']);
    for (const verb of ['progress', 'items', 'complete', 'fail'])
      expectRefusal(await by(reader, told, verb), 403, 'forbidden_feature');
    expectRefusal(await call('GET', `/jobs/${told.job_id}`, { key: creator }), 403, 'forbidden_feature');
    expectRefusal(await call('GET', '/jobs', { key: creator }), 403, 'forbidden_feature');
    expect((await by(creator, told)).body).toEqual({ status: 'open' });
    expect((await call('GET', `/jobs/${told.job_id}`, { key: reader })).body.status).toBe('open');
  });

  test('a key of another workspace, and an id that is none, find no job', async () => {
    const { key } = await given.workspace();
    for (const verb of ['progress', 'complete'])
      expectRefusal(await by(key, told, verb), 404, 'job_not_found');
    expectRefusal(await call('GET', `/jobs/${told.job_id}`, { key }), 404, 'job_not_found');
    const { run_id } = told;
    for (const job_id of [`${run_id}-0-0-2`, `${run_id}-1-0-1`, run_id, 'nothing', `${told.job_id}-1`])
      for (const reply of [
        await by(home.key, { job_id }),
        await call('GET', `/jobs/${job_id}`, { key: home.key }),
      ])
        expectRefusal(reply, 404, 'job_not_found');
  });
});

describe('a message that does not hold', () => {
  let told: Told;
  beforeAll(async () => {
    told = await asked();
  });
  const lone = '\ud800';

  test.each([
    ['complete', { items: [{ name: 'a', fields: [] }] }, 'items.0.fields'],
    ['complete', { items: [{ name: 'a', id: {} }] }, 'items.0.id'],
    ['complete', { items: [{ name: 'a', score: 1 }] }, 'items.0.score'],
    ['complete', { items: [{ name: 'a' }, { name: 'b', fields: { x: lone } }] }, 'items.1.fields.x'],
    ['complete', { items: {} }, 'items'],
    ['complete', { items: [], more: 1 }, 'more'],
    ['complete', { answer: {} }, 'answer'],
    ['complete', { usage: { cost_usd: -1 } }, 'usage.cost_usd'],
    ['complete', { usage: { cost_usd: 1e30 } }, 'usage.cost_usd'],
    ['complete', { usage: { cost_usd: 1e-13 } }, 'usage.cost_usd'],
    ['complete', { usage: { cost_usd: '1' } }, 'usage.cost_usd'],
    ['complete', { usage: { input_tokens: 1.5 } }, 'usage.input_tokens'],
    ['complete', { usage: { output_tokens: 1e30 } }, 'usage.output_tokens'],
    ['complete', { usage: { tokens: 1 } }, 'usage.tokens'],
    ['fail', { message: '', retry: true }, 'message'],
    ['fail', { message: 'x'.repeat(501), retry: true }, 'message'],
    ['fail', { message: 'no', retry: false, usage: { cost_usd: -1 } }, 'usage.cost_usd'],
    ['progress', { message: 'x'.repeat(501) }, 'message'],
    ['progress', { items_done: -1 }, 'items_done'],
    ['progress', { items_total: 1e30 }, 'items_total'],
    ['items', { page: 20, items: [] }, 'page'],
    ['items', { page: -1, items: [] }, 'page'],
    ['items', { page: 0, items: [{ name: '' }] }, 'items.0.name'],
    ['items', { page: 0, items: [{ name: 'a', fields: { x: lone } }] }, 'items.0.fields.x'],
  ])('%s %j is refused at %s', async (verb, body, param) => {
    expectRefusal(await say(told, verb, body), 422, 'schema_validation_failed', { param });
  });

  test.each([
    ['fail', { retry: true }, 'message'],
    ['fail', { message: 'no' }, 'retry'],
    ['items', { items: [] }, 'page'],
    ['items', { page: 0 }, 'items'],
    ['complete', { items: [{ name: 'a' }, { fields: {} }] }, 'items.1.name'],
  ])('%s %j lacks %s', async (verb, body, param) => {
    expectRefusal(await say(told, verb, body), 422, 'missing_required_field', { param });
  });

  test('an item that could be no record is shown as it was sent', async () => {
    const item = { name: 'a', fields: { n: 1e200 } };
    const { body } = await say(told, 'complete', { items: [{ name: 'b' }, item] });
    expect(body.error.details.issues).toMatchObject([
      { path: ['items', 1], received: JSON.stringify(item), message: expect.stringContaining('fields') },
    ]);
  });

  test('a number that a double does not keep is refused, and so is what is no JSON', async () => {
    const inexact = '{"items":[{"name":"a","fields":{"n":12345678901234567890}}]}';
    expectRefusal(await say(told, 'complete', inexact), 422, 'schema_validation_failed', {
      param: 'items.0.fields.n',
    });
    expectRefusal(await say(told, 'complete', '{"usage":{"cost_usd":NaN}}'), 400, 'invalid_json');
    expectRefusal(await say(told, 'complete', ''), 400, 'invalid_json');
  });

  test('a body of 1 MB and one byte is too large; one of 1 MB is taken', async () => {
    const padded = (bytes: number) => {
      const body = JSON.stringify({ page: 19, items: [] });
      return body + ' '.repeat(bytes - body.length);
    };
    for (const verb of ['progress', 'items', 'complete', 'fail'])
      expectRefusal(await say(told, verb, padded(1_048_577)), 413, 'payload_too_large');
    expect((await say(told, 'items', padded(1_048_576))).body).toEqual({ status: 'open' });
  });

  test('10,000 items are taken in all, with those of pages', async () => {
    expect((await say(told, 'items', { page: 7, items: items(9000) })).status).toBe(200);
    for (const [verb, body] of [
      ['items', { page: 8, items: items(1001) }],
      ['complete', { items: items(1001) }],
      ['complete', { items: items(10_001) }],
    ] as const)
      expectRefusal(await say(told, verb, body), 422, 'schema_validation_failed', { param: 'items' });
  });

  test('after all that the job is as it was, and completes', async () => {
    const job = (await call('GET', `/jobs/${told.job_id}`, { key: home.key })).body;
    expect(job).toMatchObject({ status: 'open' });
    expect(job).not.toHaveProperty('cost_usd');
    expect((await say(told, 'complete', { items: items(1000, 9000) })).body).toEqual({ accepted: true });
    const run = await then.ended(home, told.run_id);
    expect(run).toMatchObject({ status: 'succeeded', steps: [{ items_out: 10_000 }] });
    expect(run.usage).not.toHaveProperty('jobs');
  });
});

test('two messages at once: one ends the job, and its usage counts once', async () => {
  const told = await asked();
  const usage = { cost_usd: 0.010000000001, input_tokens: 5 };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => say(told, 'complete', { items: items(1), usage })),
  );
  expect(replies.map(({ body }) => body.accepted).sort()).toEqual([false, false, false, false, true]);
  const run = await then.ended(home, told.run_id);
  expect(run.usage).toMatchObject({ jobs: { count: 1, cost_usd: 0.010000000001 }, cost_usd: 0.010000000001 });
  expectRefusal(await say(told, 'fail', { message: 'late', retry: true }), 409, 'job_over', {
    details: { status: 'completed' },
  });
  expectRefusal(await say(told, 'items', { page: 3, items: [] }), 409, 'job_over');
  expectRefusal(await call('GET', `/jobs/${told.job_id}`, { key: told.token }), 409, 'job_over');
});

test('what is wrong with a message is said of an open job alone (jobs 15)', async () => {
  const told = await asked();
  const wrong: [verb: string, body: unknown][] = [
    ['progress', { items_done: -1 }],
    ['items', { page: 20 }],
    ['complete', { items: 'whatever', usage: -1 }],
    ['fail', '{'],
  ];
  for (const [verb, body] of wrong) {
    expectRefusal(await by(home.key, { job_id: `${told.job_id}9` }, verb, body), 404, 'job_not_found');
    expect((await say(told, verb, body)).status).toBe(verb === 'fail' ? 400 : 422);
  }
  expect((await say(told, 'complete', {})).body).toEqual({ accepted: true });
  for (const [verb, body] of wrong)
    if (verb === 'complete') expect((await say(told, verb, body)).body).toEqual({ accepted: false });
    else expectRefusal(await say(told, verb, body), 409, 'job_over', { details: { status: 'completed' } });
});

test('progress repeats the numbers that a message leaves out (jobs 14)', async () => {
  const told = await asked();
  await say(told, 'progress', { items_done: 1, items_total: 9 });
  await say(told, 'progress', { items_done: 4 });
  const numbers = await until('words without numbers', async () => {
    await say(told, 'progress', { message: 'still at work' });
    const log = (await call('GET', `/runs/${told.run_id}/events?limit=100`, { key: home.key })).body.data;
    return log.find(({ data }: { data: { message?: string } }) => data.message !== undefined)?.data;
  });
  expect(numbers).toMatchObject({ message: 'still at work', items_done: 4, items_total: 9 });
  await say(told, 'complete', {});
});

test('progress becomes events at most one a second, escaped as a source is', async () => {
  const told = await asked();
  const sent = { message: 'half\u0007 way', items_done: 1, items_total: 2 };
  for (const body of [sent, { ...sent, items_done: 2 }])
    expect((await say(told, 'progress', body)).body).toEqual({ status: 'open' });
  await say(told, 'complete', {});
  await then.ended(home, told.run_id);
  const log = (await call('GET', `/runs/${told.run_id}/events?limit=100`, { key: home.key })).body.data;
  const progress = log.filter((one: { event_type: string }) => one.event_type === 'step.progress');
  expect(progress[0].data).toEqual({
    ...{ step_index: 0, kind: 'fetch', message: 'half way' },
    ...{ items_done: 1, items_total: 2 },
  });
  expect(progress.length).toBeLessThanOrEqual(2);
});

test('the jobs of a deleted run are not found, and in no list', async () => {
  const told = await asked();
  await call('POST', `/runs/${told.run_id}/cancel`, { key: home.key });
  await then.ended(home, told.run_id);
  await until('the list', async () => {
    const { data } = (await call('GET', '/jobs?status=canceled', { key: home.key })).body;
    return data.some(({ job_id }: Told) => job_id === told.job_id) || undefined;
  });
  expect((await call('DELETE', `/runs/${told.run_id}`, { key: home.key })).status).toBe(204);
  const { data } = (await call('GET', '/jobs?limit=100', { key: home.key })).body;
  expect(data.map(({ job_id }: Told) => job_id)).not.toContain(told.job_id);
  const ofRun = await call('GET', `/jobs?run_id=${told.run_id}`, { key: home.key });
  expect([ofRun.status, ofRun.body.data]).toEqual([200, []]);
  for (const key of [told.token, home.key]) {
    expectRefusal(await by(key, told), 404, 'job_not_found');
    expectRefusal(await call('GET', `/jobs/${told.job_id}`, { key }), 404, 'job_not_found');
  }
});

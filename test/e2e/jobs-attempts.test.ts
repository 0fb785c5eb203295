// rules.md: jobs 6 to 11. The attempts of a job, its clock, and what a resume asks again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { status } from '../support/live-source.ts';
import { admin, call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import { answer, createsPlanRun, readsRun, resumes } from '../support/when.ts';
import { say, type Worker, worker } from '../support/worker.ts';

let home: given.Home;
const workers: Worker[] = [];
async function hires(...[settings, reply]: [settings?: object, reply?: Parameters<typeof worker>[2]]) {
  const one = await worker(home, { entity_type: 'score', ...settings }, reply);
  workers.push(one);
  return one;
}
beforeAll(async () => {
  home = await given.workspace();
});
afterAll(() => {
  for (const one of workers) one.close();
});

const asks = (source: string) => ({ kind: 'fetch', title: 'Score', params: { source } });
const item = (name: string) => ({ name, fields: { score: 1 } });

test('a failure with retry is followed by the next attempt, and the last one fails the step', async () => {
  const scorer = await hires({ attempts: 2 });
  const { id } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  const first = await scorer.job(id);
  const failure = { message: 'the model\u0007 is away', retry: true, usage: { cost_usd: 0.5 } };
  expect((await say(first, 'fail', failure)).body).toEqual({ accepted: true });
  expect((await say(first, 'fail', failure)).body).toEqual({ accepted: false });
  const second = await scorer.job(id, 1);
  expect(second).toMatchObject({ attempt: 2, deadline_at: first.deadline_at });
  expect([second.job_id, second.token]).not.toEqual([first.job_id, first.token]);
  expect((await say({ ...second, token: first.token }, 'complete', {})).body.error.code).toBe('auth_invalid');
  expect((await say(first, 'progress', {})).body.error.details).toEqual({ status: 'failed' });
  await say(second, 'fail', failure);
  const run = await then.ended(home, id);
  expect(run).toMatchObject({
    status: 'failed',
    resumable: true,
    usage: { jobs: { count: 2, cost_usd: 1 }, cost_usd: 1 },
  });
  expect(run.usage).not.toHaveProperty('simulated');
  expect(run.errors.at(-1)).toMatchObject({
    code: 'source_failed',
    details: { source: scorer.name, reason: 'job', message: 'the model is away', step_index: 0 },
  });
  await then.soundLog(home, id);
});

test('a worker that refuses the job fails the step; one that is busy is asked again', async () => {
  const refuses = await hires({}, () => status(403));
  const busy = await hires({}, (_, number) => status(number === 0 ? 503 : 204));
  const [refused, taken] = await Promise.all([
    createsPlanRun(home, [asks(refuses.name)]),
    createsPlanRun(home, [asks(busy.name)]),
  ]);
  expect((await then.ended(home, refused.body.id)).errors.at(-1).details).toMatchObject({
    reason: 'status',
    status_code: 403,
  });
  const [, again] = await until('the second try', async () => {
    const all = busy.told('job.requested', taken.body.id);
    return all.length === 2 ? all : undefined;
  });
  expect(again).toEqual(busy.told('job.requested', taken.body.id)[0]);
  await say(again, 'complete', { items: [item('a')] });
  expect(await then.ended(home, taken.body.id)).toMatchObject({ status: 'succeeded' });
});

test('a worker that is done, though its answer was lost, is not asked again', async () => {
  const scorer = await hires({}, ({ body }) => async (response) => {
    if (body.event === 'job.requested') await say(body, 'complete', { items: [item('done')] });
    status(500)(response);
  });
  const { id } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', steps: [{ items_out: 1 }] });
  expect(scorer.told('job.requested', id)).toHaveLength(1);
  await then.soundLog(home, id);
});

test('a worker whose answer never came learns that its run has closed the job', async () => {
  const scorer = await hires({}, ({ body }) =>
    body.event === 'job.requested' ? () => undefined : status(204),
  );
  const { id } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  const told = await scorer.job(id);
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  await until('the message', async () =>
    scorer.told('job.canceled').find((one) => one.job_id === told.job_id),
  );
});

test.each([
  ['of the run', {}, { timeout_seconds: 1 }, 'run_timed_out'],
  ['of the job', { timeout_seconds: 10 }, {}, 'source_failed'],
])(
  'a deadline %s ends the call of a worker that does not answer',
  async (_, settings, config, code) => {
    const scorer = await hires(settings, ({ body }) =>
      body.event === 'job.requested' ? () => undefined : status(204),
    );
    const { id } = (await createsPlanRun(home, [asks(scorer.name)], { config })).body;
    const run = await then.ended(home, id, 40_000);
    expect(run.errors.at(-1).code).toBe(code);
    expect(scorer.told('job.requested', id)).toHaveLength(1);
    const { data } = (await call('GET', `/runs/${id}/events?limit=100`, { key: home.key })).body;
    expect(data.map((one: { event_type: string }) => one.event_type)).not.toContain('step.retrying');
  },
  60_000,
);

test('a worker never hears of an attempt that is canceled before its time', async () => {
  const scorer = await hires();
  const { id } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  await say(await scorer.job(id), 'fail', { message: 'no', retry: true });
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  const { id: next } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  await scorer.job(next);
  await call('POST', `/runs/${next}/cancel`, { key: home.key });
  const [first] = await until('a message', async () => {
    const all = scorer.told('job.canceled');
    return all.length > 0 ? all : undefined;
  });
  expect(first.job_id).toContain(next);
});

test('a job that is open when its source becomes one of another kind goes on', async () => {
  const scorer = await hires();
  const run = async () => (await createsPlanRun(home, [asks(scorer.name)])).body.id;
  const [first, second] = [await run(), await run()];
  const [done, fails] = [await scorer.job(first), await scorer.job(second)];
  const { workspace_id } = home;
  const source = { kind: 'http' as const, name: scorer.name, url: scorer.url };
  await admin({ command: 'source.update', workspace_id, name: scorer.name, source });
  await say(done, 'complete', { items: [item('from the worker')] });
  expect(await then.ended(home, first)).toMatchObject({ status: 'succeeded' });
  const { data } = (await call('GET', `/runs/${first}/steps/0/items`, { key: home.key })).body;
  expect(data).toMatchObject([{ name: 'from the worker' }]);
  await say(fails, 'fail', { message: 'no', retry: true });
  const { errors } = await then.ended(home, second);
  expect(errors.at(-1)).toMatchObject({ code: 'source_failed', details: { reason: 'address' } });
});

test('a missed heartbeat replaces the job, and its run goes on with the next attempt', async () => {
  const scorer = await hires({ heartbeat_seconds: 10, attempts: 2 });
  const { id } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  const first = await scorer.job(id);
  const second = await until('the next attempt', async () => scorer.told('job.requested', id)[1], 40_000);
  expect(second).toMatchObject({ attempt: 2 });
  expect((await say(first, 'complete', {})).body.error.details).toEqual({ status: 'replaced' });
  await until('the message', async () =>
    scorer.told('job.canceled').find((one) => one.job_id === first.job_id),
  );
  await say(second, 'items', { page: 1, items: [item('b')] });
  await say(second, 'items', { page: 0, items: [item('a')] });
  await say(second, 'items', { page: 0, items: [item('other')] });
  await say(second, 'complete', { items: [item('c')] });
  const run = await then.ended(home, id);
  expect(run.steps[0]).toMatchObject({ status: 'completed', items_out: 3 });
  const { data } = (await call('GET', `/runs/${id}/steps/0/items`, { key: home.key })).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
}, 60_000);

test('a job that is past its time ends its step, and takes nothing more', async () => {
  const scorer = await hires({ timeout_seconds: 10 });
  const { id } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  const told = await scorer.job(id);
  const run = await then.ended(home, id, 40_000);
  expect(run.errors.at(-1)).toMatchObject({ code: 'source_failed', details: { reason: 'timeout' } });
  expect((await say(told, 'complete', {})).body.error.details).toEqual({ status: 'timed_out' });
}, 60_000);

test('the deadline of a run ends its job', async () => {
  const scorer = await hires();
  const config = { timeout_seconds: 2 };
  const { id } = (await createsPlanRun(home, [asks(scorer.name)], { config })).body;
  const told = await scorer.job(id);
  await until('the deadline', async () => (await say(told, 'progress', {})).status === 409 || undefined);
  const listed = await call('GET', `/jobs?run_id=${id}`, { key: home.key });
  expect(listed.body.data).toMatchObject([{ status: 'timed_out' }]);
  const run = await then.ended(home, id, 40_000);
  expect(run.errors.at(-1)).toMatchObject({ code: 'run_timed_out' });
  expect((await say(told, 'complete', {})).body.error.details).toEqual({ status: 'timed_out' });
  await until('the message', async () =>
    scorer.told('job.canceled').find((one) => one.job_id === told.job_id),
  );
  await then.soundLog(home, id);
}, 60_000);

test('a resume asks only for what did not complete', async () => {
  const [done, failing] = [await hires(), await hires({ attempts: 1 })];
  const { id } = (await createsPlanRun(home, [asks(done.name), asks(failing.name), answer])).body;
  await say(await done.job(id), 'complete', { items: [item('kept')] });
  await say(await failing.job(id), 'fail', { message: 'no', retry: true });
  expect(await then.ended(home, id)).toMatchObject({ status: 'failed' });
  expect((await resumes(home, id)).status).toBe(202);
  const again = await failing.job(id, 1);
  expect(again).toMatchObject({ attempt: 1 });
  await say(again, 'complete', { items: [item('late')] });
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded' });
  expect(done.told('job.requested', id)).toHaveLength(1);
  await then.soundLog(home, id);
});

test('caps are looked at before a job is sent', async () => {
  const scorer = await hires();
  const config = { max_cost_usd: 0.1 };
  const { id } = (await createsPlanRun(home, [asks(scorer.name), asks(scorer.name)], { config })).body;
  await say(await scorer.job(id), 'complete', { usage: { cost_usd: 0.2 } });
  const run = await then.ended(home, id);
  expect(run.errors.at(-1)).toMatchObject({ code: 'cost_threshold_exceeded', details: { step_index: 1 } });
  expect(scorer.told('job.requested', id)).toHaveLength(1);
  expect((await readsRun(home, id)).usage.cost_usd).toBe(0.2);
});

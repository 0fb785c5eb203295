// rules.md: steps 14. A step that needs longer than one invocation continues in the next.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let short: OwnService;
let single: OwnService;
beforeAll(async () => {
  short = await ownService({ SLICE_MS: '1', MAX_PARALLEL_CALLS: '4' });
  single = await ownService({ STEPS_PER_SLICE: '1' });
});
afterAll(async () => {
  await short?.stop();
  await single?.stop();
});

const table = { kind: 'reconstitute', params: { expected_artifacts: ['table'] } };
const fetchAll = (limit = 10_000) => ({ kind: 'fetch', params: { source: 'companies', limit } });
const transform = (instructions: string, params: Record<string, unknown> = {}) => ({
  kind: 'transform',
  instructions,
  params,
});
const slicesOf = (service: OwnService) => service.runtime.lambda.counts().ExecuteSteps ?? 0;
const stepsStarted = async (home: Parameters<typeof when.readsLog>[0], id: string) =>
  (await then.eventTypes(home, id)).filter((type) => type === 'step.started').length;

test('steps over many slices: each call is made once, each step starts once', async () => {
  const home = await short.home({ companies: 60 });
  const before = slicesOf(short);
  const { id } = (
    await when.createsPlanRun(home, [
      fetchAll(),
      { kind: 'filter', instructions: 'Company' },
      transform('sum up'),
      table,
    ])
  ).body;
  const run = await then.ended(home, id);
  await then.soundLog(home, id);
  expect(run).toMatchObject({ status: 'succeeded', errors: [] });
  expect(slicesOf(short) - before).toBeGreaterThan(10);
  expect(run.usage.calls).toBe(3 + run.steps[1].items_out + 1);
  expect(await stepsStarted(home, id)).toBe(4);
  expect(run.artifacts).toMatchObject([{ row_count: run.steps[1].items_out }]);
});

test('one step a slice is the same run, one invocation a step', async () => {
  const home = await single.home();
  const before = slicesOf(single);
  const { id } = (await when.createsPlanRun(home, [fetchAll(), when.keepBerlin, table])).body;
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', usage: { calls: 2 } });
  expect(slicesOf(single) - before).toBe(3);
  await then.soundLog(home, id);
});

test('a query is planned once, however short the slices', async () => {
  const home = await short.home();
  const reply = await call('POST', '/runs', {
    key: home.key,
    access: home.access,
    body: { input_type: 'query', query: 'Which companies are in Berlin?' },
  });
  const run = await then.ended(home, reply.body.id);
  expect(run.status).toBe('succeeded');
  await then.soundLog(home, run.id);
});

test('step.progress counts the items done, grows, and comes at most once a second', async () => {
  const home = await single.home({ companies: 30 });
  const { id } = (await when.createsPlanRun(home, [fetchAll(), transform('[[delay:700]] sum up')])).body;
  await then.ended(home, id);
  const log = await when.readsLog(home, id);
  const progress = log.filter(({ event_type }) => event_type === 'step.progress');
  expect(progress.length).toBeGreaterThan(0);
  const done = progress.map(({ data }) => Number(Reflect.get(Object(data), 'items_done')));
  expect(done).toEqual([...new Set(done)].sort((left, right) => left - right));
  expect(done.every((count) => count > 0 && count < 30)).toBe(true);
  for (const { data } of progress)
    expect(data).toMatchObject({ step_index: 1, kind: 'transform', items_total: 30 });
  const times = progress.map(({ occurred_at }) => Number(occurred_at));
  for (const [i, at] of times.slice(1).entries()) expect(at - (times[i] ?? 0)).toBeGreaterThanOrEqual(900);
});

test('a transform fails for single items over slices, and each is reported once', async () => {
  const home = await short.home({ companies: 20 });
  const { id } = (
    await when.createsPlanRun(home, [fetchAll(), transform('[[fail-item:2]] [[fail-item:17]] sum up')])
  ).body;
  const run = await then.ended(home, id);
  expect(run.status).toBe('succeeded');
  expect(run.errors.map(({ details }: { details: { item_index: number } }) => details.item_index)).toEqual([
    2, 17,
  ]);
  expect(run.warnings).toMatchObject([{ code: 'partial_failure', details: { failed: 2, total: 20 } }]);
  expect(run.usage.calls).toBe(18);
});

test('transient failures are counted over slices, and what they cost is counted once', async () => {
  const home = await short.home({ companies: 9 });
  const { id } = (
    await when.createsPlanRun(home, [fetchAll(), transform('[[transient:2]] [[tokens:10,0,1,0]] sum up')])
  ).body;
  const run = await then.ended(home, id);
  expect(run).toMatchObject({ status: 'succeeded', errors: [], usage: { calls: 9, input_tokens: 90 } });
  const retries = (await then.eventTypes(home, id)).filter((type) => type === 'step.retrying');
  expect(retries).toHaveLength(2);
});

test('cancel in a step of many slices: the step is done to its end, billed, and named', async () => {
  const home = await short.home({ companies: 12, credits: 1000 });
  const { id } = (await when.createsPlanRun(home, [fetchAll(), transform('[[delay:700]] sum up'), table]))
    .body;
  const cancel = (run: string) => call('POST', `/runs/${run}/cancel`, { key: home.key, access: home.access });
  // A function that starts for the first time may take longer than the step.
  await cancel('none');
  await then.event(home, id, 'step.started', { step_index: 1 });
  await cancel(id);
  const run = await then.ended(home, id);
  await then.soundLog(home, id);
  expect(run.steps.map(({ status }: { status: string }) => status)).toEqual([
    'completed',
    'completed',
    'canceled',
  ]);
  expect(run.errors).toMatchObject([{ code: 'canceled_by_user', details: { step_index: 1 } }]);
  expect(run.usage).toMatchObject({ calls: 12, credits_used: 14 });
});

test('a failed filter over slices is resumed with the batches it has', async () => {
  const home = await short.home({ companies: 60 });
  const { id } = (
    await when.createsPlanRun(home, [fetchAll(), { kind: 'filter', instructions: 'Company [[fail-once]]' }])
  ).body;
  expect((await then.ended(home, id)).status).toBe('failed');
  await call('POST', `/runs/${id}/resume`, { key: home.key, access: home.access });
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', usage: { calls: 3 } });
  await then.soundLog(home, id);
});

test('unlimited_transform takes 300 items over slices, one call each', async () => {
  const home = await short.home({ companies: 300 });
  const before = slicesOf(short);
  const reply = await when.createsPlanRun(
    home,
    [fetchAll(), transform('sum up [[tokens:7,0,0,0]]', { limit: 5000 })],
    { config: { unlimited_transform: true } },
  );
  const run = await then.ended(home, reply.body.id, 100_000);
  expect(run).toMatchObject({
    status: 'succeeded',
    errors: [],
    usage: { calls: 300, input_tokens: 2100 },
  });
  expect(run.steps[1].items_out).toBe(300);
  expect(slicesOf(short) - before).toBeGreaterThan(10);
  await then.soundLog(home, run.id);
}, 120_000);

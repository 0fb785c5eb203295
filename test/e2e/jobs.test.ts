// rules.md: jobs. Over HTTP, with a worker on loopback.
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call, sharedService, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import { answer, createsPlanRun, fetchCompanies, readsRun } from '../support/when.ts';
import { say, type Worker, worker } from '../support/worker.ts';

let home: given.Home;
let scorer: Worker;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  scorer = await worker(home, { entity_type: 'score' });
});
afterAll(() => scorer.close());

const asks = (source: string, params: object = {}) => ({
  kind: 'fetch',
  title: 'Score',
  instructions: 'Score each company.',
  params: { source, ...params },
});

const waitsFor = (id: string) =>
  until('the wait for a job', async () => {
    const run = await readsRun(home, id);
    return run.waiting?.reason === 'job' ? run : undefined;
  });

test('a fetch of a worker tells it of a job, waits, and goes on with the items that complete it', async () => {
  const { id } = (
    await createsPlanRun(home, [fetchCompanies, asks(scorer.name, { context_step_ids: [0] }), answer])
  ).body;
  const told = await scorer.job(id);
  expect(told).toMatchObject({
    ...{ event: 'job.requested', run_id: id, step_index: 1, attempt: 1, source: scorer.name },
    ...{ title: 'Score', instructions: 'Score each company.', query: '', limit: 100 },
    job_url: `${sharedService().base_url}/jobs/${told.job_id}`,
    traceparent: expect.stringMatching(/^00-/),
  });
  expect(told.items[0]).toEqual({
    ...{ id: expect.any(String), name: expect.any(String), type: 'company', fields: expect.any(Object) },
  });
  const waiting = await waitsFor(id);
  expect(waiting).toMatchObject({
    status: 'running',
    waiting: { reason: 'job', step_index: 1, source: scorer.name, job_id: told.job_id },
  });
  const usage = { cost_usd: 0.25, input_tokens: 100, output_tokens: 10 };
  const items = told.items.map(({ id, name }: { id: string; name: string }, i: number) => ({
    ...{ id, name, fields: { score: i } },
  }));
  expect((await say(told, 'complete', { items, usage })).body).toEqual({ accepted: true });
  const run = await then.ended(home, id);
  expect(run).toMatchObject({
    status: 'succeeded',
    waiting: null,
    usage: { jobs: { count: 1, cost_usd: 0.25 }, cost_usd: expect.any(Number) },
  });
  expect(run.steps[1]).toMatchObject({ items_out: items.length });
  expect((await say(told, 'complete', { items: [] })).body).toEqual({ accepted: false });
  await then.soundLog(home, id);
});

test('a canceled run closes its job at once, tells the worker once, and takes nothing more', async () => {
  const { id } = (await createsPlanRun(home, [asks(scorer.name)])).body;
  const told = await scorer.job(id);
  await waitsFor(id);
  expect((await call('POST', `/runs/${id}/cancel`, { key: home.key })).body.status).toBe('canceled');
  const { status, body } = await say(told, 'complete', { items: [] });
  expect([status, body.error.code, body.error.details]).toEqual([409, 'job_over', { status: 'canceled' }]);
  await until('the message', async () =>
    scorer.told('job.canceled').find(({ job_id }) => job_id === told.job_id),
  );
  expect((await readsRun(home, id)).waiting).toBeNull();
  await then.soundLog(home, id);
});

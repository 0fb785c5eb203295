// rules.md: jobs 1, 3, 12, 13. Questions to people, the list of jobs, and the files of their sources.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuestionRequested } from '../../functions/contract/jobs.ts';
import * as given from '../support/given.ts';
import { type LiveSource, liveSource, setUp, status } from '../support/live-source.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun, fetchCompanies, plan } from '../support/when.ts';
import { say, type Told, type Worker, worker } from '../support/worker.ts';

const question = {
  kind: 'person' as const,
  name: 'approval',
  title: 'May this go out?',
  instructions: 'Look at each company.',
  schema: {
    type: 'object',
    properties: {
      approved: { type: 'boolean' },
      tier: { enum: ['a', 'b'] },
      tags: { type: 'array', items: { type: 'string' } },
      score: { type: 'number', maximum: 10 },
    },
    required: ['approved'],
  },
};

let home: given.Home;
let notified: LiveSource;
let scorer: Worker;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  notified = await liveSource(() => status(204));
  await setUp(home, { ...question, notify_url: notified.url } as Parameters<typeof setUp>[1]);
  scorer = await worker(home, { name: 'scorer' });
});
afterAll(() => {
  notified.close();
  scorer.close();
});

const asks = (source: string, params: object = {}) => ({ kind: 'fetch', params: { source, ...params } });

/** A run that waits for a person: the notification, and the token of its link. */
async function askedPerson(): Promise<Told> {
  const steps = [fetchCompanies, asks('approval', { context_step_ids: [0] })];
  const { id } = (await createsPlanRun(home, steps)).body;
  const told = await until('the question', async () =>
    notified.asked.map(({ body }) => body).find(({ run_id }) => run_id === id),
  );
  return { ...told, token: new URL(told.answer_url).hash.replace('#token=', '') };
}

test('a person is asked by a link without a key, and the answer is one item', async () => {
  const told = await askedPerson();
  const { token: _, ...sent } = told;
  expect(QuestionRequested.parse(sent)).toMatchObject({ title: question.title, source: 'approval' });
  const { pathname } = new URL(told.answer_url);
  expect(pathname).toBe(`/console/jobs/${told.job_id}`);
  const job = (await call('GET', `/jobs/${told.job_id}`, { key: told.token })).body;
  expect(job).toMatchObject({
    ...{ kind: 'person', status: 'open', title: question.title, instructions: question.instructions },
    schema: { properties: { approved: { type: 'boolean' } } },
  });
  expect(job.items_in).toHaveLength(told.items.length);
  expect(JSON.stringify(job)).not.toContain(told.token);
  for (const [answer, param] of [
    [undefined, 'answer'],
    [{}, 'answer.approved'],
    [{ approved: 'yes' }, 'answer.approved'],
    [{ approved: true, tier: 'c' }, 'answer.tier'],
    [{ approved: true, tags: ['x', 1] }, 'answer.tags.1'],
    [{ approved: true, score: 11 }, 'answer.score'],
    [{ approved: true, other: 1 }, 'answer.other'],
    [[], 'answer'],
  ] as const)
    expectRefusal(await say(told, 'complete', { answer }), 422, 'schema_validation_failed', { param });
  // Every fault is named, at its place and with what was sent.
  const faulty = await say(told, 'complete', { answer: { tier: 'c', tags: ['x', { y: 1 }], score: 11 } });
  expect(faulty.body.error.details.issues).toMatchObject([
    { path: ['answer', 'approved'], received: 'undefined', message: 'is required' },
    { path: ['answer', 'tier'], received: '"c"' },
    { path: ['answer', 'tags', 1], received: '{"y":1}' },
    { path: ['answer', 'score'], received: '11', message: 'is more than 10' },
  ]);
  for (const [verb, body] of [
    ['complete', { items: [] }],
    ['items', { page: 0, items: [] }],
  ] as const)
    expectRefusal(await say(told, verb, body), 422, 'schema_validation_failed', { param: 'items' });
  const answer = { approved: true, tier: 'a', tags: ['x'] };
  expect((await say(told, 'complete', { answer })).body).toEqual({ accepted: true });
  await then.ended(home, told.run_id);
  const { data } = (await call('GET', `/runs/${told.run_id}/steps/1/items`, { key: home.key })).body;
  expect(data).toMatchObject([{ name: question.title, type: 'approval', fields: answer }]);
  expectRefusal(await call('GET', `/jobs/${told.job_id}`, { key: told.token }), 409, 'job_over', {
    details: { status: 'completed' },
  });
});

test('a person declines with their own words', async () => {
  const told = await askedPerson();
  expect((await say(told, 'fail', { message: 'Not this week', retry: true })).body).toEqual({
    accepted: true,
  });
  const run = await then.ended(home, told.run_id);
  expect(run.errors.at(-1)).toMatchObject({
    code: 'source_failed',
    details: { source: 'approval', reason: 'job', message: 'Not this week', step_index: 1 },
  });
});

test('jobs are listed newest first, by state, kind, source and run, page by page', async () => {
  const mine = await given.workspace();
  const other = await worker(mine, { name: 'other' });
  const first = await worker(mine, { name: 'first' });
  const told: Told[] = [];
  for (const one of [first, other, first]) {
    const { id } = (await createsPlanRun(mine, [asks(one.name)])).body;
    told.push(await one.job(id));
  }
  await say(told[0], 'complete', { items: [{ name: 'a' }, { name: 'b' }], usage: { cost_usd: 0.5 } });
  const list = async (query = '') =>
    (await call('GET', `/jobs?${query}`, { key: mine.key })).body as { data: Told[]; next_cursor: string };
  const ids = async (query: string) => (await list(query)).data.map(({ job_id }) => job_id);
  const [a, b, c] = told.map(({ job_id }) => job_id);
  await until('the list', async () => ((await ids('status=completed')).length === 1 ? true : undefined));
  expect(await ids('')).toEqual([c, b, a]);
  expect(await ids('status=open')).toEqual([c, b]);
  expect(await ids('source=first')).toEqual([c, a]);
  expect(await ids('kind=person')).toEqual([]);
  expect(await ids(`run_id=${told[1].run_id}`)).toEqual([b]);
  expect((await list('status=completed')).data).toMatchObject([
    { items: 2, cost_usd: 0.5, completed_at: expect.any(Number), source: 'first', attempt: 1 },
  ]);
  const pages: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(`limit=1${cursor === null ? '' : `&cursor=${cursor}`}`);
    pages.push(...page.data.map(({ job_id }) => job_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(pages).toEqual([c, b, a]);
  const foreign = (await list('limit=1')).next_cursor;
  expectRefusal(
    await call('GET', `/jobs?cursor=${foreign}`, { key: home.key }),
    422,
    'schema_validation_failed',
    {
      param: 'cursor',
    },
  );
  for (const [query, param] of [
    ['status=done', 'status'],
    ['kind=http', 'kind'],
    ['limit=101', 'limit'],
    ['run_id=x', 'run_id'],
    ['cursor=x', 'cursor'],
    ['token=1', 'token'],
  ])
    expectRefusal(await call('GET', `/jobs?${query}`, { key: mine.key }), 422, 'schema_validation_failed', {
      param,
    });
  expect(JSON.stringify(await list())).not.toContain(told[1].token);
  for (const one of told) await call('POST', `/runs/${one.run_id}/cancel`, { key: mine.key });
  for (const one of [first, other]) one.close();
});

test('items of earlier steps go to workers and people alone, wherever a plan comes in', async () => {
  const refused = { param: 'plan.steps.1.params.context_step_ids' };
  const steps = (source: string, ids: number[]) => [fetchCompanies, asks(source, { context_step_ids: ids })];
  for (const ids of [[], [0]]) {
    const body = { input_type: 'plan', plan: plan(...steps('companies', ids)) };
    for (const path of ['/runs', '/runs?validate_only=1'])
      expectRefusal(
        await call('POST', path, { key: home.key, body }),
        422,
        'schema_validation_failed',
        refused,
      );
    const monitor = await call('POST', '/monitors', {
      key: home.key,
      body: { name: 'm', run: body, on: { cron: '0 7 * * *' } },
    });
    expect([monitor.status, monitor.body.error.param]).toEqual([422, `run.${refused.param}`]);
  }
  const late = await createsPlanRun(home, steps('scorer', [1]));
  expectRefusal(late, 422, late.body.error.code, { param: late.body.error.param });
});

test('a file of a source that does not hold is refused with its place, and GET /sources names the kinds', async () => {
  const job = { kind: 'job', name: 'bad', url: scorer.url };
  const person = { ...question, name: 'bad' };
  const flat = (properties: object) => ({ ...person, schema: { type: 'object', properties } });
  for (const [source, place] of [
    [{ ...job, timeout_seconds: 9 }, 'source.timeout_seconds'],
    [{ ...job, timeout_seconds: 604_801 }, 'source.timeout_seconds'],
    [{ ...job, heartbeat_seconds: 9 }, 'source.heartbeat_seconds'],
    [{ ...job, heartbeat_seconds: 3601 }, 'source.heartbeat_seconds'],
    [{ ...job, attempts: 0 }, 'source.attempts'],
    [{ ...job, attempts: 6 }, 'source.attempts'],
    [{ ...job, timeout_ms: 1000 }, 'timeout_ms'],
    [{ ...job, tool: 'x' }, 'tool'],
    [{ ...job, url: 'https://10.0.0.1/' }, 'source.url: private_address'],
    [{ ...job, name: 'entities' }, 'source.name'],
    [{ ...person, notify_url: 'https://10.0.0.1/' }, 'source.notify_url: private_address'],
    [{ ...person, title: '' }, 'source.title'],
    [{ ...person, title: 'x'.repeat(201) }, 'source.title'],
    [{ ...person, instructions: 'x'.repeat(2001) }, 'source.instructions'],
    [{ ...person, schema: undefined }, 'source.schema'],
    [{ ...person, schema: { type: 'array', items: {} } }, 'source.schema'],
    [flat({ deep: { type: 'object', properties: {} } }), 'source.schema.properties.deep'],
    [flat({ deep: { type: 'array', items: { type: 'array' } } }), 'source.schema.properties.deep'],
    [{ ...person, url: scorer.url }, 'url'],
    [{ ...person, timeout_seconds: 1 }, 'source.timeout_seconds'],
    [{ ...job, kind: 'worker' }, 'source.kind'],
  ] as const)
    await expect(
      setUp(home, source as unknown as Parameters<typeof setUp>[1]),
      JSON.stringify(source),
    ).rejects.toThrow(place);
  const { data } = (await call('GET', '/sources', { key: home.key })).body;
  expect(data.map(({ name, kind }: { name: string; kind: string }) => [name, kind]).sort()).toEqual([
    ['approval', 'person'],
    ['scorer', 'job'],
  ]);
  const changed = await admin({
    command: 'source.update',
    workspace_id: home.workspace_id,
    name: 'scorer',
    source: { kind: 'job', name: 'scorer', url: scorer.url, attempts: 2, description: 'Scores' } as never,
  });
  expect(changed).toMatchObject({ kind: 'job', attempts: 2, timeout_seconds: 3600, description: 'Scores' });
});

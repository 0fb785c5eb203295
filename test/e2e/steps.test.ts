// rules.md: steps, events, offline. What each does to real records, and how it fails.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

type Steps = Record<string, unknown>[];
let home: given.Home;
let records: { id: string; name: string; type: string }[];

beforeAll(async () => {
  home = await given.workspace({ credits: 100_000 });
  records = await given.companies(home.workspace_id);
});

const idOf = (name: string) => records.find((record) => record.name === name)?.id ?? '';

async function endOf(steps: Steps, extra: Record<string, unknown> = {}) {
  const reply = await when.createsPlanRun(home, steps, extra);
  expect(reply.status).toBe(202);
  const run = await then.ended(home, reply.body.id);
  await then.soundLog(home, run.id);
  return run;
}

async function artifactsOf(run: { artifacts: { id: string }[] }) {
  return Promise.all(
    run.artifacts.map(async ({ id }) => (await call('GET', `/artifacts/${id}`, { key: home.key })).body),
  );
}

const asks = (kind: string, instructions: string, params: Record<string, unknown> = {}) => ({
  kind,
  instructions,
  params,
});
const table = { kind: 'reconstitute', params: { expected_artifacts: ['TABLE'] } };
const eventsOf = async (id: string, type: string) =>
  (await when.readsLog(home, id)).filter((event) => event.event_type === type).map((event) => event.data);

test('fetch returns at most limit records and reports the cut', async () => {
  const run = await endOf([{ kind: 'fetch', params: { source: 'company', limit: 2 } }]);
  expect(run.steps[0]).toMatchObject({ kind: 'fetch', status: 'completed', items_out: 2, attempt: 1 });
  expect(run.warnings).toMatchObject([{ code: 'results_truncated', step_index: 0 }]);
});

test('vector_search yields scored records, without a model call', async () => {
  const run = await endOf([{ kind: 'vector_search', params: { query: 'energy in Oslo', limit: 2 } }]);
  expect(run.steps[0].items_out).toBe(2);
  expect(run.usage.calls).toBe(0);
});

test('filter keeps what the instructions describe, one call per 25 items', async () => {
  const run = await endOf([when.fetchCompanies, when.keepBerlin, table]);
  expect(run.steps[1].items_out).toBe(2);
  const [body] = await artifactsOf(run);
  expect(body.rows.map((row: { name: string }) => row.name)).toEqual(
    expect.arrayContaining([`[Acme](entity=${idOf('Acme')})`, `[Cobalt](entity=${idOf('Cobalt')})`]),
  );
  expect(run.usage.calls).toBe(2);
});

test('transform adds the fields asked for to each item, one call per item', async () => {
  const run = await endOf([
    when.fetchCompanies,
    asks('transform', 'a short summary', { output_fields: ['summary', 'tier'] }),
    table,
  ]);
  const [body] = await artifactsOf(run);
  expect(body.columns).toEqual(expect.arrayContaining(['name', 'summary', 'tier']));
  expect(body.row_count).toBe(3);
  expect(run.usage.calls).toBe(4);
});

test('analyze writes findings, which are the message of a run that ends with it', async () => {
  const run = await endOf([when.fetchCompanies, asks('analyze', 'compare the cities')]);
  expect(run.message).toMatch(/Acme|Borealis|Cobalt|Berlin/);
  expect(run.steps[1].items_out).toBeUndefined();
  expect(run.artifacts).toEqual([]);
});

test('discover finds records that earlier steps did not', async () => {
  const run = await endOf([
    { kind: 'fetch', params: { source: 'companies', query: 'Acme' } },
    asks('discover', 'related in Berlin'),
    table,
  ]);
  expect(run.steps[1].items_out).toBeGreaterThan(0);
  const [body] = await artifactsOf(run);
  expect(JSON.stringify(body.rows)).toMatch(/Cobalt|Dana/);
});

test('reconstitute saves each kind of artifact, reports each, and each can be fetched', async () => {
  const run = await endOf([
    when.fetchCompanies,
    { kind: 'reconstitute', params: { expected_artifacts: ['table', 'text', 'entity_card', 'Board memo'] } },
  ]);
  const bodies = await artifactsOf(run);
  expect(bodies.map(({ kind }) => kind).sort()).toEqual(['entity_card', 'table', 'text', 'text']);
  expect(bodies.map(({ title }) => title)).toContain('Board memo');
  for (const body of bodies) expect(body.run_id).toBe(run.id);
  expect(await eventsOf(run.id, 'artifact.created')).toEqual(
    run.artifacts.map(({ id, ...artifact }: { id: string }) => ({
      artifact_id: id,
      ...artifact,
      step_index: 1,
    })),
  );
});

test('reconstitute with NONE answers by message alone', async () => {
  const run = await endOf([
    when.fetchCompanies,
    { kind: 'reconstitute', params: { expected_artifacts: ['NONE'] } },
  ]);
  expect(run.artifacts).toEqual([]);
  expect(run.message).not.toBeNull();
});

test('inject_context puts records and texts before later steps', async () => {
  const run = await endOf([
    {
      kind: 'inject_context',
      params: { text: 'Zanzibar is the code name.', entities: [{ id: idOf('Borealis') }] },
    },
    table,
  ]);
  expect(run.steps[0].items_out).toBe(1);
  const [body] = await artifactsOf(run);
  expect(JSON.stringify(body.rows)).toContain('Borealis');
});

test('an unknown source gives no items and source_not_found', async () => {
  const run = await endOf([{ kind: 'fetch', params: { source: 'unicorns' } }]);
  expect(run.status).toBe('succeeded');
  expect(run.steps[0].items_out).toBe(0);
  expect(run.warnings).toMatchObject([{ code: 'source_not_found', step_index: 0 }]);
});

test('a run whose last step is not reconstitute ends with a message', async () => {
  const run = await endOf([when.fetchCompanies]);
  expect(run.message).toContain('Acme');
});

test('an answer written before the last step stays the message', async () => {
  const run = await endOf([
    when.fetchCompanies,
    { kind: 'reconstitute', params: { expected_artifacts: ['none'] } },
    when.keepBerlin,
  ]);
  const alone = await endOf([
    when.fetchCompanies,
    { kind: 'reconstitute', params: { expected_artifacts: ['none'] } },
  ]);
  expect(run.message).toBe(alone.message);
});

test('indexes may be sparse, and events and summaries name them', async () => {
  const run = await endOf([
    { ...when.fetchCompanies, index: 3 },
    { ...when.keepBerlin, index: 7, params: { steps_to_filter: [3] } },
    { kind: 'reconstitute', index: 20, params: { context_step_ids: [7], expected_artifacts: ['table'] } },
  ]);
  expect(run.steps.map(({ index }: { index: number }) => index)).toEqual([3, 7, 20]);
  const [body] = await artifactsOf(run);
  expect(body.row_count).toBe(2);
  expect(await eventsOf(run.id, 'step.started')).toMatchObject([
    { step_index: 3 },
    { step_index: 7 },
    { step_index: 20 },
  ]);
});

test('the log describes a run in the order and with the data of the contract', async () => {
  const run = await endOf([when.fetchCompanies, table]);
  const log = await when.readsLog(home, run.id);
  expect(log.map(({ event_type, data }) => [event_type, data])).toEqual([
    ['run.created', { status: 'pending', input_type: 'plan' }],
    ['run.started', { status: 'running', step_count: 2 }],
    ['step.started', { step_index: 0, kind: 'fetch', title: 'Step 0', status: 'running', attempt: 1 }],
    [
      'step.completed',
      {
        step_index: 0,
        kind: 'fetch',
        title: 'Step 0',
        status: 'completed',
        items_out: 3,
        duration_ms: expect.any(Number),
      },
    ],
    ['step.started', { step_index: 1, kind: 'reconstitute', title: 'Step 1', status: 'running', attempt: 1 }],
    [
      'artifact.created',
      {
        artifact_id: run.artifacts[0].id,
        kind: 'table',
        title: expect.any(String),
        row_count: 3,
        step_index: 1,
      },
    ],
    [
      'step.completed',
      {
        step_index: 1,
        kind: 'reconstitute',
        title: 'Step 1',
        status: 'completed',
        duration_ms: expect.any(Number),
      },
    ],
    [
      'run.succeeded',
      {
        status: 'succeeded',
        step_count: 2,
        artifact_count: 1,
        duration_ms: expect.any(Number),
        credits_used: 22,
      },
    ],
  ]);
});

test.each([
  ['filter', asks('filter', 'in Berlin [[fail]]')],
  ['transform', asks('transform', '[[fail]] sum up')],
  ['analyze', asks('analyze', '[[fail]]')],
  ['discover', asks('discover', '[[fail]]')],
  ['reconstitute', asks('reconstitute', '[[fail]]')],
])('[[fail]] in a %s fails the step and the run', async (_kind, step) => {
  const run = await endOf([when.fetchCompanies, step, table]);
  expect(run).toMatchObject({ status: 'failed', resumable: true });
  expect(run.errors).toMatchObject([{ code: 'model_unavailable', details: { step_index: 1 } }]);
  expect(run.steps.map(({ status }: { status: string }) => status)).toEqual([
    'completed',
    'failed',
    'pending',
  ]);
  expect(run.steps[1].error).toEqual(run.errors[0]);
  expect(run.usage.credits_used).toBe(0);
  const log = await when.readsLog(home, run.id);
  expect(log.slice(-2).map(({ event_type, data }) => [event_type, data])).toEqual([
    [
      'step.failed',
      {
        step_index: 1,
        kind: step.kind,
        title: 'Step 1',
        status: 'failed',
        error: run.errors[0],
        duration_ms: expect.any(Number),
      },
    ],
    [
      'run.failed',
      {
        status: 'failed',
        error: run.errors[0],
        step_index: 1,
        resumable: true,
        duration_ms: expect.any(Number),
      },
    ],
  ]);
});

test('a transient failure is retried, with an event that has attempt and delay', async () => {
  const run = await endOf([asks('analyze', '[[transient:1]]')]);
  expect(run.status).toBe('succeeded');
  expect(run.usage.calls).toBe(1);
  const [retrying, ...more] = await eventsOf(run.id, 'step.retrying');
  expect(more).toEqual([]);
  expect(retrying).toMatchObject({
    step_index: 0,
    kind: 'analyze',
    title: 'Step 0',
    status: 'running',
    attempt: 1,
    max_attempts: 3,
    error: { code: 'model_unavailable' },
  });
  expect(Reflect.get(Object(retrying), 'delay_ms')).toBeGreaterThanOrEqual(1000);
});

test('[[fail-item]] leaves the step completed and the run succeeded, with an error and a warning', async () => {
  const run = await endOf([when.fetchCompanies, asks('transform', '[[fail-item:1]] sum up'), table]);
  expect(run.status).toBe('succeeded');
  expect(run.steps[1]).toMatchObject({ status: 'completed', items_out: 3 });
  expect(run.errors).toMatchObject([
    { code: 'model_unavailable', details: { step_index: 1, item_index: 1, item_id: expect.any(String) } },
  ]);
  expect(run.warnings).toMatchObject([
    { code: 'partial_failure', step_index: 1, details: { failed: 1, total: 3 } },
  ]);
  expect(run.usage.calls).toBe(3);
});

test('[[no-usage]] counts as unpriced and is warned of', async () => {
  const run = await endOf([asks('analyze', '[[no-usage]]')]);
  expect(run.usage).toMatchObject({ calls: 1, unpriced_calls: 1, input_tokens: 0, cost_usd: 0 });
  expect(run.warnings).toMatchObject([{ code: 'unpriced_usage', step_index: 0, details: { calls: 1 } }]);
});

test('[[tokens]] are counted and priced exactly, summed over calls', async () => {
  const tokens = '[[tokens:1000000,400000,500000,100000]]';
  const run = await endOf([asks('analyze', tokens), asks('analyze', tokens)]);
  expect(run.usage).toMatchObject({
    calls: 2,
    unpriced_calls: 0,
    input_tokens: 2_000_000,
    cached_input_tokens: 800_000,
    output_tokens: 1_000_000,
    thinking_tokens: 200_000,
    cost_usd: 6.08,
  });
});

test('credits: held for the limit of a transform, charged for its items', async () => {
  const run = await endOf([when.fetchCompanies, asks('transform', 'sum up'), when.keepBerlin, table]);
  expect(run.usage).toMatchObject({ credits_at_most: 132, credits_used: 35 });
});

// rules.md: query, offline. From words to an understood request, a plan and an answer.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
  await given.companies(home.workspace_id);
});

const asks = (query: string, config?: Record<string, unknown>, as: Pick<given.Home, 'key'> = home) =>
  call('POST', '/runs', { key: as.key, body: { input_type: 'query', query, ...(config && { config }) } });

async function answered(query: string, config?: Record<string, unknown>) {
  const created = await asks(query, config);
  expect(created.status).toBe(202);
  return then.ended(home, created.body.id);
}

describe('a clear query', () => {
  test('is planned, run and answered from the records', async () => {
    const run = await answered('List the companies in Berlin');
    expect(run).toMatchObject({
      status: 'succeeded',
      warnings: [],
      errors: [],
      input: { input_type: 'query' },
    });
    expect(run.message).toEqual(expect.any(String));
    const table = run.artifacts.find(({ kind }: { kind: string }) => kind === 'table');
    const { rows } = (await call('GET', `/artifacts/${table.id}`, { key: home.key })).body;
    const names = rows.map((row: object) => JSON.stringify(row));
    expect(names).toHaveLength(2);
    expect(names.join()).toMatch(/Acme/);
    expect(names.join()).toMatch(/Cobalt/);
    await then.soundLog(home, run.id);
  });

  test('shows its planned steps in the envelope, ascending and completed', async () => {
    const { steps } = await answered('List the companies in Berlin');
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.map(({ index }: { index: number }) => index)).toEqual(
      steps.map((_: object, i: number) => i),
    );
    for (const step of steps) expect(step).toMatchObject({ status: 'completed', attempt: 1 });
    expect(steps.at(-1).kind).toBe('reconstitute');
  });

  test('writes run.pre_validation right after run.created, with step index -1', async () => {
    const run = await answered('List the companies in Berlin');
    const [created, understood, started] = await when.readsLog(home, run.id);
    expect(created).toMatchObject({
      event_type: 'run.created',
      data: { status: 'pending', input_type: 'query' },
    });
    expect(understood).toMatchObject({
      event_type: 'run.pre_validation',
      data: { step_index: -1, status: 'completed', title: expect.any(String), warnings: [] },
    });
    expect(started).toMatchObject({ event_type: 'run.started', data: { step_count: null } });
  });

  test('counts one call for understanding and one for planning', async () => {
    const run = await answered('List the companies');
    const inSteps = run.steps.filter(({ kind }: { kind: string }) => kind !== 'fetch').length;
    expect(run.usage.calls).toBe(2 + inSteps);
  });

  test('triggers steer the understanding call alone: they are in no step, and change none', async () => {
    const run = await answered(
      'List the companies in Berlin [[tokens:7,0,0,0]] [[fail-item:0]] [[transient:1]]',
    );
    expect(run.status).toBe('succeeded');
    expect(run.input.query).toContain('[[tokens:7,0,0,0]]');
    expect(JSON.stringify([run.steps, run.message, run.artifacts])).not.toMatch(/\[\[[a-z]/);
    const log = await when.readsLog(home, run.id);
    expect(log.filter(({ event_type }) => event_type === 'step.retrying')).toEqual([]);
    expect(JSON.stringify(log)).not.toMatch(/\[\[[a-z]/);
  });

  test('a plan run and a dossier have no run.pre_validation', async () => {
    const { id } = (await when.createsPlanRun(home, [{ kind: 'fetch' }])).body;
    await then.ended(home, id);
    expect(await then.eventTypes(home, id)).not.toContain('run.pre_validation');
  });

  test('of an empty workspace is answered too', async () => {
    const empty = await given.workspace();
    const created = await asks('List the companies in Berlin', undefined, empty);
    const run = await then.ended(empty, created.body.id);
    expect(run.status).toBe('succeeded');
    expect(run.message).toEqual(expect.any(String));
  });
});

describe('rule 9: a query with several readings', () => {
  test.each([
    ['List the companies [[ambiguous]]', 'multiple_interpretations'],
    ['Show me everything', 'too_broad'],
    ['hello', 'missing_subject'],
    ['???', 'missing_subject'],
  ])('%s: query_ambiguous, %s, and no run', async (query, reason) => {
    const own = await given.workspace();
    expectRefusal(await asks(query, undefined, own), 422, 'query_ambiguous', {
      param: 'query',
      details: { reason },
    });
    expectRefusal(await asks(query, { strict_mode: true }, own), 422, 'query_ambiguous', { param: 'query' });
    expect((await call('GET', '/runs', { key: own.key })).body.data).toEqual([]);
  });

  test('continues with strict_mode false, and states what was assumed', async () => {
    const run = await answered('List the companies [[ambiguous]]', { strict_mode: false });
    expect(run).toMatchObject({ status: 'succeeded', config: { strict_mode: false } });
    expect(run.warnings).toEqual([{ code: 'assumed_interpretation', message: expect.any(String) }]);
    expect(run.warnings[0].message).not.toMatch(/\[\[[a-z]/);
    const understood = (await when.readsLog(home, run.id))[1];
    expect(understood).toMatchObject({ data: { warnings: run.warnings } });
  });
});

describe('rule 9: a record that cannot be pinned down', () => {
  let twins: given.Home;
  let ids: string[];
  beforeAll(async () => {
    twins = await given.workspace();
    const records = await given.entities(twins.workspace_id, [
      { type: 'company', name: 'Nordlicht', fields: { city: 'Berlin' } },
      { type: 'company', name: 'Nordlicht', fields: { city: 'Kiel' } },
      { type: 'company', name: 'Solo', fields: { city: 'Kiel' } },
    ]);
    ids = records.slice(0, 2).map(({ id }) => id);
  });

  test('entity_ambiguous with a question and the candidates', async () => {
    const reply = await asks('Write a summary of Nordlicht', undefined, twins);
    expectRefusal(reply, 422, 'entity_ambiguous', { param: 'query' });
    const { question, candidate_ids, ...others } = reply.body.error.details;
    expect(question).toContain('Nordlicht');
    expect([...candidate_ids].sort()).toEqual([...ids].sort());
    expect(others).toEqual({});
  });

  test('a word that distinguishes the records settles it', async () => {
    expect((await asks('Write a summary of Nordlicht in Kiel', undefined, twins)).status).toBe(202);
    expect((await asks('Write a summary of Solo', undefined, twins)).status).toBe(202);
  });

  test('strict_mode false takes the best reading with a warning', async () => {
    const created = await asks('Write a summary of Nordlicht', { strict_mode: false }, twins);
    expect(created.status).toBe(202);
    expect(created.body.warnings).toEqual([{ code: 'assumed_interpretation', message: expect.any(String) }]);
    expect((await then.ended(twins, created.body.id)).status).toBe('succeeded');
  });
});

describe('a model that is in trouble', () => {
  test('[[fail]]: model_unavailable, to be retried, and no run', async () => {
    const own = await given.workspace();
    const reply = await asks('List the companies [[fail]]', undefined, own);
    expectRefusal(reply, 503, 'model_unavailable');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call('GET', '/runs', { key: own.key })).body.data).toEqual([]);
  });

  test('[[transient:1]] is tried again by itself', async () => {
    const reply = await asks('List the companies [[transient:1]]');
    expect(reply.status).toBe(202);
  });

  test('[[delay:1500]] is waited for', async () => {
    const run = await answered('List the companies [[delay:1500]]');
    const understood = (await when.readsLog(home, run.id))[1];
    expect(Object(understood?.data).duration_ms).toBeGreaterThanOrEqual(1500);
  });

  test('[[no-usage]] counts an unpriced call', async () => {
    const created = await asks('List the companies [[no-usage]]');
    expect(created.body.usage).toMatchObject({ calls: 1, unpriced_calls: 1, cost_usd: 0 });
    expect(created.body.warnings).toEqual([expect.objectContaining({ code: 'unpriced_usage' })]);
  });
});

describe('the plan of a query', () => {
  test('shrinks the hold of 400 credits to what it can cost, and charges what it did', async () => {
    const own = await given.workspace({ credits: 400 });
    await given.companies(own.workspace_id);
    const created = await asks('List the companies in Berlin', undefined, own);
    expect(created.body.usage).toMatchObject({ credits_at_most: 400, credits_used: null });
    const run = await then.ended(own, created.body.id);
    expect(run.usage.credits_at_most).toBeLessThan(400);
    expect(run.usage.credits_used).toBe(run.usage.credits_at_most);
  });
});

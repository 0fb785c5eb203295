// rules.md: usage, credits. What a run used, what it costs, and the credits it draws.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const MILLIONS = '[[tokens:1000000,400000,500000,100000]]';
const analyze = (instructions = 'what stands out') => ({ kind: 'analyze', instructions });

/** The workspace's remaining and reserved credits. */
async function balance({ workspace_id }: given.Home): Promise<{ left: number; held: number }> {
  const { credits_left, credits_held } = await admin({ command: 'workspace.show', workspace_id });
  return { left: credits_left, held: credits_held };
}

test('usage is the arithmetic of the price table to the last fraction (rules.md: usage 2)', async () => {
  const home = await given.workspace();
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, analyze(`say it ${MILLIONS}`)]);
  expect((await then.ended(home, body.id)).usage).toEqual({
    calls: 1,
    unpriced_calls: 0,
    input_tokens: 1_000_000,
    cached_input_tokens: 400_000,
    output_tokens: 500_000,
    thinking_tokens: 100_000,
    cost_usd: 3.04,
    models: [
      {
        ...{ model: 'offline', calls: 1, input_tokens: 1_000_000, cached_input_tokens: 400_000 },
        ...{ output_tokens: 500_000, cost_usd: 3.04 },
      },
    ],
    simulated: true,
  });
});

test('sums of fractions of a cent stay exact', async () => {
  const home = await given.workspace();
  const steps = Array.from({ length: 10 }, () => analyze('say it [[tokens:100001,1,0,0]]'));
  const { body } = await when.createsPlanRun(home, steps);
  // Ten times 100,000 at 1.00 and one at 0.10 per million: a sum of doubles would be 1.0000009999999999.
  expect((await then.ended(home, body.id)).usage.cost_usd).toBe(1.000001);
});

test('a call without usage is counted as unpriced, costs nothing and is warned of (rules.md: usage 1)', async () => {
  const home = await given.workspace();
  const steps = [{ kind: 'fetch' }, analyze('[[no-usage]] what stands out')];
  const { body } = await when.createsPlanRun(home, steps);
  const run = await then.ended(home, body.id);
  expect(run.usage).toMatchObject({ calls: 1, unpriced_calls: 1, input_tokens: 0, cost_usd: 0 });
  expect(run.warnings).toMatchObject([{ code: 'unpriced_usage', step_index: 1, details: { calls: 1 } }]);
});

test('one warning names all steps with such calls (rules.md: usage 1)', async () => {
  const home = await given.workspace();
  const steps = [analyze('[[no-usage]] one'), analyze('two'), analyze('[[no-usage]] three')];
  const { body } = await when.createsPlanRun(home, steps);
  const run = await then.ended(home, body.id);
  expect(run.usage).toMatchObject({ calls: 3, unpriced_calls: 2 });
  expect(run.warnings).toEqual([
    {
      code: 'unpriced_usage',
      message: expect.stringContaining('2 model calls'),
      details: { calls: 2, steps: [0, 2] },
    },
  ]);
});

test('a resume keeps the warning, and adds the steps that follow to it (rules.md: usage 1)', async () => {
  const home = await given.workspace();
  const steps = [analyze('[[no-usage]] one'), analyze('[[fail-once]] [[no-usage]] two')];
  const { body } = await when.createsPlanRun(home, steps);
  expect((await then.ended(home, body.id)).status).toBe('failed');
  await call('POST', `/runs/${body.id}/resume`, { key: home.key, body: {} });
  const run = await then.ended(home, body.id);
  expect(run.status).toBe('succeeded');
  expect(run.warnings).toMatchObject([{ code: 'unpriced_usage', details: { steps: [0, 1] } }]);
  expect(run.warnings[0].details.calls).toBe(run.usage.unpriced_calls);
});

test('an understanding call without usage is warned of, too', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const reply = await call('POST', '/runs', {
    key: home.key,
    body: { input_type: 'query', query: 'Which companies are in Berlin? [[no-usage]]' },
  });
  const run = await then.ended(home, reply.body.id);
  expect(run.status).toBe('succeeded');
  expect(run.usage.unpriced_calls).toBe(1);
  expect(run.warnings).toMatchObject([{ code: 'unpriced_usage', details: { calls: 1 } }]);
});

test('understanding a query is paid for once, whatever becomes of the request (rules.md: usage 6)', async () => {
  const home = await given.workspace({ credits: 399 });
  await given.companies(home.workspace_id);
  const spends = async (query: string) => {
    const { status, body } = await call('POST', '/runs', {
      key: home.key,
      body: { input_type: 'query', query: `${query} [[tokens:1000000,0,0,0]]` },
    });
    const { cost_today_usd } = await admin({ command: 'workspace.show', workspace_id: home.workspace_id });
    return { answer: body.error?.code ?? status, cost_today_usd, id: body.id };
  };
  expect(await spends('List companies [[ambiguous]]')).toMatchObject({
    answer: 'query_ambiguous',
    cost_today_usd: 1,
  });
  // A query reserves 400 credits.
  expect(await spends('List companies')).toMatchObject({
    answer: 'workspace_cost_cap_exceeded',
    cost_today_usd: 2,
  });
  await admin({ command: 'workspace.update', workspace_id: home.workspace_id, credits: 1000 });
  const created = await spends('List companies');
  expect(created.answer).toBe(202);
  const { usage } = await then.ended(home, created.id);
  expect(usage.cost_usd).toBeGreaterThan(1);
  const { cost_today_usd } = await admin({ command: 'workspace.show', workspace_id: home.workspace_id });
  expect(cost_today_usd).toBeCloseTo(2 + usage.cost_usd, 9);
});

test('failed calls are not counted, their retries are', async () => {
  const home = await given.workspace();
  const { body } = await when.createsPlanRun(home, [analyze('[[transient:1]][[tokens:1000000,0,0,0]]')]);
  expect((await then.ended(home, body.id)).usage).toMatchObject({ calls: 1, cost_usd: 1 });
});

test('the calls of a failed attempt stay in the usage when the run is resumed', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const transform = {
    kind: 'transform',
    instructions: 'shout [[tokens:1000000,0,0,0]]',
    params: { output_fields: ['loud'] },
  };
  const steps = [when.fetchCompanies, transform, analyze('[[fail-once]][[tokens:2000000,0,0,0]]')];
  const { body } = await when.createsPlanRun(home, steps);
  expect((await then.ended(home, body.id)).usage).toMatchObject({ calls: 3, cost_usd: 3 });
  await when.resumes(home, body.id);
  const run = await then.ended(home, body.id);
  expect(run.status).toBe('succeeded');
  expect(run.usage).toMatchObject({ calls: 4, cost_usd: 5 });
});

test('a workspace without credits shows no credit fields', async () => {
  const home = await given.workspace();
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies]);
  const { usage } = await then.ended(home, body.id);
  expect(
    [body.usage, usage].map((one) => Object.keys(one).filter((name) => name.startsWith('credits'))),
  ).toEqual([[], []]);
});

test('a plan holds the sum of its steps and is charged what its steps cost, a transform by its items', async () => {
  const home = await given.workspace({ credits: 1000 });
  await given.companies(home.workspace_id);
  const transform = { kind: 'transform', instructions: 'shout', params: { limit: 50 } };
  const steps = [
    when.fetchCompanies,
    { kind: 'vector_search', instructions: 'tools' },
    when.keepBerlin,
    { ...transform, params: { limit: 50, steps_to_transform: [0] } },
    analyze(),
    { kind: 'discover', instructions: 'people nearby' },
    { kind: 'inject_context', params: { text: 'Mind the gap.' } },
    when.answer,
  ];
  const { body } = await when.createsPlanRun(home, steps);
  expect(body.usage).toMatchObject({
    credits_at_most: 2 + 4 + 10 + 50 + 20 + 30 + 1 + 20,
    credits_used: null,
  });
  const { usage } = await then.ended(home, body.id);
  expect(usage).toMatchObject({ credits_at_most: 137, credits_used: 2 + 4 + 10 + 3 + 20 + 30 + 1 + 20 });
  expect(await balance(home)).toEqual({ left: 1000 - 90, held: 0 });
});

test('a query holds 400 until its plan is known, then the sum of its plan', async () => {
  const home = await given.workspace({ credits: 400 });
  await given.companies(home.workspace_id);
  const reply = await call('POST', '/runs', {
    key: home.key,
    body: { input_type: 'query', query: 'Which companies are in Berlin?' },
  });
  expect(reply.body.usage).toMatchObject({ credits_at_most: 400, credits_used: null });
  const { usage } = await then.ended(home, reply.body.id);
  expect(usage.credits_at_most).toBeLessThan(400);
  expect(usage.credits_used).toBe(usage.credits_at_most);
  expect(await balance(home)).toEqual({ left: 400 - usage.credits_used, held: 0 });
});

test('a dossier holds and is charged 100', async () => {
  const home = await given.workspace({ credits: 100 });
  const [acme] = await given.companies(home.workspace_id);
  const reply = await call('POST', '/runs', {
    key: home.key,
    body: {
      input_type: 'preset',
      preset: 'dossier',
      params: { entity: { id: acme?.id }, sections: ['Overview'] },
    },
  });
  expect(reply.body.usage.credits_at_most).toBe(100);
  expect((await then.ended(home, reply.body.id)).usage.credits_used).toBe(100);
  expect(await balance(home)).toEqual({ left: 0, held: 0 });
});

test('a failed run is charged nothing, and reserves the rest when it is resumed', async () => {
  const home = await given.workspace({ credits: 42 });
  const steps = [when.fetchCompanies, analyze('[[fail-once]]'), when.answer];
  const { body } = await when.createsPlanRun(home, steps);
  expect((await then.ended(home, body.id)).usage).toMatchObject({ credits_at_most: 42, credits_used: 0 });
  expect(await balance(home)).toEqual({ left: 42, held: 0 });
  const resumed = await when.resumes(home, body.id);
  expect(resumed.body.usage).toMatchObject({ credits_at_most: 40, credits_used: null });
  expect((await then.ended(home, body.id)).usage).toMatchObject({ credits_at_most: 40, credits_used: 40 });
  expect(await balance(home)).toEqual({ left: 2, held: 0 });
});

test('a resume without enough credits is refused and leaves the run unchanged', async () => {
  const home = await given.workspace({ credits: 42 });
  const { body } = await when.createsPlanRun(home, [
    when.fetchCompanies,
    analyze('[[fail-once]]'),
    when.answer,
  ]);
  await then.ended(home, body.id);
  await admin({ command: 'workspace.update', workspace_id: home.workspace_id, credits: 39 });
  const refused = await when.resumes(home, body.id);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      error: {
        code: 'workspace_cost_cap_exceeded',
        details: { reason: 'credits', required: 40, available: 39 },
      },
    },
  });
  expect(await when.readsRun(home, body.id)).toMatchObject({ status: 'failed', resumable: true });
  expect(await balance(home)).toEqual({ left: 39, held: 0 });
});

test('a canceled run pays for its finished steps', async () => {
  const home = await given.workspace({ credits: 100 });
  const steps = [when.fetchCompanies, analyze('[[delay:2500]]'), when.answer];
  const { body } = await when.createsPlanRun(home, steps);
  await then.event(home, body.id, 'step.started', { step_index: 1 });
  const canceled = await call('POST', `/runs/${body.id}/cancel`, { key: home.key });
  expect(canceled.body.usage.credits_used).toBeNull();
  expect(await balance(home)).toEqual({ left: 58, held: 42 });
  expect((await then.ended(home, body.id)).usage).toMatchObject({ credits_at_most: 42, credits_used: 22 });
  expect(await balance(home)).toEqual({ left: 78, held: 0 });
});

test('a rerun neither holds nor is charged for the steps it skips', async () => {
  const home = await given.workspace({ credits: 100 });
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, analyze(), when.answer]);
  await then.ended(home, body.id);
  const rerun = await when.rerunsFrom(home, body.id, 2);
  expect(rerun.body.usage).toMatchObject({ credits_at_most: 20, credits_used: null });
  expect((await then.ended(home, rerun.body.id)).usage.credits_used).toBe(20);
  expect(await balance(home)).toEqual({ left: 100 - 42 - 20, held: 0 });
});

test('the ledger lists every change of the balance in order, and adds up to the rest', async () => {
  const home = await given.workspace({ credits: 500 });
  await given.companies(home.workspace_id);
  const query = await call('POST', '/runs', {
    key: home.key,
    body: { input_type: 'query', query: 'Which companies are in Berlin?' },
  });
  const { usage } = await then.ended(home, query.body.id);
  // A run settles after its last event; the next one may hold before that.
  await until('the settlement', async () => (await balance(home)).held === 0 || undefined);
  const failing = await when.createsPlanRun(home, [when.fetchCompanies, analyze('[[fail]]')]);
  await then.ended(home, failing.body.id);
  await until('the settlement', async () => (await balance(home)).held === 0 || undefined);
  const { left } = await balance(home);
  await admin({ command: 'workspace.update', workspace_id: home.workspace_id, credits: 1000 });
  const { entries } = await admin({ command: 'ledger.list', workspace_id: home.workspace_id });
  const run_id = query.body.id;
  const used = usage.credits_used;
  expect(entries).toMatchObject([
    { number: 1, kind: 'grant', credits: 500, credits_left: 500 },
    { number: 2, kind: 'hold', run_id, credits: -400, credits_left: 100 },
    { number: 3, kind: 'change_of_hold', run_id, credits: 400 - used, credits_left: 500 - used },
    { number: 4, kind: 'settle', run_id, credits: 0, credits_used: used, credits_left: 500 - used },
    { number: 5, kind: 'hold', run_id: failing.body.id, credits: -22 },
    { number: 6, kind: 'settle', run_id: failing.body.id, credits: 22, credits_used: 0, credits_left: left },
    { number: 7, kind: 'grant', credits: 1000 - left, credits_left: 1000 },
  ]);
});

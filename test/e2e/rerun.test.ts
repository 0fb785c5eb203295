// rules.md: rerun. A new run that takes the earlier steps' outputs from an ended one.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
let source: { id: string };
beforeAll(async () => {
  home = await given.workspace({ credits: 1_000_000 });
  await given.companies(home.workspace_id);
  const { id } = (
    await when.createsPlanRun(home, [when.fetchCompanies, when.keepBerlin, table], {
      config: { strict_mode: false },
      metadata: { ticket: '7' },
    })
  ).body;
  source = await then.ended(home, id);
});

const table = { kind: 'reconstitute', params: { expected_artifacts: ['table'] } };
const analyze = (instructions: string) => ({ kind: 'analyze', instructions });

function reruns(
  id: string,
  body: unknown,
  caller: given.Caller = home,
  headers: Record<string, string> = {},
) {
  return call('POST', `/runs/${id}/rerun-from`, { key: caller.key, body, headers });
}

test('a new run takes the earlier steps over and does the rest', async () => {
  const { status, body } = await reruns(source.id, { step_index: 2 });
  expect(status).toBe(202);
  expect(body).toMatchObject({
    status: 'pending',
    rerun_of: { run_id: source.id, step_index: 2 },
    config: { strict_mode: false },
    metadata: { ticket: '7' },
    resume_count: 0,
    usage: { credits_at_most: 20, credits_used: null },
  });
  expect(body.id).not.toBe(source.id);
  const run = await then.ended(home, body.id);
  await then.soundLog(home, run.id);
  expect(run).toMatchObject({ status: 'succeeded', usage: { calls: 1, credits_used: 20 } });
  expect(run.steps).toMatchObject([
    { status: 'skipped', items_out: 3 },
    { status: 'skipped', items_out: 2 },
    { status: 'completed', attempt: 1 },
  ]);
  expect(run.artifacts).toMatchObject([{ kind: 'table', row_count: 2 }]);
  const log = await when.readsLog(home, run.id);
  expect(log.map(({ event_type, data }) => [event_type, data]).slice(0, 5)).toMatchObject([
    ['run.created', { input_type: 'plan', rerun_of: { run_id: source.id, step_index: 2 } }],
    ['run.started', { step_count: 3 }],
    ['step.skipped', { step_index: 0, reason: 'checkpoint', checkpoint_run_id: source.id, items_out: 3 }],
    ['step.skipped', { step_index: 1, reason: 'checkpoint', checkpoint_run_id: source.id, items_out: 2 }],
    ['step.started', { step_index: 2, attempt: 1 }],
  ]);
});

test('a rerun of a rerun names the run that really made each checkpoint', async () => {
  const first = (await reruns(source.id, { step_index: 1 })).body;
  await then.ended(home, first.id);
  const second = (await reruns(first.id, { step_index: 2 })).body;
  await then.ended(home, second.id);
  const skipped = (await when.readsLog(home, second.id)).filter(
    ({ event_type }) => event_type === 'step.skipped',
  );
  expect(skipped.map(({ data }) => data)).toMatchObject([
    { checkpoint_run_id: source.id },
    { checkpoint_run_id: first.id },
  ]);
  expect((await when.readsRun(home, second.id)).artifacts).toMatchObject([{ row_count: 2 }]);
});

test('a rerun from the first step does everything again', async () => {
  const { id } = (await reruns(source.id, { step_index: 0 })).body;
  const run = await then.ended(home, id);
  expect(run.steps.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('completed'));
});

test('a failed or canceled run can be rerun from a step whose predecessors left data', async () => {
  const broken = (await when.createsPlanRun(home, [when.fetchCompanies, analyze('[[fail-once]]')])).body;
  await then.ended(home, broken.id);
  const again = await reruns(broken.id, { step_index: 1 });
  expect(again.status).toBe(202);
  expect((await then.ended(home, again.body.id)).status).toBe('failed');

  const slow = (await when.createsPlanRun(home, [when.fetchCompanies, analyze('[[delay:2500]]')])).body;
  await then.event(home, slow.id, 'step.started', { step_index: 1 });
  await call('POST', `/runs/${slow.id}/cancel`, { key: home.key });
  expect((await reruns(slow.id, { step_index: 1 })).status).toBe(202);
});

test('a rerun that fails is resumed with the steps it took over', async () => {
  const plan = [when.fetchCompanies, analyze('[[fail-once]]')];
  const broken = (await when.createsPlanRun(home, plan)).body;
  await then.ended(home, broken.id);
  const again = (await reruns(broken.id, { step_index: 1 })).body;
  await then.ended(home, again.id);
  const resumed = await call('POST', `/runs/${again.id}/resume`, { key: home.key });
  expect(resumed.status).toBe(202);
  const run = await then.ended(home, again.id);
  expect(run.steps).toMatchObject([{ status: 'skipped' }, { status: 'completed', attempt: 2 }]);
  await then.soundLog(home, again.id);
});

test('a config that is sent is merged over the inherited one, and its scopes are checked', async () => {
  const { key } = await given.key(home.workspace_id, ['runs:create', 'runs:read']);
  const refused = await reruns(source.id, { step_index: 2, config: { unlimited_transform: true } }, { key });
  expect(refused.status).toBe(403);
  expect(refused.body.error.details).toEqual({ required_scope: 'config:unlimited_transform' });
  const { body } = await reruns(source.id, { step_index: 2, config: { unlimited_transform: true } });
  expect(body.config).toEqual({ strict_mode: false, unlimited_transform: true });
});

test('an inherited flag needs its scope on the key that asks', async () => {
  const lifted = (
    await when.createsPlanRun(home, [when.fetchCompanies], { config: { unlimited_transform: true } })
  ).body;
  await then.ended(home, lifted.id);
  const { key } = await given.key(home.workspace_id, ['runs:create', 'runs:read']);
  expect((await reruns(lifted.id, { step_index: 0 }, { key })).status).toBe(403);
  const without = await reruns(lifted.id, { step_index: 0, config: { unlimited_transform: false } }, { key });
  expect(without.status).toBe(202);
});

test('the plan must still fit the config: a transform beyond the cap needs unlimited_transform', async () => {
  const wide = { kind: 'transform', instructions: 'sum up', params: { limit: 500 } };
  const lifted = (
    await when.createsPlanRun(home, [when.fetchCompanies, wide], { config: { unlimited_transform: true } })
  ).body;
  await then.ended(home, lifted.id);
  const { status, body } = await reruns(lifted.id, { step_index: 1, config: { unlimited_transform: false } });
  expect(status).toBe(422);
  expect(body.error).toMatchObject({ code: 'schema_validation_failed', param: 'plan.steps.1.params.limit' });
});

test('a repeat with the same Idempotency-Key returns the run made before; another body conflicts', async () => {
  const header = { 'Idempotency-Key': `rerun ${source.id}` };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => reruns(source.id, { step_index: 2 }, home, header)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 202]);
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  const replayed = replies.find(({ status }) => status === 200);
  expect(replayed?.headers.get('idempotency-replayed')).toBe('true');
  const conflict = await reruns(source.id, { step_index: 1 }, home, header);
  expect(conflict.status).toBe(409);
  expect(conflict.body.error).toMatchObject({
    code: 'idempotency_key_conflict',
    param: 'Idempotency-Key',
    details: { original_run_id: replies[0]?.body.id },
  });
});

test('404 run_not_found comes before everything else', async () => {
  const { status, body } = await reruns('3e0e4c2a-6d0e-4d52-9d3e-0f6f2f0f9c11', { step_index: 99 });
  expect(status).toBe(404);
  expect(body.error.code).toBe('run_not_found');
});

test('a query run has no saved plan, ended or not, whatever the index', async () => {
  const { body: query } = await call('POST', '/runs', {
    key: home.key,
    body: { input_type: 'query', query: 'Which companies are in Berlin?' },
  });
  for (const _ of ['running', 'over']) {
    const { status, body } = await reruns(query.id, { step_index: 99 });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'run_not_resumable', details: { reason: 'no_saved_plan' } });
    await then.ended(home, query.id);
  }
});

test('a run that is not over is run_not_terminal, before its index is looked at', async () => {
  const { id } = (await when.createsPlanRun(home, [analyze('[[delay:2500]]')])).body;
  await then.event(home, id, 'step.started');
  const { status, body } = await reruns(id, { step_index: 99 });
  expect(status).toBe(409);
  expect(body.error.details).toEqual({ status: 'running', reason: 'run_not_terminal' });
  await then.ended(home, id);
});

test.each([-1, 3, 99])('step_index %i is out of range', async (step_index) => {
  const { status, body } = await reruns(source.id, { step_index });
  expect(status).toBe(422);
  expect(body.error).toMatchObject({
    code: 'invalid_rerun_step',
    type: 'plan_error',
    details: { step_index, min_index: 0, max_index: 2 },
  });
});

test('a step whose predecessors left nothing: checkpoint_not_found', async () => {
  const { id } = (await when.createsPlanRun(home, [analyze('[[fail]]'), when.fetchCompanies, table])).body;
  await then.ended(home, id);
  const { status, body } = await reruns(id, { step_index: 2 });
  expect(status).toBe(404);
  expect(body.error).toMatchObject({ code: 'checkpoint_not_found', details: { step_index: 2 } });
});

test.each([
  [{}, 'missing_required_field'],
  [{ step_index: '1' }, 'schema_validation_failed'],
  [{ step_index: 1, plan: {} }, 'schema_validation_failed'],
])('a body %o is refused', async (sent, code) => {
  const { status, body } = await reruns(source.id, sent);
  expect(status).toBe(422);
  expect(body.error.code).toBe(code);
});

test('a dossier has a saved plan and can be rerun, by a key that may create one (rules.md: rerun 5)', async () => {
  const [acme] = await given.companies(home.workspace_id);
  const request = {
    input_type: 'preset',
    preset: 'dossier',
    params: { entity: { id: acme?.id }, sections: ['Overview'] },
  };
  const dossier = (await call('POST', '/runs', { key: home.key, body: request })).body;
  await then.ended(home, dossier.id);
  const without = await given.key(home.workspace_id, ['runs:create']);
  const refused = await reruns(dossier.id, { step_index: 1 }, without);
  expectRefusal(refused, 403, 'forbidden_feature', { details: { required_scope: 'presets:dossier' } });
  const { status, body } = await reruns(dossier.id, { step_index: 1 });
  expect(status).toBe(202);
  const run = await then.ended(home, body.id);
  expect(run).toMatchObject({ status: 'succeeded', input: dossier.input, usage: { credits_used: 100 } });
  expect(run.artifacts.map(({ kind }: { kind: string }) => kind)).toEqual(['text', 'entity_card']);
});

// rules.md: resume. The same run continues from the step that failed.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ credits: 1_000_000 });
  await given.companies(home.workspace_id);
});

const analyze = (instructions: string) => ({ kind: 'analyze', instructions });
const failsOnce = [when.fetchCompanies, analyze('[[fail-once]] compare'), analyze('then')];
const resumes = (id: string, body?: unknown, caller = home) =>
  call('POST', `/runs/${id}/resume`, { key: caller.key, body });

async function failed(steps: Record<string, unknown>[] = failsOnce, caller = home) {
  const { id } = (await when.createsPlanRun(caller, steps)).body;
  const run = await then.ended(caller, id);
  expect(run.status).toBe('failed');
  return run;
}

test('a failed run continues under its id, from the step that failed, as the log shows', async () => {
  const run = await failed();
  const { status, body } = await resumes(run.id);
  expect(status).toBe(202);
  expect(body).toMatchObject({
    id: run.id,
    status: 'pending',
    errors: [],
    resume_count: 1,
    resumable: false,
  });
  expect(body.completed_at).toBeUndefined();
  expect(body.steps.map((step: { status: string }) => step.status)).toEqual([
    'completed',
    'pending',
    'pending',
  ]);
  expect(body.usage).toMatchObject({ credits_at_most: 40, credits_used: null });
  const ended = await then.ended(home, run.id);
  expect(ended).toMatchObject({ status: 'succeeded', errors: [], created_at: run.created_at });
  expect(ended.steps).toMatchObject([
    { status: 'completed', attempt: 1 },
    { status: 'completed', attempt: 2 },
    { status: 'completed', attempt: 1 },
  ]);
  expect(ended.usage).toMatchObject({ calls: 2, credits_used: 40 });
  await then.soundLog(home, run.id);
  const log = await when.readsLog(home, run.id);
  const from = log.findIndex(({ event_type }) => event_type === 'run.failed') + 1;
  expect(log.slice(from).map(({ event_type, data }) => [event_type, data])).toMatchObject([
    ['run.started', { status: 'running', step_count: 3, resumed: true, reason: 'resume' }],
    [
      'step.skipped',
      {
        step_index: 0,
        kind: 'fetch',
        title: 'Step 0',
        status: 'skipped',
        reason: 'checkpoint',
        checkpoint_run_id: run.id,
        items_out: 3,
      },
    ],
    ['step.started', { step_index: 1, attempt: 2 }],
    ['step.completed', { step_index: 1 }],
    ['step.started', { step_index: 2, attempt: 1 }],
    ['step.completed', { step_index: 2 }],
    ['run.succeeded', { credits_used: 40 }],
  ]);
});

test('a failed run is charged nothing, and a resume reserves only for the remaining steps', async () => {
  const poor = await given.workspace({ credits: 42 });
  const run = await failed(failsOnce, poor);
  const show = () => admin({ command: 'workspace.show', workspace_id: poor.workspace_id });
  expect(await show()).toMatchObject({ credits_left: 42, credits_held: 0, runs_in_flight: 0 });
  await admin({ command: 'workspace.update', workspace_id: poor.workspace_id, credits: 39 });
  const refused = await resumes(run.id, undefined, poor);
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({
    code: 'workspace_cost_cap_exceeded',
    details: { reason: 'credits', required: 40, available: 39 },
  });
  await admin({ command: 'workspace.update', workspace_id: poor.workspace_id, credits: 40 });
  expect((await resumes(run.id, undefined, poor)).status).toBe(202);
  expect((await then.ended(poor, run.id)).usage.credits_used).toBe(40);
});

test('a warning from before a step failed is not repeated', async () => {
  const many = [
    { kind: 'fetch', params: { limit: 1 } },
    { kind: 'transform', instructions: '[[fail-once]]' },
  ];
  const run = await failed(many);
  expect(run.warnings).toMatchObject([{ code: 'results_truncated', step_index: 0 }]);
  await resumes(run.id);
  const ended = await then.ended(home, run.id);
  expect(ended).toMatchObject({ status: 'succeeded', errors: [], warnings: [{ step_index: 0 }] });
  expect(ended.warnings).toHaveLength(1);
});

test('a run may fail and be resumed again and again', async () => {
  const run = await failed([1, 2, 3].map(() => analyze('[[fail-once]]')));
  await resumes(run.id);
  expect((await then.ended(home, run.id)).status).toBe('failed');
  const { body } = await resumes(run.id);
  expect(body.resume_count).toBe(2);
  expect((await then.ended(home, run.id)).status).toBe('failed');
  await resumes(run.id);
  expect(await then.ended(home, run.id)).toMatchObject({ status: 'succeeded', usage: { calls: 3 } });
  await then.soundLog(home, run.id);
});

test('the same plan may be sent with it; another one is a plan_fingerprint_mismatch', async () => {
  const run = await failed();
  const changed = when.plan(...failsOnce.slice(0, 2), analyze('something else'));
  const refused = await resumes(run.id, { plan: changed });
  expect(refused.status).toBe(409);
  expect(refused.body.error).toMatchObject({
    code: 'plan_fingerprint_mismatch',
    details: { expected: expect.any(String), actual: expect.any(String) },
  });
  expect((await when.readsRun(home, run.id)).status).toBe('failed');
  expect((await resumes(run.id, { plan: run.input.plan })).status).toBe(202);
  expect((await then.ended(home, run.id)).status).toBe('succeeded');
});

test('of ten resumes at once one wins, the others find the run in progress', async () => {
  const run = await failed([analyze('[[fail-once]] [[delay:2500]]')]);
  const replies = await Promise.all(Array.from({ length: 10 }, () => resumes(run.id)));
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const { status, body } of replies.filter((reply) => reply.status !== 202)) {
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'run_not_resumable', details: { reason: 'in_progress' } });
  }
  expect(await then.ended(home, run.id)).toMatchObject({ status: 'succeeded', resume_count: 1 });
  await then.soundLog(home, run.id);
});

test('a succeeded run is not resumable: not_failed', async () => {
  const { id } = (await when.createsPlanRun(home, [analyze('fine')])).body;
  await then.ended(home, id);
  const { status, body } = await resumes(id);
  expect(status).toBe(409);
  expect(body.error.details).toEqual({ status: 'succeeded', reason: 'not_failed' });
});

test('a running run is not resumable: in_progress', async () => {
  const { id } = (await when.createsPlanRun(home, [analyze('[[delay:2500]]')])).body;
  await then.event(home, id, 'step.started');
  const { status, body } = await resumes(id);
  expect(status).toBe(409);
  expect(body.error.details).toEqual({ status: 'running', reason: 'in_progress' });
  await then.ended(home, id);
});

test('a missing run, and a key without runs:create', async () => {
  expect((await resumes('3e0e4c2a-6d0e-4d52-9d3e-0f6f2f0f9c11')).body.error.code).toBe('run_not_found');
  const { key } = await given.key(home.workspace_id, ['runs:read']);
  const run = await failed();
  const refused = await resumes(run.id, undefined, { ...home, key });
  expect(refused.status).toBe(403);
  expect(refused.body.error.details).toEqual({ required_scope: 'runs:create' });
});

test('a run that needed more scopes is resumed by a key with runs:create alone (rules.md: resume 6)', async () => {
  const { key } = await given.key(home.workspace_id, ['runs:create']);
  const config = { unlimited_transform: true };
  const steps = [{ kind: 'analyze', instructions: '[[fail-once]]' }];
  const { id } = (await when.createsPlanRun(home, steps, { config })).body;
  await then.ended(home, id);
  const { status, body } = await resumes(id, undefined, { ...home, key });
  expect([status, body.config]).toEqual([202, config]);
  expect((await then.ended(home, id)).status).toBe('succeeded');
});

test('a dossier whose section failed is resumed where it failed', async () => {
  const [acme] = await given.companies(home.workspace_id);
  const body = {
    input_type: 'preset',
    preset: 'dossier',
    params: { entity: { id: acme?.id }, sections: ['Overview', 'People [[fail-once]]'] },
  };
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  const run = await then.ended(home, id);
  expect(run).toMatchObject({ status: 'failed', resumable: true, usage: { credits_used: 0, calls: 1 } });
  expect((await resumes(id)).status).toBe(202);
  const ended = await then.ended(home, id);
  expect(ended).toMatchObject({ status: 'succeeded', usage: { credits_used: 100, calls: 2 } });
  expect(ended.artifacts.map(({ kind }: { kind: string }) => kind)).toEqual(['text', 'entity_card']);
  expect(ended.note_ids).toHaveLength(1);
});

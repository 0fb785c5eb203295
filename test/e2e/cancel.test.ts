// rules.md: cancel. Cancel in every state: the running step ends first and is billed, exactly one end wins.
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
const cancels = (id: string, caller = home) => call('POST', `/runs/${id}/cancel`, { key: caller.key });
const inFlight = async (caller = home) =>
  (await admin({ command: 'workspace.show', workspace_id: caller.workspace_id })).runs_in_flight;

async function started(...steps: Record<string, unknown>[]): Promise<string> {
  const { id } = (await when.createsPlanRun(home, steps)).body;
  await then.event(home, id, 'step.started');
  return id;
}

async function canceledLog(id: string) {
  const run = await then.ended(home, id);
  await then.soundLog(home, id);
  expect(run).toMatchObject({ status: 'canceled', resumable: false });
  return { run, log: await when.readsLog(home, id) };
}

test('a running run is canceled at once; the current step ends first, is billed and named', async () => {
  const id = await started(analyze('[[delay:2500]]'), analyze('later'));
  const { status, body } = await cancels(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'canceled', completed_at: expect.any(Number) });
  expect(body.errors).toEqual([expect.objectContaining({ code: 'canceled_by_user', type: 'conflict' })]);
  expect(body.errors[0].details).toBeUndefined();
  expect(body.usage).toMatchObject({ credits_at_most: 40, credits_used: null });
  const { run, log } = await canceledLog(id);
  expect(run.errors).toMatchObject([{ code: 'canceled_by_user', details: { step_index: 0 } }]);
  expect(run.steps.map((step: { status: string }) => step.status)).toEqual(['completed', 'canceled']);
  expect(run.usage).toMatchObject({ calls: 1, credits_used: 20 });
  expect(run.completed_at).toBe(body.completed_at);
  expect(log.slice(-2).map(({ event_type }) => event_type)).toEqual(['step.completed', 'run.canceled']);
  expect(log.at(-1)?.data).toEqual({ status: 'canceled', reason: 'canceled_by_user', step_index: 0 });
});

test('between canceled and run.canceled resume is refused with the reason canceled, and after it too', async () => {
  const id = await started(analyze('[[delay:2500]]'));
  await cancels(id);
  for (const _ of ['before', 'after']) {
    const { status, body } = await call('POST', `/runs/${id}/resume`, { key: home.key });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: 'run_not_resumable',
      details: { status: 'canceled', reason: 'canceled' },
    });
    await canceledLog(id);
  }
});

test('an interrupted step that fails writes step.failed, then run.canceled', async () => {
  const id = await started(analyze('[[delay:2500]] [[fail]]'));
  await cancels(id);
  const { run, log } = await canceledLog(id);
  expect(log.slice(-2).map(({ event_type }) => event_type)).toEqual(['step.failed', 'run.canceled']);
  expect(run.errors).toMatchObject([{ code: 'canceled_by_user', details: { step_index: 0 } }]);
  expect(run.usage.credits_used).toBe(0);
});

test('a cancel while a call waits for its retry ends when the step has ended', async () => {
  const id = await started(analyze('[[transient:1]]'));
  await then.event(home, id, 'step.retrying');
  await cancels(id);
  const { log } = await canceledLog(id);
  expect(log.slice(-2).map(({ event_type }) => event_type)).toEqual(['step.completed', 'run.canceled']);
});

test('cancel during the last step wins over the success', async () => {
  const id = await started(analyze('[[delay:2500]]'));
  await cancels(id);
  const { log } = await canceledLog(id);
  expect(log.filter(({ event_type }) => event_type === 'run.succeeded')).toEqual([]);
});

test('repeating a cancel changes nothing', async () => {
  const id = await started(analyze('[[delay:2500]]'));
  const first = (await cancels(id)).body;
  const second = await cancels(id);
  expect(second.status).toBe(200);
  expect(second.body).toEqual(first);
  const { run, log } = await canceledLog(id);
  expect((await cancels(id)).body).toEqual(run);
  expect(log.filter(({ event_type }) => event_type === 'run.canceled')).toHaveLength(1);
});

test.each([
  ['succeeded', analyze('fine')],
  ['failed', analyze('[[fail]]')],
])('cancel of a %s run returns it unchanged', async (status, step) => {
  const { id } = (await when.createsPlanRun(home, [step])).body;
  const run = await then.ended(home, id);
  expect(run.status).toBe(status);
  const reply = await cancels(id);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(run);
});

test('a key with runs:cancel alone gets the envelope (rules.md: cancel 5)', async () => {
  const { id } = (await when.createsPlanRun(home, [analyze('fine')])).body;
  const run = await then.ended(home, id);
  const { key } = await given.key(home.workspace_id, ['runs:cancel']);
  const reply = await cancels(id, { ...home, key });
  expect([reply.status, reply.body]).toEqual([200, run]);
});

test('a run that has not begun is canceled at once, with step_index null', async () => {
  const other = await given.workspace({ credits: 1000 });
  await admin({ command: 'maintenance.start', workspace_id: other.workspace_id });
  const { id } = (await when.createsPlanRun(other, [analyze('never')])).body;
  const { body } = await cancels(id, other);
  expect(body).toMatchObject({ status: 'canceled', usage: { calls: 0, credits_used: 0 } });
  expect(body.errors[0].details).toBeUndefined();
  expect(body.steps[0].status).toBe('canceled');
  const log = await when.readsLog(other, id);
  expect(log.at(-1)).toMatchObject({ event_type: 'run.canceled', data: { step_index: null } });
  await admin({ command: 'maintenance.end', workspace_id: other.workspace_id });
  await then.soundLog(other, id);
  expect(await inFlight(other)).toBe(0);
});

test('a foreign, missing or malformed id is not found', async () => {
  const other = await given.workspace();
  const id = await started(analyze('mine'));
  for (const [foreign, caller] of [
    [id, other],
    ['3e0e4c2a-6d0e-4d52-9d3e-0f6f2f0f9c11', home],
    ['nonsense', home],
  ] as const) {
    const reply = await cancels(foreign, caller);
    expect(reply.status).toBe(404);
    expect(reply.body.error.code).toBe('run_not_found');
  }
  expect((await then.ended(home, id)).status).toBe('succeeded');
});

// rules.md: waits. Runs that wait for a model that is away.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let own: OwnService;
let home: Home;
beforeAll(async () => {
  own = await ownService();
  home = await own.home();
});
afterAll(() => own?.stop());

const analyze = (instructions: string) => ({ kind: 'analyze', instructions });
/** Longer than any test waits. */
const AWAY = analyze('Look [[transient:99]]');

async function creates(steps: Record<string, unknown>[], config = {}): Promise<string> {
  return (await when.createsPlanRun(home, steps, { config })).body.id;
}
const waits = (id: string, reason = 'model_unavailable') =>
  until(`run ${id} waits`, async () => {
    const run = await when.readsRun(home, id);
    return run.waiting?.reason === reason ? run : undefined;
  });
async function typesOf(id: string): Promise<string[]> {
  await then.soundLog(home, id);
  return (await then.eventTypes(home, id)).filter((type) => !type.startsWith('artifact'));
}
const dataOf = async (id: string, type: string) =>
  (await when.readsLog(home, id)).filter(({ event_type }) => event_type === type).map(({ data }) => data);
const inFlight = async () =>
  (await own.admin({ command: 'workspace.show', workspace_id: home.workspace_id })).runs_in_flight;
const maintenance = (verb: 'start' | 'end') =>
  own.admin({ command: `maintenance.${verb}`, workspace_id: home.workspace_id });

afterEach(async () => {
  const id = await creates([analyze('Back')]);
  const isBack = async () => ((await when.readsRun(home, id)).status === 'succeeded' ? true : undefined);
  await until('the model is back', isBack, 60_000);
}, 70_000);

test('a run waits and goes on: one pause, one start, though its first look is in vain', async () => {
  const id = await creates([analyze('Look [[transient:4]]')]);
  const { status, waiting, steps } = await waits(id);
  expect({ status, steps }).toMatchObject({ status: 'paused', steps: [{ status: 'running', attempt: 1 }] });
  expect(waiting).toEqual({
    reason: 'model_unavailable',
    since: expect.any(Number),
    until: expect.any(Number),
    step_index: 0,
  });
  const list = await call('GET', '/runs?status=paused', home);
  expect(list.body.data).toMatchObject([{ id, waiting: { reason: 'model_unavailable', step_index: 0 } }]);
  expect(await then.ended(home, id)).toMatchObject({
    status: 'succeeded',
    waiting: null,
    steps: [{ attempt: 1 }],
    usage: { calls: 1 },
  });
  expect(await typesOf(id)).toEqual([
    'run.created',
    'run.started',
    'step.started',
    'step.retrying',
    'step.retrying',
    'run.paused',
    'run.started',
    'step.completed',
    'run.succeeded',
  ]);
  expect(await dataOf(id, 'run.paused')).toEqual([
    { status: 'paused', reason: 'model_unavailable', resume_at: expect.any(Number), step_index: 0 },
  ]);
  expect((await dataOf(id, 'run.started'))[1]).toEqual({
    status: 'running',
    step_count: 1,
    resumed: true,
    reason: 'model_available',
  });
});

test('a wait that is used up fails the step; a resume goes on from there and pays for no call twice', async () => {
  const id = await creates([analyze('First'), analyze('Look [[transient:5]]')], { model_wait_seconds: 1 });
  const failed = await then.ended(home, id);
  expect(failed).toMatchObject({
    status: 'failed',
    resumable: true,
    waiting: null,
    steps: [{ status: 'completed' }, { status: 'failed' }],
    errors: [
      {
        code: 'model_unavailable',
        details: {
          cause: 'away',
          step_index: 1,
          provider: { message: 'The offline model is throttled, as the trigger asks' },
        },
      },
    ],
    usage: { calls: 1 },
  });
  expect((await typesOf(id)).slice(-3)).toEqual(['run.paused', 'step.failed', 'run.failed']);
  const resumed = await call('POST', `/runs/${id}/resume`, {
    ...home,
    body: { config: { model_wait_seconds: 60 } },
  });
  expect([resumed.status, resumed.body.config]).toEqual([202, { model_wait_seconds: 60 }]);
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', usage: { calls: 2 } });
});

test('with model_wait_seconds 0 a run does not wait', async () => {
  const id = await creates([analyze('Look [[transient:3]]')], { model_wait_seconds: 0 });
  expect(await then.ended(home, id)).toMatchObject({
    status: 'failed',
    resumable: true,
    errors: [{ code: 'model_unavailable' }],
  });
  expect(await typesOf(id)).not.toContain('run.paused');
});

test('a step with many calls goes on from its journal: no answered call is made again', async () => {
  const many = await own.home({ companies: 48 });
  const each = { kind: 'transform', instructions: 'Each [[delay:2500]]' };
  const { body } = await when.createsPlanRun(many, [{ kind: 'fetch' }, each]);
  await then.event(many, body.id, 'step.progress');
  // Another run makes the model go away meanwhile.
  const other = await creates([analyze('Look [[transient:6]]')]);
  await waits(other);
  const isOver = async () => {
    const run = await when.readsRun(many, body.id);
    return run.status === 'succeeded' ? run : undefined;
  };
  const run = await until('the end of the step', isOver, 60_000);
  expect(run.usage.calls).toBe(48);
  // Its next calls meet the time away, or one of them is the call that tries the model and finds it back.
  const paused = (await when.readsLog(many, body.id)).filter(({ event_type }) => event_type === 'run.paused');
  for (const event of paused) expect(event).toMatchObject({ data: { step_index: 1 } });
}, 90_000);

test('a wait counts towards timeout_seconds and ends at the deadline', async () => {
  const id = await creates([AWAY], { timeout_seconds: 10 });
  const { waiting } = await waits(id);
  const { started_at, ...run } = await then.ended(home, id);
  expect(waiting.until).toBeLessThanOrEqual(started_at + 10_500);
  expect(run).toMatchObject({
    status: 'failed',
    resumable: true,
    errors: [{ code: 'run_timed_out', details: { limit: 'timeout_seconds', step_index: 0 } }],
  });
});

test('a cancel ends a wait at once and frees the slot; then the run can be deleted', async () => {
  const id = await creates([AWAY, analyze('Later')]);
  await waits(id);
  expect(await inFlight()).toBe(1);
  const canceled = await call('POST', `/runs/${id}/cancel`, home);
  expect(canceled.body).toMatchObject({
    status: 'canceled',
    waiting: null,
    steps: [{ status: 'canceled' }, { status: 'canceled' }],
    errors: [{ code: 'canceled_by_user', details: { step_index: 0 } }],
  });
  expect(await inFlight()).toBe(0);
  expect((await typesOf(id)).at(-1)).toBe('run.canceled');
  expect((await call('DELETE', `/runs/${id}`, home)).status).toBe(204);
});

test('a run waits on over a restart of the service', async () => {
  const id = await creates([analyze('Look [[transient:4]]')]);
  await waits(id);
  await own.restart();
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', usage: { calls: 1 } });
  const pauses = (await typesOf(id)).filter((type) => type === 'run.paused');
  expect(pauses).toHaveLength(1);
});

test('maintenance takes the place of a wait for a model, and nothing starts until it is over', async () => {
  const id = await creates([analyze('Look [[transient:4]]')]);
  await waits(id);
  await maintenance('start');
  const { waiting } = await when.readsRun(home, id);
  expect(waiting).toEqual({ reason: 'maintenance', since: expect.any(Number) });
  // Another workspace finds that the model is back.
  const other = await own.home();
  const { id: meanwhile } = (await when.createsPlanRun(other, [analyze('Meanwhile')])).body;
  expect((await then.ended(other, meanwhile)).status).toBe('succeeded');
  expect((await when.readsRun(home, id)).status).toBe('paused');
  await maintenance('end');
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', usage: { calls: 1 } });
  expect((await dataOf(id, 'run.started'))[1]).toMatchObject({ reason: 'maintenance_over' });
});

// rules.md: maintenance. Maintenance of one workspace and of the service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { admin, call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const analyze = (instructions: string) => ({ kind: 'analyze', instructions });
const twoSteps = [analyze('[[delay:2500]]'), analyze('second')];
const maintenance = (verb: 'start' | 'end' | 'show', workspace_id?: string) =>
  admin({ command: `maintenance.${verb}`, ...(workspace_id && { workspace_id }) });
const paused = (caller: given.Caller, id: string) =>
  until(`the pause of run ${id}`, async () => {
    const run = await when.readsRun(caller, id);
    return run.status === 'paused' ? run : undefined;
  });
const typesOf = async (caller: given.Caller, id: string) =>
  (await then.eventTypes(caller, id)).filter((type) => !type.startsWith('artifact'));

test('a running run pauses before its next step and continues automatically after maintenance', async () => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, twoSteps)).body;
  await then.event(home, id, 'step.started');
  expect(await maintenance('start', home.workspace_id)).toMatchObject({ active: true });
  const run = await paused(home, id);
  expect(run.completed_at).toBeUndefined();
  expect(run.steps).toMatchObject([{ status: 'completed' }, { status: 'pending' }]);
  expect(await maintenance('show', home.workspace_id)).toMatchObject({ active: true });
  expect(await maintenance('end', home.workspace_id)).toMatchObject({ active: false });
  expect((await then.ended(home, id)).status).toBe('succeeded');
  await then.soundLog(home, id);
  expect(await typesOf(home, id)).toEqual([
    'run.created',
    'run.started',
    'step.started',
    'step.completed',
    'run.paused',
    'run.started',
    'step.started',
    'step.completed',
    'run.succeeded',
  ]);
  const log = await when.readsLog(home, id);
  expect(log[4]?.data).toEqual({ status: 'paused', reason: 'maintenance' });
  expect(log[5]?.data).toEqual({
    status: 'running',
    step_count: 2,
    resumed: true,
    reason: 'maintenance_over',
  });
});

test('a run in its last step is not held up', async () => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, [analyze('[[delay:2500]]')])).body;
  await then.event(home, id, 'step.started');
  await maintenance('start', home.workspace_id);
  expect((await then.ended(home, id)).status).toBe('succeeded');
  await maintenance('end', home.workspace_id);
});

test('runs created during maintenance are accepted and pause before their first step', async () => {
  const home = await given.workspace();
  await maintenance('start', home.workspace_id);
  const created = await when.createsPlanRun(home, [analyze('one')]);
  expect(created.status).toBe(202);
  const query = await call('POST', '/runs', {
    key: home.key,
    body: { input_type: 'query', query: 'list all companies' },
  });
  for (const { body } of [created, query]) {
    await paused(home, body.id);
    expect(await typesOf(home, body.id)).not.toContain('step.started');
  }
  await maintenance('end', home.workspace_id);
  for (const { body } of [created, query]) {
    expect((await then.ended(home, body.id)).status).toBe('succeeded');
    await then.soundLog(home, body.id);
  }
});

test('a rerun and a resume during maintenance report skipped steps once', async () => {
  const home = await given.workspace();
  const plan = [{ kind: 'inject_context', params: { text: 'x' } }, analyze('[[fail-once]]')];
  const { id } = (await when.createsPlanRun(home, plan)).body;
  await then.ended(home, id);
  await maintenance('start', home.workspace_id);
  const rerun = (await call('POST', `/runs/${id}/rerun-from`, { key: home.key, body: { step_index: 1 } }))
    .body;
  await call('POST', `/runs/${id}/resume`, { key: home.key });
  for (const one of [id, rerun.id]) await paused(home, one);
  await maintenance('end', home.workspace_id);
  for (const one of [id, rerun.id]) {
    await then.ended(home, one);
    await then.soundLog(home, one);
    expect((await typesOf(home, one)).filter((type) => type === 'step.skipped')).toHaveLength(1);
  }
});

test('a failure under maintenance leaves no pause for the resume after it', async () => {
  const home = await given.workspace();
  const { id } = (await when.createsPlanRun(home, [analyze('[[delay:2500]] [[fail-once]]'), analyze('two')]))
    .body;
  await then.event(home, id, 'step.started');
  await maintenance('start', home.workspace_id);
  expect((await then.ended(home, id)).status).toBe('failed');
  await maintenance('end', home.workspace_id);
  await call('POST', `/runs/${id}/resume`, { key: home.key });
  expect((await then.ended(home, id)).status).toBe('succeeded');
  expect(await typesOf(home, id)).not.toContain('run.paused');
});

test('a paused run is canceled at once', async () => {
  const home = await given.workspace({ credits: 100 });
  const { id } = (await when.createsPlanRun(home, twoSteps)).body;
  await then.event(home, id, 'step.started');
  await maintenance('start', home.workspace_id);
  await paused(home, id);
  const { status, body } = await call('POST', `/runs/${id}/cancel`, { key: home.key });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'canceled', usage: { credits_used: 20 } });
  const log = await when.readsLog(home, id);
  expect(log.at(-1)).toMatchObject({ event_type: 'run.canceled', data: { step_index: null } });
  await maintenance('end', home.workspace_id);
  await then.soundLog(home, id);
  const show = await admin({ command: 'workspace.show', workspace_id: home.workspace_id });
  expect(show).toMatchObject({ runs_in_flight: 0, credits_held: 0, credits_left: 80 });
});

test('starting and ending twice is harmless, and one workspace does not hold another', async () => {
  const [home, other] = await Promise.all([given.workspace(), given.workspace()]);
  await maintenance('start', home.workspace_id);
  await maintenance('start', home.workspace_id);
  const held = (await when.createsPlanRun(home, [analyze('held')])).body;
  const free = (await when.createsPlanRun(other, [analyze('free')])).body;
  await paused(home, held.id);
  expect((await then.ended(other, free.id)).status).toBe('succeeded');
  await maintenance('end', home.workspace_id);
  await maintenance('end', home.workspace_id);
  expect((await then.ended(home, held.id)).status).toBe('succeeded');
});

let service: OwnService;
beforeAll(async () => {
  service = await ownService();
});
afterAll(() => service?.stop());

test('maintenance of the service pauses every workspace, and that of a workspace outlasts it', async () => {
  const [first, second] = [await service.home(), await service.home()];
  expect(await service.admin({ command: 'maintenance.show' })).toMatchObject({ active: false });
  await service.admin({ command: 'maintenance.start' });
  await service.admin({ command: 'maintenance.start', workspace_id: second.workspace_id });
  const runs = [];
  for (const home of [first, second]) {
    const { id } = (await when.createsPlanRun(home, [analyze('one')])).body;
    await paused(home, id);
    runs.push(id);
  }
  await service.admin({ command: 'maintenance.end' });
  expect((await then.ended(first, runs[0] ?? '')).status).toBe('succeeded');
  expect((await when.readsRun(second, runs[1] ?? '')).status).toBe('paused');
  await service.admin({ command: 'maintenance.end', workspace_id: second.workspace_id });
  expect((await then.ended(second, runs[1] ?? '')).status).toBe('succeeded');
});

test('a paused run survives a restart of the service and continues after maintenance', async () => {
  const home = await service.home();
  const { id } = (await when.createsPlanRun(home, twoSteps)).body;
  await then.event(home, id, 'step.started');
  await service.admin({ command: 'maintenance.start' });
  await paused(home, id);
  await service.restart();
  expect(await service.admin({ command: 'maintenance.show' })).toMatchObject({ active: true });
  expect((await when.readsRun(home, id)).status).toBe('paused');
  await service.admin({ command: 'maintenance.end' });
  expect((await then.ended(home, id)).status).toBe('succeeded');
  await then.soundLog(home, id);
  expect((await typesOf(home, id)).filter((type) => type === 'run.paused')).toHaveLength(1);
});

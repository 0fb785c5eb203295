// rules.md: monitors 4, monitors 5, monitors 6, monitors 7, monitors 13, monitors 15, monitors 16. Due times on a virtual clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CreateRun } from '#contract/runs.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { newId, newTimeOrderedId } from '#platform/ids.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { changeState, readStates } from '#store/models/endpoints.ts';
import type { MonitorKey } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceQueue, replaceStateMachine, startedNames } from '../../support/fakes.ts';
import { useTable } from '../../support/table.ts';
import {
  by as actor,
  asks,
  listed,
  newMonitor,
  passes,
  setting,
  stored,
  swept,
  sweptOf,
  tenant,
  text,
  updates,
  works,
} from './scene.ts';

const NINE = Date.UTC(2026, 10, 23, 9);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const hourly = { cron: '0 * * * *' };
const at = (hour: number) => Date.UTC(2026, 10, 23, hour);

useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NINE + MINUTE_MS });
  replaceStateMachine();
  replaceQueue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The id of a monitor in the first partition of the index. */
const inOnePartition = () => `${newTimeOrderedId(Date.now()).slice(0, -1)}0`;
const lastRunOf = async (key: MonitorKey) => (await stored(key)).last_run_id ?? '';
const endsLastRun = async (key: MonitorKey) => cancelRun(key.workspace_id, await lastRunOf(key), actor);

test('the sweep queues a look ahead of the due time, delayed until then, and again while it is overdue', async () => {
  const key = await newMonitor(await tenant(), hourly);
  expect(await swept(key)).toEqual([]);
  vi.setSystemTime(at(10) - 50_500);
  expect(await swept(key)).toEqual([51]);
  vi.setSystemTime(at(10) + 9500);
  expect(await swept(key)).toEqual([0]);
  await works(key);
  expect(await swept(key)).toEqual([]);
});

test('of many monitors that are due at once, 30 of a partition fire in a second, 3 of one workspace; a later sweep agrees', async () => {
  const like = await stored(await newMonitor(await tenant(), { cron: '17 * * * *' }));
  await monitors.remove(like, []);
  const others = Array.from({ length: 65 }, () => ({ ...like, workspace_id: newId(), id: inOnePartition() }));
  const own = Array.from({ length: 7 }, () => ({ ...like, id: inOnePartition() }));
  for (const one of [...own, ...others]) await monitors.create(one, text, []);
  vi.setSystemTime(Number(like.next_fire_at) - 50_000);
  const ids = [...own, ...others].map(({ id }) => id);
  const first = await sweptOf(ids);
  const countsOf = (some: { id: string }[], seconds: number[]) =>
    seconds.map((second) => some.filter(({ id }) => first.get(id)?.[0] === second).length);
  expect(countsOf([...own, ...others], [49, 50, 51])).toEqual([0, 30, 30]);
  expect(Math.max(...countsOf(own, [50, 51, 52, 53, 54]))).toBe(3);
  passes(10_000);
  const later = await sweptOf(ids);
  expect([...later].map(([id, [delay = 0]]) => [id, [delay + 10]])).toEqual([...first]);
  // They would stay due for the sweeps of other tests.
  for (const one of [...own, ...others]) await monitors.remove(one, []);
});

test('a due time is one run, however often it is taken; what is not due is not', async () => {
  const key = await newMonitor(await tenant(), hourly);
  await works(key);
  expect(await listed(key)).toEqual([]);
  vi.setSystemTime(at(10));
  await Promise.all([works(key), works(key), works(key)]);
  await works(key);
  const run_id = await lastRunOf(key);
  expect(await listed(key)).toEqual([{ due_at: at(10), cause: 'schedule', outcome: 'run', run_id }]);
  expect(startedNames().filter((name) => name === run_id)).toHaveLength(1);
  expect(await stored(key)).toMatchObject({ next_fire_at: at(11) });
});

test('of the due times that were missed the newest fires, and the older ones are one entry', async () => {
  const key = await newMonitor(await tenant(), hourly);
  vi.setSystemTime(at(14) + 30 * MINUTE_MS);
  await works(key);
  expect(await listed(key)).toEqual([
    { due_at: at(14), cause: 'schedule', outcome: 'run', run_id: await lastRunOf(key) },
    { due_at: at(10), until: at(13), count: 4, cause: 'schedule', outcome: 'skipped', reason: 'missed' },
  ]);
});

test('what is older than `catch_up_seconds` is missed; a minute late is not', async () => {
  const by = await tenant();
  const [strict, late] = [
    await newMonitor(by, hourly, { catch_up_seconds: 0 }),
    await newMonitor(by, hourly, { catch_up_seconds: 0 }),
  ];
  vi.setSystemTime(at(10) + MINUTE_MS);
  await works(strict);
  expect(await listed(strict)).toMatchObject([{ outcome: 'run', due_at: at(10) }]);
  passes(1000);
  await works(late);
  expect(await listed(late)).toEqual([
    { due_at: at(10), until: at(10), count: 1, cause: 'schedule', outcome: 'skipped', reason: 'missed' },
  ]);
  expect(await stored(late)).toMatchObject({ next_fire_at: at(11) });
});

test('due times while paused are neither listed nor caught up', async () => {
  const key = await newMonitor(await tenant(), hourly);
  await updates(key, { status: 'paused' });
  expect((await stored(key)).next_fire_at).toBeUndefined();
  vi.setSystemTime(at(12) + MINUTE_MS);
  await works(key);
  await updates(key, { status: 'active' });
  await works(key);
  expect(await listed(key)).toEqual([]);
  expect(await stored(key)).toMatchObject({ next_fire_at: at(13) });
});

test('another schedule starts due times over, the same one changes nothing', async () => {
  const key = await newMonitor(await tenant(), hourly);
  vi.setSystemTime(at(10) + MINUTE_MS);
  await updates(key, { on: { ...hourly, timezone: 'UTC' }, name: 'N' });
  expect(await stored(key)).toMatchObject({ name: 'N', next_fire_at: at(10) });
  await updates(key, { on: { cron: '30 * * * *', timezone: 'UTC' } });
  expect(await stored(key)).toMatchObject({ next_fire_at: at(10) + 30 * MINUTE_MS });
});

test('`skip` lists a due time while the last run goes on, and the next one fires when it has ended', async () => {
  const key = await newMonitor(await tenant(), hourly);
  vi.setSystemTime(at(10));
  await works(key);
  vi.setSystemTime(at(11));
  await works(key);
  const skipped = { due_at: at(11), cause: 'schedule', outcome: 'skipped', reason: 'overlap' };
  expect((await listed(key))[0]).toEqual(skipped);
  await endsLastRun(key);
  vi.setSystemTime(at(12));
  await works(key);
  expect(await listed(key)).toMatchObject([{ outcome: 'run', due_at: at(12) }, skipped, {}]);
});

test('`queue` fires once when the run has ended; further due times are skipped; pausing skips what waits', async () => {
  const key = await newMonitor(await tenant(), hourly, { overlap: 'queue' });
  for (const hour of [10, 11, 12]) {
    vi.setSystemTime(at(hour));
    await works(key);
  }
  const first = await lastRunOf(key);
  expect(await listed(key)).toMatchObject([
    { due_at: at(12), outcome: 'skipped', reason: 'overlap' },
    { due_at: at(11), outcome: 'queued' },
    { due_at: at(10), outcome: 'run', run_id: first },
  ]);
  // The sweep looks every minute, should the message of the run's end be lost.
  passes(2 * MINUTE_MS);
  expect(await swept(key)).toEqual([0]);
  await endsLastRun(key);
  await works(key);
  expect(await listed(key)).toMatchObject([{}, { due_at: at(11), outcome: 'run' }, { run_id: first }]);
  vi.setSystemTime(at(13));
  await works(key);
  await updates(key, { status: 'paused' });
  expect((await listed(key))[0]).toMatchObject({ due_at: at(13), outcome: 'skipped', reason: 'paused' });
  expect(await swept(key)).toEqual([]);
});

test('two requests in the same millisecond make two runs, the second when the first has ended', async () => {
  const key = await newMonitor(await tenant(), hourly, { overlap: 'queue' });
  const first = await asks(key);
  expect(await asks(key)).toMatchObject({ due_at: first?.due_at, outcome: 'queued' });
  passes(1000);
  await endsLastRun(key);
  await works(key);
  const made = await listed(key);
  expect(made).toMatchObject([{ outcome: 'run' }, { outcome: 'run' }]);
  expect(new Set(made.map(({ run_id }) => run_id)).size).toBe(2);
});

test('a time whose run exists is passed over when a clock that is behind makes it due again', async () => {
  const key = await newMonitor(await tenant(), hourly);
  vi.setSystemTime(at(10));
  await works(key);
  await endsLastRun(key);
  const entries = await listed(key);
  await monitors.commit(await stored(key), { next_fire_at: at(10) });
  await works(key);
  expect(await listed(key)).toEqual(entries);
  expect(await stored(key)).toMatchObject({ next_fire_at: at(11) });
});

test('a query that is due twice at once is understood once', async () => {
  const run: CreateRun = { input_type: 'query', query: 'How many companies are there?' };
  const key = await newMonitor(await tenant(), hourly, { run, overlap: 'skip' });
  const calls = vi.spyOn(setting.model.model, 'call');
  vi.setSystemTime(at(10));
  await Promise.all([works(key), works(key)]);
  expect(await listed(key)).toHaveLength(1);
  expect(calls).toHaveBeenCalledTimes(1);
});

test('a refusal is listed with its code, and the monitor goes on to the next due time', async () => {
  const by = await tenant();
  const key = await newMonitor(by, hourly);
  await workspaces.update(by.workspace_id, { max_concurrent_runs: 0 });
  vi.setSystemTime(at(10));
  await works(key);
  await workspaces.update(by.workspace_id, { max_concurrent_runs: 5, daily_cost_cap_usd: 0 });
  vi.setSystemTime(at(11));
  await works(key);
  await apiKeys.revoke(by.key_id, actor);
  vi.setSystemTime(at(12));
  await works(key);
  await workspaces.update(by.workspace_id, { status: 'suspended' });
  expect(await listed(key)).toMatchObject([
    { outcome: 'refused', reason: 'auth_invalid' },
    { outcome: 'refused', reason: 'workspace_cost_cap_exceeded' },
    { outcome: 'refused', reason: 'concurrent_runs_exceeded' },
  ]);
});

test('a fire that fails for a reason of its own is refused once, and the next due time comes', async () => {
  const key = await newMonitor(await tenant(), hourly);
  vi.setSystemTime(at(10));
  const restore = aroundTable(async ({ name, input }, carryOut) => {
    const isCreate = name === 'TransactWriteCommand' && JSON.stringify(input).includes('#RUN#');
    if (isCreate) throw new Error('a value that nothing can store');
    return carryOut();
  });
  await works(key);
  restore();
  expect(await listed(key)).toMatchObject([{ due_at: at(10), outcome: 'refused', reason: 'internal_error' }]);
  vi.setSystemTime(at(11));
  await works(key);
  expect((await listed(key))[0]).toMatchObject({ due_at: at(11), outcome: 'run' });
});

test('a run that was accepted once, and is refused by now, is refused at each due time', async () => {
  const run: CreateRun = { ...text, config: { max_cost_usd: 1e-300 } };
  const key = await newMonitor(await tenant(), hourly, { run });
  for (const hour of [10, 11]) {
    vi.setSystemTime(at(hour));
    await works(key);
  }
  const refused = { outcome: 'refused', reason: 'schema_validation_failed' };
  expect(await listed(key)).toMatchObject([
    { due_at: at(11), ...refused },
    { due_at: at(10), ...refused },
  ]);
});

test('trouble of a service is no refusal: the fire is made when it has passed', async () => {
  const key = await newMonitor(await tenant(), hourly);
  vi.setSystemTime(at(10));
  const restore = aroundTable(async ({ name }, carryOut) => {
    if (name === 'TransactWriteCommand') throw new ServiceTrouble('the table is away');
    return carryOut();
  });
  await expect(works(key)).rejects.toThrow('the table is away');
  restore();
  expect(await listed(key)).toEqual([]);
  await works(key);
  expect(await listed(key)).toMatchObject([{ due_at: at(10), outcome: 'run' }]);
});

test('a monitor whose key was rotated passes to the successor at its next fire, should the rotation have missed it', async () => {
  const by = await tenant();
  const key = await newMonitor(by, hourly);
  const found = await apiKeys.getById(by.key_id);
  if (!found) throw new Error('there is no such key');
  const key_id = by.key_id.replace(/.{4}$/, 'ffff');
  const replaced = await apiKeys.replaceWrites(by.key_id, key_id, Date.now());
  await apiKeys.create({ ...found, key_id, successor_of: by.key_id }, 'other hash', 'sealed', replaced);
  vi.setSystemTime(at(10));
  await works(key);
  expect(await listed(key)).toMatchObject([{ outcome: 'run' }]);
  expect(await stored(key)).toMatchObject({ key_id });
});

test('rule 19: a refusal that may pass is tried again while the monitor catches up, on request it is not', async () => {
  const run: CreateRun = { input_type: 'query', query: 'How many companies are there? [[fail]]' };
  const key = await newMonitor(await tenant(), hourly, { run });
  // It catches up for an hour, of which the last minute leaves no look of the sweep.
  for (const minutes of [0.5, 30, 58.9]) {
    vi.setSystemTime(at(10) + minutes * MINUTE_MS);
    await works(key);
    expect(await listed(key)).toEqual([]);
    expect(await swept(key)).toEqual([0]);
  }
  vi.setSystemTime(at(10) + 59 * MINUTE_MS);
  await works(key);
  const refused = { outcome: 'refused', reason: 'model_unavailable' };
  expect(await listed(key)).toMatchObject([{ due_at: at(10), ...refused }]);
  expect(await asks(key)).toMatchObject({ cause: 'request', ...refused });
});

test('rule 19: while the model is away a query is not asked, for as long as it takes; then it fires', async () => {
  const run: CreateRun = { input_type: 'query', query: 'How many companies are there?' };
  const key = await newMonitor(await tenant(), hourly, { run });
  const away = { times: 5, since: at(10), went_at: at(10), until: at(10) + 40 * MINUTE_MS };
  await changeState('offline', () => away);
  for (const minutes of [0.5, 10, 39]) {
    vi.setSystemTime(at(10) + minutes * MINUTE_MS);
    await works(key);
    expect(await listed(key)).toEqual([]);
    // No call has tried it.
    expect((await readStates(['offline'])).get('offline')).toEqual(away);
  }
  vi.setSystemTime(at(10) + 40 * MINUTE_MS);
  await works(key);
  expect(await listed(key)).toMatchObject([{ due_at: at(10), outcome: 'run' }]);
  expect((await readStates(['offline'])).get('offline')).toMatchObject({ times: 0 });
});

test('nothing is written for a workspace that is being purged', async () => {
  const by = await tenant();
  const key = await newMonitor(by, hourly);
  await workspaces.update(by.workspace_id, { status: 'deleted', closed_at: Date.now() });
  vi.setSystemTime(at(10) + HOUR_MS);
  await works(key);
  expect(await listed(key)).toEqual([]);
});

// rules.md: monitors 12. What a fire costs beside its run, and a page of monitors.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CreateRun } from '#contract/runs.ts';
import { checkStanding } from '#domain/access/authenticate.ts';
import { checkCreate } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { listMonitors } from '#domain/monitors/views.ts';
import { check } from '#edge/check-schema.ts';
import type { Item } from '#store/table/table.ts';
import { findKeyWithCosts } from '#store/workspaces/api-keys.ts';
import { body, livesOn } from '../../proofs/sim/stack-run.ts';
import { aroundTable } from '../../support/around-table.ts';
import { giveServiceSecret, replaceQueue, replaceStateMachine } from '../../support/fakes.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { useTable } from '../../support/table.ts';
import { listed, newMonitor, passes, setting, stored, tenant, works } from './scene.ts';

const DAY_MS = 24 * 3600 * 1000;

useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 23, 9) });
  replaceStateMachine();
  replaceQueue();
  giveServiceSecret();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The calls and the write units that `work` takes of the table. */
async function costOf(work: () => Promise<unknown>): Promise<{ calls: string[]; write_units: number }> {
  const cost = { calls: [] as string[], write_units: 0 };
  const restore = aroundTable(async ({ name, input }, carryOut) => {
    cost.calls.push(name);
    Object.assign(input, { ReturnConsumedCapacity: 'TOTAL' });
    const reply = await carryOut();
    const { ConsumedCapacity = [] }: Item = Object(reply);
    const units = [ConsumedCapacity].flat().map((of) => Number(Object(of).CapacityUnits));
    if (!/^(Get|BatchGet|Query)/.test(name)) cost.write_units += units.reduce((sum, one) => sum + one, 0);
    return reply;
  });
  await work();
  restore();
  return cost;
}

test('a fire takes at most twelve write units beside its run', async () => {
  const by = await tenant();
  const found = await findKeyWithCosts(by.key_id, by.workspace_id);
  const caller = { ...found, ...checkStanding(found.key, found.workspace) };
  const checked = checkCreate(body, check);
  const request = { caller, request_id: 'r', checked, idempotency: undefined };
  const alone = await costOf(async () => {
    const { run } = await startedRun(createRun(request, setting.model));
    await livesOn({ workspace_id: run.workspace_id, run_id: run.id, execution: run.execution });
  });
  const key = await newMonitor(by, { cron: '0 8 * * *' }, { run: CreateRun.parse(body) });
  passes(DAY_MS);
  const fired = await costOf(async () => {
    await works(key);
    const run_id = (await stored(key)).last_run_id ?? '';
    await livesOn({ workspace_id: key.workspace_id, run_id, execution: run_id });
  });
  expect(await listed(key)).toMatchObject([{ outcome: 'run' }]);
  expect(fired.write_units).toBeGreaterThan(alone.write_units);
  expect(fired.write_units - alone.write_units).toBeLessThanOrEqual(12);
});

test('a page of monitors with their newest fires is two reads, however many monitors it has', async () => {
  const by = await tenant();
  for (let i = 0; i < 5; i += 1) await newMonitor(by, { cron: '0 8 * * *' });
  const { data } = await listMonitors(by.workspace_id, {});
  expect(data.map(({ last_fire }) => last_fire)).toEqual(Array(5).fill(null));
  passes(DAY_MS);
  for (const { id } of data) await works({ workspace_id: by.workspace_id, monitor_id: id });
  const { calls } = await costOf(async () => {
    const page = await listMonitors(by.workspace_id, {});
    expect(page.data.map(({ last_fire }) => last_fire?.outcome)).toEqual(Array(5).fill('run'));
  });
  expect(calls).toEqual(['QueryCommand', 'BatchGetCommand']);
});

// The sweep of counters: it reads only workspaces with a slot or a pending ledger entry.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { forgetEmpty, grantWrite, readCounters } from '#store/money/counters.ts';
import { releaseSlot } from '#store/money/slots.ts';
import { getItem, transact } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
let id: string;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller();
  id = by.workspace.workspace_id;
});

const LOOK_MS = 5 * 60_000;
const later = () => Date.now() + 10 * 60_000;
const dueAt = async () => (await getItem(keys.counters(id)))?.due_at;

test('a workspace without a run is not looked at', async () => {
  expect(await dueAt()).toBeUndefined();
});

test('a claim has its workspace looked at, and a further claim does not put that off', async () => {
  await givenRun(by);
  const first = await dueAt();
  expect(first).toBeGreaterThan(Date.now() + LOOK_MS - 10_000);
  await givenRun(by);
  expect(await dueAt()).toBe(first);
});

test('a workspace with a run in flight is checked again, and forgotten when it has none', async () => {
  const run = await givenRun(by);
  const time = sweepTime(later());
  await sweepSlots(time);
  expect(await dueAt()).toBe(time.now + LOOK_MS);
  await releaseSlot(id, run.id, 0);
  await sweepSlots(sweepTime(time.now + LOOK_MS + 1));
  expect(await dueAt()).toBeUndefined();
});

test('a slot without a run is released, and its workspace forgotten in the same sweep', async () => {
  await claimSlot(id, 'never-written', 100, undefined);
  const time = sweepTime(later());
  vi.spyOn(Date, 'now').mockReturnValue(time.now);
  const swept = await sweepSlots(time);
  vi.restoreAllMocks();
  expect(swept).toMatchObject({ slots_released: 1, repairs_failed: 0 });
  expect((await readCounters(id)).slots).toEqual({});
  expect(await dueAt()).toBeUndefined();
});

test('a claim made between the check and the removal keeps its workspace due', async () => {
  await givenRun(by);
  expect(await forgetEmpty(id)).toBe(false);
  expect(await dueAt()).toBeDefined();
});

test('pending entries of the ledger are moved, and keep their workspace in sight until then', async () => {
  by = await caller(1000);
  id = by.workspace.workspace_id;
  expect(await dueAt()).toBeDefined();
  await sweepSlots(sweepTime(later()));
  expect((await readCounters(id)).noted).toEqual([]);
  expect(await dueAt()).toBeUndefined();
  await transact([grantWrite(id, 50)]);
  expect(await dueAt()).toBeDefined();
});

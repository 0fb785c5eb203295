// Commands over all workspaces: a page of them a call, however many there are.
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { renewIndexes } from '#domain/records/renew-indexes.ts';
import { endMaintenance, showMaintenance, startMaintenance } from '#domain/workspaces/maintenance.ts';
import { newId } from '#platform/ids.ts';
import * as heads from '#store/records/record-heads.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { table } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { listDeliveries } from '../../../functions/admin/list-deliveries.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { actor, caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(replaceStateMachine);

/** More than a page; what the list names need not exist. */
const LISTED = 1200;
const BATCH = 25;
let run: RunRecord;

beforeAll(async () => {
  const listed = Array.from({ length: LISTED }, () => keys.listedWorkspace(`0000${newId().slice(4)}`));
  const puts = listed.map((Item) => ({ PutRequest: { Item } }));
  for (let i = 0; i < puts.length; i += BATCH)
    await table.send(new BatchWriteCommand({ RequestItems: { Table: puts.slice(i, i + BATCH) } }));
  // After all of these in the order of the list.
  run = await givenRun(await caller());
});

/** The answers of a call, each from where the one before ended. */
async function pagesOf<Page extends { next?: string | undefined }>(
  call: (after: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await call(undefined)];
  for (let last = pages.at(-1); last?.next !== undefined; last = pages.at(-1))
    pages.push(await call(last.next));
  return pages;
}

test('a run is found in whichever page its workspace is', async () => {
  const pages = await pagesOf((after) => listDeliveries(run.id, after));
  expect(pages.map(({ next }) => typeof next)).toEqual(['string', 'undefined']);
  await expect(pagesOf((after) => listDeliveries(newId(), after))).rejects.toMatchObject({
    code: 'run_not_found',
  });
});

test('maintenance of the service reaches the runs of every page', async () => {
  const started = await pagesOf((after) => startMaintenance(undefined, after, actor));
  expect(started.map(({ active, runs: asked }) => ({ active, asked }))).toEqual([
    { active: true, asked: 0 },
    { active: true, asked: 1 },
  ]);
  await startMaintenance(run.workspace_id, undefined, actor);
  const shown = await pagesOf((after) => showMaintenance(undefined, after));
  expect(shown.map(({ workspaces }) => workspaces)).toEqual([[], [run.workspace_id]]);
  await endMaintenance(run.workspace_id, undefined, actor);
  const ended = await pagesOf((after) => endMaintenance(undefined, after, actor));
  expect(ended.map(({ active, runs: asked }) => ({ active, asked }))).toEqual([
    { active: false, asked: 0 },
    { active: false, asked: 1 },
  ]);
  expect((await runs.get(run.workspace_id, run.id))?.pause_requested).toBeUndefined();
});

/** Has the table name a snapshot of the records of a workspace, made now. */
async function withSnapshot(workspaceId: string): Promise<void> {
  const { incarnation } = await heads.getOrCreate(workspaceId);
  const snapshot = { generation: 1, schema: 1, incarnation, cursor_ms: Date.now(), records: 1 };
  await heads.replaceSnapshot(workspaceId, 0, {
    ...snapshot,
    prefix: 'any',
    part_sums: [],
    objects: {},
  });
}

test('indexes of the workspaces of every page are renewed, and a snapshot is due where one was (rules.md: admin 9)', async () => {
  const [large, small] = [run.workspace_id, (await givenRun(await caller())).workspace_id];
  await withSnapshot(large);
  await heads.getOrCreate(small);
  const before = await Promise.all([large, small].map(heads.get));
  const pages = await pagesOf((after) => renewIndexes(undefined, after));
  const total = (name: 'workspaces' | 'indexes_renewed' | 'compactions_scheduled') =>
    pages.reduce((sum, page) => sum + page[name], 0);
  expect(pages.length).toBeGreaterThan(1);
  expect(total('workspaces')).toBeGreaterThan(LISTED);
  expect([total('indexes_renewed'), total('compactions_scheduled')]).toEqual([2, 1]);
  const after = await Promise.all([large, small].map(heads.get));
  expect(after.map((head) => head?.snapshot)).toEqual([undefined, undefined]);
  expect(after.map((head) => (head?.due_at ?? Number.POSITIVE_INFINITY) <= Date.now())).toEqual([
    true,
    false,
  ]);
  for (const [i, head] of after.entries()) expect(head?.incarnation).not.toBe(before[i]?.incarnation);
});

test('the index of one workspace is renewed alone, as often as it is asked for', async () => {
  const { workspace_id } = (await caller()).workspace;
  expect(await renewIndexes(workspace_id, undefined)).toMatchObject({ workspaces: 1, indexes_renewed: 0 });
  expect(await heads.get(workspace_id)).toBeUndefined();
  await heads.getOrCreate(workspace_id);
  for (let times = 0; times < 2; times += 1)
    expect(await renewIndexes(workspace_id, undefined)).toMatchObject({ workspaces: 1, indexes_renewed: 1 });
  await expect(renewIndexes(newId(), undefined)).rejects.toMatchObject({ code: 'workspace_not_found' });
});

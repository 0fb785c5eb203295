// How long runs are stored: forever, or for the stage's number of days, with all their data.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CreateRun } from '#contract/runs.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { rerunRun } from '#domain/commands/rerun-run.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { listRuns } from '#domain/runs/list-runs.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import * as artifacts from '#store/runs/artifacts.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { type Item, table } from '#store/table/table.ts';
import { giveServiceSecret, replaceQueue, replaceStateMachine } from '../../support/fakes.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { caller } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => {
  replaceStateMachine();
  replaceQueue();
  giveServiceSecret();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const DAY_MS = 24 * 3600 * 1000;
const prices = { offline: { input: 1, cached_input: 1, output: 4 } };
const body = {
  input_type: 'plan' as const,
  plan: {
    title: 'Plan',
    steps: [
      { kind: 'inject_context' as const, title: 'Text', params: { text: 'Berlin is a city.' } },
      {
        kind: 'transform' as const,
        title: 'Each',
        instructions: 'name it',
        params: { output_fields: ['label'] },
      },
      { kind: 'reconstitute' as const, title: 'Answer', params: { expected_artifacts: ['text'] } },
    ],
  },
  metadata: { team: 'red' },
} as unknown as CreateRun;

/** A run of a new workspace, created under the key `again`. */
async function created(by: Awaited<ReturnType<typeof caller>>) {
  const idempotency = await idempotencyKeyOf('again', 'runs', by.workspace.workspace_id, body);
  const request = { caller: by, request_id: 'r', checked: { body, callback: undefined }, idempotency };
  const model = offlineModel();
  return startedRun(createRun(request, { model, prices }));
}

async function ended(run: RunRecord): Promise<void> {
  const key = { workspace_id: run.workspace_id, run_id: run.id };
  const limits = {
    max_parallel_calls: 1,
    model_wait_seconds: 0,
    slice_ms: 60_000,
    steps_per_slice: undefined,
  };
  const sourcesFor = () => sourcesOf(run, async () => []);
  expect(await executeSlice(key, { model: offlineModel(), prices, ...limits, sourcesFor })).toBe('end');
}

/** The table's items of a run: its partition, its lists, its key, its artifacts. */
async function itemsOf(run: RunRecord): Promise<Item[]> {
  const { Items = [] } = await table.send(new ScanCommand({ TableName: 'Table', ConsistentRead: true }));
  const own = /#(RUN#|RUNS|IDEMPOTENCY#|ARTIFACTS|NOTES)/;
  return Items.filter(({ pk }) => String(pk).startsWith(`WS#${run.workspace_id}`) && own.test(String(pk)));
}
const kindOf = ({ pk, sk }: Item) => /^[A-Z]+/.exec(String(sk))?.[0] ?? String(pk).split('#')[2];

function travelTo(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: ms });
}

test('a stage that retains runs sets an expiry on events and calls only', async () => {
  const by = await caller();
  const { run } = await created(by);
  await ended(run);
  const stamped = (await itemsOf(run)).filter(({ expires_at_seconds }) => expires_at_seconds !== undefined);
  expect(new Set(stamped.map(kindOf))).toEqual(new Set(['EVENT']));
});

test('with a retention every item of a run expires on its last day, events earlier', async () => {
  vi.stubEnv('RETAIN_DAYS', '90');
  const { run } = await created(await caller());
  await ended(run);
  const items = await itemsOf(run);
  const last = Math.ceil((run.created_at + 90 * DAY_MS) / 1000);
  const rest = items.filter((item) => !['EVENT', 'CALL'].includes(kindOf(item) ?? ''));
  expect(rest.map((item) => [item.sk, item.expires_at_seconds])).toEqual(rest.map(({ sk }) => [sk, last]));
  expect(new Set(rest.map(kindOf))).toEqual(new Set(['META', 'INPUT', 'STEP', 'KEY', 'RUNS', 'ARTIFACTS']));
});

test('what has expired is not shown though the table still has it, and its key is free', async () => {
  vi.stubEnv('RETAIN_DAYS', '90');
  const by = await caller();
  const { run } = await created(by);
  await ended(run);
  const [artifact] = (await runs.get(run.workspace_id, run.id))?.artifacts ?? [];
  const artifactId = artifact?.id ?? '';
  travelTo(run.created_at + 90 * DAY_MS - 60_000);
  expect((await created(by)).replayed).toBe(true);
  travelTo(run.created_at + 90 * DAY_MS + 1000);
  expect(await runs.get(run.workspace_id, run.id)).toBeUndefined();
  expect(await artifacts.openText(run.workspace_id, artifactId)).toBeUndefined();
  expect((await listRuns(by.workspace, {})).data).toEqual([]);
  const anew = await created(by);
  expect([anew.replayed, anew.run.status]).toEqual([false, 'pending']);
  await ended(anew.run);
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({
    status: 'succeeded',
    created_at: anew.run.created_at,
  });
});

test('in its last week a run is read, but no work is begun upon its steps', async () => {
  vi.stubEnv('RETAIN_DAYS', '90');
  const by = await caller();
  const { run } = await created(by);
  await ended(run);
  const rerun = (step_index: number) => {
    const request = { caller: by, request_id: 'r', run_id: run.id, idempotency: undefined };
    return rerunRun({ ...request, body: { step_index } }, { names: ['offline'], prices });
  };
  travelTo(run.created_at + 82 * DAY_MS);
  expect((await rerun(1)).run.status).toBe('pending');
  travelTo(run.created_at + 84 * DAY_MS);
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({ status: 'succeeded' });
  await expect(rerun(1)).rejects.toMatchObject({ code: 'checkpoint_not_found' });
  expect((await rerun(0)).run.status).toBe('pending');
});

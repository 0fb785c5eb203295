// The sources of a run over the real index: candidates of an index of vectors, and an index that is behind.
import { QueryVectorsCommand, S3VectorsClient } from '@aws-sdk/client-s3vectors';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Entity } from '#contract/entities.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { RecordsBehind } from '#domain/records/records-protocol.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { newId } from '#platform/ids.ts';
import { transactRecords } from '#store/records/changes.ts';
import { entityWrites } from '#store/records/entity-items.ts';
import * as runs from '#store/runs/runs.ts';
import { replaceQueue, replaceStateMachine } from '../../support/fakes.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

const service = mockClient(S3VectorsClient);
let by: Caller;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  replaceQueue();
  by = await caller();
});
afterEach(() => {
  service.reset();
  delete process.env.VECTOR_BUCKET_ARN;
});

async function saved(name: string, city: string, vector: number[]): Promise<Entity> {
  const { workspace_id } = by.workspace;
  const times = { created_at: 1, updated_at: 1 };
  const entity = { id: newId(), workspace_id, type: 'company', name, fields: { city }, ...times };
  await transactRecords(workspace_id, { records: [entity.id] }, entityWrites(entity, { vector }));
  return entity;
}

test('of the candidates that an index of vectors names, those that match the condition are scored exactly', async () => {
  const far = await saved('Far', 'Oslo', [0, 1]);
  // A direction that bytes keep without loss.
  const near = await saved('Near', 'Oslo', [1, 1]);
  const other = await saved('Other', 'Rome', [1, 0]);
  await saved('Unnamed', 'Oslo', [1, 0]);
  process.env.VECTOR_BUCKET_ARN = 'arn:aws:s3vectors:us-east-1:000000000000:bucket/b';
  const vectors = [far, near, other].map(({ id }) => ({ key: id }));
  service.on(QueryVectorsCommand).resolves({ vectors, distanceMetric: 'cosine' });
  const sources = sourcesOf(
    { workspace_id: by.workspace.workspace_id, id: newId(), config: {} },
    async () => [[1, 0]],
  );
  const where = { field: 'city', op: '=', value: 'Oslo' } as const;
  const found = await sources.similar('x', { source: 'companies', where, limit: 5, min_score: 0 });
  expect(found?.map(({ name, score }) => [name, score])).toEqual([
    ['Near', expect.closeTo(Math.SQRT1_2, 6)],
    ['Far', 0],
  ]);
});

test('an index that is behind fails the task, which may be retried, and not the step', async () => {
  const run = await givenRun(by, { steps: [{ index: 0, kind: 'fetch', title: 'Fetch', params: {} }] });
  const key = { workspace_id: run.workspace_id, run_id: run.id };
  const behind = async () => {
    throw new RecordsBehind(run.workspace_id);
  };
  const setting = {
    model: offlineModel(),
    prices: { offline: { input: 1, cached_input: 1, output: 1 } },
    max_parallel_calls: 1,
    model_wait_seconds: 0,
    slice_ms: 1000,
    steps_per_slice: undefined,
  };
  const sources = sourcesOf(run, async () => []);
  const plan = { ...setting, sourcesFor: () => ({ ...sources, find: behind }) };
  await expect(executeSlice(key, plan)).rejects.toThrow(RecordsBehind);
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({ status: 'running', errors: [] });
  expect(await executeSlice(key, { ...setting, sourcesFor: () => sources })).toBe('end');
  expect(await runs.get(run.workspace_id, run.id)).toMatchObject({ status: 'succeeded' });
});

// Questions to records as they travel to the function that reads the indexes, and its answers.
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { openRecords } from '#domain/records/records-client.ts';
import { RecordsBehind } from '#domain/records/records-protocol.ts';
import { createStepReading } from '#domain/records/step-reading.ts';
import { newId } from '#platform/ids.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { TooCostly } from '#record-index/reading-limits.ts';
import { transactRecords } from '#store/records/changes.ts';
import { entityWrites } from '#store/records/entity-items.ts';
import { table } from '#store/table/table.ts';
import { handler } from '../../../functions/jobs/answer-questions.ts';
import { useTable } from '../../support/table.ts';
import { objects } from './bucket.ts';
import { BUDGET_MS, entityOf, folder, idOf, newWorkspace, put, workspace } from './readers.ts';

useTable();
vi.mock('#store/table/object-store.ts', async (original) => ({
  ...(await original<object>()),
  putObject: async (key: string, json: Buffer<ArrayBuffer>) => void objects.set(key, json),
  getObject: async (key: string) => String(objects.get(key)),
}));

beforeEach(() => {
  vi.restoreAllMocks();
  objects.clear();
  newWorkspace();
  process.env.RECORD_INDEX_DIR = `${folder}/questions`;
});

const all = { types: null, sort: 'name_asc', limit: 100 } as const;
const namesOf = (hits: { id: string }[]) => hits.map(({ id }) => id);

test('the questions of one view catch up once, and a new view sees what was written since', async () => {
  await put(1, 'Acme');
  const ask = openRecords(workspace, BUDGET_MS);
  expect(await ask('types')).toEqual(['company']);
  const reads = vi.spyOn(table, 'send');
  expect(namesOf((await ask('find', all)).hits)).toEqual([idOf(1)]);
  expect(reads).not.toHaveBeenCalled();
  await put(2, 'Beta');
  expect(namesOf((await openRecords(workspace, BUDGET_MS)('find', all)).hits)).toEqual([idOf(1), idOf(2)]);
});

test('a question that reaches another environment than the one before catches up there', async () => {
  await put(1, 'Acme');
  const question = { workspace_ids: [workspace], operation: 'types', budget_ms: BUDGET_MS };
  await handler(question);
  const reads = vi.spyOn(table, 'send');
  await handler({ ...question, after: { environment: 'another', at: 1 } });
  expect(reads).toHaveBeenCalled();
});

test('questions asked at once share one catch-up', async () => {
  await put(1, 'Acme');
  await openRecords(workspace, BUDGET_MS)('types');
  const reads = vi.spyOn(table, 'send');
  const ask = openRecords(workspace, BUDGET_MS);
  await Promise.all([ask('types'), ask('find', all), ask('outline')]);
  // The head, and what has changed.
  expect(reads).toHaveBeenCalledTimes(2);
});

test('an answer that a reply has no room for goes through the bucket', async () => {
  for (let n = 0; n < 60; n += 1) {
    const entity = { ...entityOf(n, `Name ${n}`), fields: { text: 'x'.repeat(100_000) } };
    await transactRecords(workspace, { records: [entity.id] }, entityWrites(entity, { vector: [1] }));
  }
  const ask = openRecords(workspace, BUDGET_MS);
  const { hits } = await ask('find', { ...all, limit: 8 });
  expect([hits.length, objects.size]).toEqual([8, 0]);
  const more = await ask('find', all);
  expect([more.hits.length, more.matched]).toEqual([60, 60]);
  expect([...objects.keys()]).toEqual([expect.stringMatching(`^record-answers/${workspace}/`)]);
});

test('a record that does not exist is not found', async () => {
  expect(
    await openRecords(workspace, BUDGET_MS)('recordWithLinks', { id: idOf(1), limit: 1 }),
  ).toBeUndefined();
});

test('a step pays for its readings from one allowance, and learns that it is used', async () => {
  await put(1, 'Acme');
  const run = { workspace_id: workspace, id: newId() };
  const reading = createStepReading(run);
  await openRecords(workspace, BUDGET_MS, { reading })('find', all);
  expect(reading.left.ms).toBeLessThan(createStepReading(run).left.ms);
  const used = createStepReading(run, { ms: -1, pairs: 1 });
  const failed = openRecords(workspace, BUDGET_MS, { reading: used })('find', all);
  await expect(failed).rejects.toThrow(new TooCostly('time', createStepReading(run).left.ms));
});

test('an index that cannot catch up in time is behind for the asker, too, and answers once it has', async () => {
  await put(1, 'Acme');
  await expect(openRecords(workspace, -1)('types')).rejects.toThrow(RecordsBehind);
  expect(await openRecords(workspace, BUDGET_MS)('types')).toEqual(['company']);
});

test('trouble of a service that the function needs is trouble for the asker', async () => {
  await put(1, 'Acme');
  await openRecords(workspace, BUDGET_MS)('types');
  vi.spyOn(table, 'send').mockRejectedValue(new ServiceTrouble('no capacity'));
  const ask = openRecords(workspace, BUDGET_MS);
  await expect(ask('types')).rejects.toThrow(ServiceTrouble);
  vi.restoreAllMocks();
  expect(await ask('types')).toEqual(['company']);
});

test('a crash or a timeout of the function is trouble that passes; an error of its code is not', async () => {
  const lambda = mockClient(LambdaClient);
  const fails = (errorType: string) =>
    lambda.on(InvokeCommand).resolves({
      FunctionError: 'Unhandled',
      Payload: Object.assign(Buffer.from(JSON.stringify({ errorType, errorMessage: 'm' }))),
    });
  const asked = () => openRecords(workspace, BUDGET_MS)('types');
  for (const errorType of ['Runtime.ExitError', 'Sandbox.Timedout']) {
    fails(errorType);
    await expect(asked()).rejects.toThrow(ServiceTrouble);
  }
  fails('TypeError');
  await expect(asked()).rejects.not.toThrow(ServiceTrouble);
  await expect(asked()).rejects.toThrow('records were not read: TypeError m');
  lambda.restore();
});

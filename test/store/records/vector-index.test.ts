// The adapter for Amazon S3 Vectors: what it asks of the service, and what the port makes of it.
import {
  ConflictException,
  CreateIndexCommand,
  DeleteIndexCommand,
  DeleteVectorsCommand,
  ListIndexesCommand,
  NotFoundException,
  PutVectorsCommand,
  QueryVectorsCommand,
  S3VectorsClient,
} from '@aws-sdk/client-s3vectors';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { offlineVectorOf } from '#contract/embeddings.ts';
import type { Entity } from '#contract/entities.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { rebuildVectors } from '#domain/records/rebuild-vectors.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import { newId } from '#platform/ids.ts';
import { entityDeletes, entityWrites } from '#store/records/entity-items.ts';
import { candidates, eraseVectors, getMany, indexRecords, unindexRecords } from '#store/records/vectors.ts';
import { transact } from '#store/table/table.ts';
import { allRecords } from '../../support/records-in-table.ts';
import { useTable } from '../../support/table.ts';

const bucketArn = 'arn:aws:s3vectors:us-east-1:000000000000:bucket/b';
const indexArn = () => `${bucketArn}/index/${workspace}`;
const missing = () => new NotFoundException({ message: 'no such index', $metadata: {} });
const service = mockClient(S3VectorsClient);
/** Two dimensions of the offline embedding. */
const TWO = offlineVectorOf(2);
let workspace: string;
useTable();
beforeEach(async () => {
  process.env.VECTOR_BUCKET_ARN = bucketArn;
  service.on(PutVectorsCommand).resolves({});
  workspace = (await createWorkspace({ name: 'Vectors' })).workspace_id;
});
afterEach(() => {
  service.reset();
  delete process.env.VECTOR_BUCKET_ARN;
});

function company(name: string): Entity {
  const at = Date.now();
  return {
    id: newId(),
    workspace_id: workspace,
    type: 'company',
    name,
    fields: {},
    created_at: at,
    updated_at: at,
  };
}
async function saved(name: string, vector = [1, 0]): Promise<Entity> {
  const entity = company(name);
  await transact(entityWrites(entity, { vector }));
  return entity;
}

test('the index of the workspace names the candidates of the types; their vectors come from the table', async () => {
  const [acme, bolt] = [await saved('Acme', [0.5, 0.5]), await saved('Bolt')];
  service.on(QueryVectorsCommand).resolves({ vectors: [{ key: acme.id }], distanceMetric: 'cosine' });
  const found = (await candidates(workspace, { query: [1, 0], vector_of: TWO, types: ['company'] })) ?? [];
  expect(await getMany(workspace, found, TWO)).toEqual([{ id: acme.id, vector: new Int8Array([127, 127]) }]);
  expect(found).not.toContain(bolt.id);
  expect(service.commandCalls(QueryVectorsCommand)[0]?.args[0].input).toEqual({
    indexArn: indexArn(),
    topK: 100,
    queryVector: { float32: [1, 0] },
    filter: { type: { $in: ['company'] } },
  });
});

test('a deleted record has no vector, though the index still names it', async () => {
  const acme = await saved('Acme');
  await transact(entityDeletes(acme));
  service.on(QueryVectorsCommand).resolves({ vectors: [{ key: acme.id }], distanceMetric: 'cosine' });
  const found = (await candidates(workspace, { query: [1, 0], vector_of: TWO, types: null })) ?? [];
  expect(await getMany(workspace, found, TWO)).toEqual([]);
});

test('records are put 500 at a time, those without a direction are not', async () => {
  const records = Array.from({ length: 501 }, (_, i) => ({ entity: company(`C ${i}`), vector: [1, i] }));
  await indexRecords(workspace, [...records, { entity: company('Nothing'), vector: [0, 0] }]);
  const calls = service.commandCalls(PutVectorsCommand).map(({ args: [{ input }] }) => input);
  expect(calls.map(({ vectors }) => vectors?.length)).toEqual([500, 1]);
  const [first] = records;
  expect(calls[0]?.vectors?.[0]).toEqual({
    key: first?.entity.id,
    data: { float32: [1, 0] },
    metadata: { type: 'company' },
  });
});

const indexesAre = (...names: string[]) =>
  service.on(ListIndexesCommand).resolves({
    indexes: names.map((indexName) => ({
      ...{ indexName, indexArn: `${bucketArn}/index/${indexName}`, vectorBucketName: 'b' },
      creationTime: new Date(),
    })),
  });

test('each embedding has an index of its own, with its dimensions (rules.md: vectors 1)', async () => {
  service.on(PutVectorsCommand).rejectsOnce(missing()).resolves({});
  await indexRecords(workspace, [{ entity: company('Acme'), vector: [1, 0, 0], vector_of: 'm/3' }]);
  const [made] = service.commandCalls(CreateIndexCommand).map(({ args }) => args[0].input);
  expect(made).toMatchObject({ dimension: 3 });
  expect(made?.indexName).toMatch(new RegExp(`^${workspace}-[0-9a-f]{16}$`));
  service.on(QueryVectorsCommand).resolves({ vectors: [], distanceMetric: 'cosine' });
  await candidates(workspace, { query: [1, 0, 0], vector_of: 'm/3', types: null });
  const [asked] = service.commandCalls(QueryVectorsCommand).map(({ args }) => args[0].input);
  expect(asked?.indexArn).toBe(`${bucketArn}/index/${made?.indexName}`);
  indexesAre(workspace, made?.indexName ?? '');
  await eraseVectors(workspace, 'm/3');
  expect(service.commandCalls(DeleteIndexCommand).map(({ args }) => args[0].input.indexArn)).toEqual([
    indexArn(),
  ]);
});

test('records that are gone are taken off every index', async () => {
  indexesAre(workspace);
  await unindexRecords(workspace, ['a']);
  expect(service.commandCalls(DeleteVectorsCommand)[0]?.args[0].input).toEqual({
    indexArn: indexArn(),
    keys: ['a'],
  });
});

test('the first record of a workspace creates its index, also when another writer creates it meanwhile', async () => {
  for (const reply of [{}, new ConflictException({ message: 'it exists', $metadata: {} })]) {
    service.reset();
    service.on(PutVectorsCommand).rejectsOnce(missing()).resolves({});
    if (reply instanceof Error) service.on(CreateIndexCommand).rejects(reply);
    await indexRecords(workspace, [{ entity: company('Acme'), vector: [1, 0] }]);
    expect(service.commandCalls(CreateIndexCommand).map(({ args }) => args[0].input)).toEqual([
      {
        vectorBucketArn: bucketArn,
        indexName: workspace,
        dimension: 2,
        dataType: 'float32',
        distanceMetric: 'cosine',
      },
    ]);
    expect(service.commandCalls(PutVectorsCommand)).toHaveLength(2);
  }
});

test('a workspace without an index has no candidates, and nothing to remove', async () => {
  indexesAre();
  service.on(QueryVectorsCommand).rejects(missing()).on(DeleteVectorsCommand).rejects(missing());
  expect(await candidates(workspace, { query: [1, 0], vector_of: TWO, types: null })).toEqual([]);
  await unindexRecords(workspace, ['a']);
  expect(service.commandCalls(CreateIndexCommand)).toEqual([]);
});

test('without an index there are no candidates and nothing is called', async () => {
  delete process.env.VECTOR_BUCKET_ARN;
  const acme = await saved('Acme');
  await indexRecords(workspace, [{ entity: acme, vector: [1, 0] }]);
  expect(await candidates(workspace, { query: [1, 0], vector_of: TWO, types: null })).toBeUndefined();
  expect(service.calls()).toEqual([]);
});

test('a rebuild embeds every record anew, in parts, for the table and the index', async () => {
  const entities = Array.from({ length: 230 }, (_, i) => company(`Company ${i}`));
  for (let i = 0; i < entities.length; i += 40)
    await transact(entities.slice(i, i + 40).flatMap((entity) => entityWrites(entity, { vector: [9] })));
  const first = await rebuildVectors(workspace, undefined);
  expect(first).toEqual({ rebuilt: 200, next: expect.any(String) });
  const second = await rebuildVectors(workspace, first.next ?? undefined);
  expect(second).toEqual({ rebuilt: 30, next: expect.any(String) });
  expect(await rebuildVectors(workspace, second.next ?? undefined)).toEqual({ rebuilt: 0, next: null });
  delete process.env.VECTOR_BUCKET_ARN;
  const records = await allRecords(workspace);
  expect(new Set(records.map(({ vector }) => vector?.length))).toEqual(new Set([256]));
  const put = service.commandCalls(PutVectorsCommand).flatMap(({ args: [{ input }] }) => input.vectors ?? []);
  expect(put).toHaveLength(230);
});

test('an import writes to the index first, so that a record is never in the table alone', async () => {
  service.on(PutVectorsCommand).rejectsOnce(new Error('the process died')).resolves({});
  const line = { id: newId(), type: 'company', name: 'Acme', fields: {} };
  await expect(importEntities(workspace, [line])).rejects.toThrow('the process died');
  await importEntities(workspace, [line]);
  expect(service.commandCalls(PutVectorsCommand)).toHaveLength(2);
});

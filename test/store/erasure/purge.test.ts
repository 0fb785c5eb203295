// rules.md: retention 3. A purge deletes everything of its workspace and nothing of another, whenever it dies on the
// way.

import {
  DeleteIndexCommand,
  ListIndexesCommand,
  NotFoundException,
  S3VectorsClient,
} from '@aws-sdk/client-s3vectors';
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { CreateRun } from '#contract/runs.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { type Purged, purgeWorkspace } from '#domain/erasure/purge-workspace.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships } from '#domain/records/import-relationships.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { sha256Hex } from '#platform/crypto.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import * as bridges from '#store/records/bridge-states.ts';
import * as fileImports from '#store/records/file-imports.ts';
import * as runs from '#store/runs/runs.ts';
import { deleteObject, putObject } from '#store/table/object-store.ts';
import { type Item, table, transact } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { giveServiceSecret, replaceQueue, replaceStateMachine } from '../../support/fakes.ts';
import { keepObjects } from '../../support/objects.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
let objects: ReturnType<typeof keepObjects>;
beforeEach(() => {
  replaceStateMachine();
  replaceQueue();
  giveServiceSecret();
  objects = keepObjects();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const setting = { settle_ms: 0, call_ms: 5000 };
const prices = { offline: { input: 1, cached_input: 1, output: 4 } };
const steps = [
  // Together more than an item takes.
  ...Array.from({ length: 4 }, () => ({
    kind: 'inject_context',
    title: 'Text',
    params: { text: 'x'.repeat(20_000) },
  })),
  { kind: 'transform', title: 'Each', instructions: 'name it', params: { output_fields: ['label'] } },
  { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table'] } },
];
const body = {
  input_type: 'plan',
  plan: { title: 'Plan', steps },
  metadata: { team: 'red' },
} as unknown as CreateRun;

/** A workspace with everything that one can have. */
async function furnished(shared: string[]): Promise<string> {
  const by = await caller(1000);
  const { workspace_id } = by.workspace;
  const [one, two] = (
    await importEntities(workspace_id, [
      { type: 'company', name: 'Acme', fields: { city: 'Berlin' }, external_uri: 'crm:acme' },
      { type: 'person', name: 'Dana', fields: {}, external_id: 'D1', source: 'custom' },
    ])
  ).entities;
  const ends = { from: { id: one?.id ?? '' }, to: { id: two?.id ?? '' } };
  await importRelationships(workspace_id, [{ ...ends, type: 'works_at', metadata: {} }]);
  await fileImports.start(workspace_id, 'f'.repeat(64), 'import');
  const key_id = `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`;
  const key = { key_id, workspace_id, name: 'K', scopes: [], created_at: 0 };
  await apiKeys.create(key, sha256Hex(workspace_id), 'sealed');
  const idempotency = await idempotencyKeyOf('again', 'runs', workspace_id, body);
  const checked = { body, callback: undefined };
  const model = offlineModel();
  const { run } = await startedRun(
    createRun({ caller: by, request_id: 'r', checked, idempotency }, { model, prices }),
  );
  const limits = {
    max_parallel_calls: 1,
    model_wait_seconds: 0,
    slice_ms: 60_000,
    steps_per_slice: undefined,
  };
  const sourcesFor = () => sourcesOf(run, async () => []);
  await executeSlice({ workspace_id, run_id: run.id }, { model, prices, ...limits, sourcesFor });
  await givenRun(by);
  await bridges.put(bridgeOf(`only-${workspace_id}`, [workspace_id]));
  for (const other of shared) await bridges.put(bridgeOf(`both-${other}`, [other, workspace_id]));
  const resource = { workspace_id, bridge_id: 'b', type: 'company', id: '7' };
  await transact([
    bridges.stateWrite(resource, undefined, { deleted: true, version: 3 }),
    bridges.claimWrite(resource, one?.id ?? ''),
  ]);
  // Kinds that this run did not make.
  for (const Item of [
    keys.auditEntry(workspace_id, 1, 'n'),
    keys.ledgerEntry(workspace_id, 1),
    keys.note(workspace_id, 'n'),
    keys.plan(workspace_id, run.id),
    keys.call(workspace_id, run.id, 0, 0),
    keys.delivery(workspace_id, run.id, 'e'),
    keys.changedIds(workspace_id, 'c'),
    keys.source(workspace_id, 'crm'),
  ])
    await table.send(new PutCommand({ TableName: 'Table', Item }));
  // Of a write that lost a race, and of what was deleted before.
  await putObject(`${workspace_id}/runs/orphan.json`, Buffer.from('{}'));
  await putObject(`record-snapshots/${workspace_id}/1-x/0.zst`, Buffer.from('{}'));
  await deleteObject(`record-snapshots/${workspace_id}/1-x/0.zst`);
  await putObject(`record-segments/${workspace_id}/x/1.zst`, Buffer.from('{}'));
  return workspace_id;
}

function bridgeOf(bridge_id: string, serving: string[]): bridges.BridgeRecord {
  const resource = {
    type: 'company',
    kind: 'entity' as const,
    entity_type: 'company',
    name_field: 'name',
    field_map: {},
  };
  const served = serving.map((workspace_id) => ({ workspace_id, resources: [resource] }));
  const common = { name: 'crm', status: 'active' as const, sealed_secret: 's', created_at: 0 };
  return { bridge_id, workspaces: served, ...common };
}

async function purged(workspace_id: string): Promise<Purged> {
  let last: Purged | undefined;
  do last = await purgeWorkspace({ workspace_id, confirm: workspace_id, after: last?.next }, setting);
  while (last.next !== undefined);
  return last;
}

async function allItems(): Promise<Item[]> {
  const { Items = [] } = await table.send(new ScanCommand({ TableName: 'Table', ConsistentRead: true }));
  return Items;
}
const naming = async (id: string) =>
  (await allItems()).filter((item) => JSON.stringify(item, asText).includes(id));
const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
const objectsOf = (id: string) => objects.filter(({ key }) => key.includes(id)).map(({ key }) => key);

/** The kinds of partitions with data of the workspace. */
async function kindsOf(id: string): Promise<string[]> {
  const kinds = (await naming(id)).map(({ pk }) => {
    const [kind = '', , part] = String(pk).split('#');
    return kind === 'WS' && part ? `${kind}#${part}` : kind;
  });
  return [...new Set(kinds)].sort();
}

test('nothing of the workspace is left in table and bucket, and the other one is unchanged', async () => {
  const other = await furnished([]);
  const before = [await naming(other), objectsOf(other)];
  const gone = await furnished([other]);
  expect((await kindsOf(gone)).join(', ')).toBe(
    'BRIDGE, KEY, WORKSPACES, WS, WS#ARTIFACTS, WS#AUDIT, WS#CHANGED, WS#CHANGES, WS#CLAIM, WS#COSTS, WS#ENTITIES, WS#EXTERNAL, WS#IDEMPOTENCY, ' +
      'WS#KEYS, WS#LEDGER, WS#LINKS, WS#NOTES, WS#RELATIONSHIPS, WS#RUN, WS#RUNS, WS#SOURCES, WS#SYNCED, WS#URI',
  );
  expect(objectsOf(gone).length).toBeGreaterThan(3);
  expect(await purged(gone)).toMatchObject({ purged: true });
  expect(await naming(gone)).toEqual([]);
  expect(objectsOf(gone)).toEqual([]);
  expect(await bridges.get(`both-${other}`)).toMatchObject({ workspaces: [{ workspace_id: other }] });
  await bridges.remove(`both-${other}`);
  expect([await naming(other), objectsOf(other)]).toEqual(before);
});

test('a purge that dies at any write, begun again, ends the same', async () => {
  const other = await furnished([]);
  const before = [await naming(other), objectsOf(other)];
  const gone = await furnished([]);
  const send = table.send.bind(table);
  let writesLeft = 0;
  const writes = [BatchWriteCommand, DeleteCommand, TransactWriteCommand, UpdateCommand];
  vi.spyOn(table, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
    if (!writes.some((write) => command instanceof write)) return send(command);
    writesLeft -= 1;
    if (writesLeft < 0) throw new Error('died');
    const reply = await send(command);
    if (writesLeft === 0) throw new Error('died after its write');
    return reply;
  });
  let deaths = 0;
  for (let done = false; !done; deaths += 1) {
    writesLeft = 1 + deaths;
    done = await purged(gone).then(
      () => true,
      (error: Error) => {
        if (!error.message.startsWith('died')) throw error;
        return false;
      },
    );
  }
  expect(deaths).toBeGreaterThan(3);
  expect(await naming(gone)).toEqual([]);
  expect(objectsOf(gone)).toEqual([]);
  expect([await naming(other), objectsOf(other)]).toEqual(before);
});

test('its indexes of vectors are deleted, and a purge that is repeated finds none', async () => {
  const { workspace_id } = (await caller()).workspace;
  vi.stubEnv('VECTOR_BUCKET_ARN', 'arn:bucket');
  const index = mockClient(S3VectorsClient);
  const missing = new NotFoundException({ message: 'no such index', $metadata: {} });
  index.on(DeleteIndexCommand).resolvesOnce({}).rejects(missing);
  const indexes = [workspace_id, `${workspace_id}-of-another-embedding`].map((indexName) => ({
    ...{ indexName, indexArn: `arn:bucket/index/${indexName}`, vectorBucketName: 'b' },
    creationTime: new Date(),
  }));
  index.on(ListIndexesCommand).resolvesOnce({ indexes }).resolves({});
  expect(await purged(workspace_id)).toMatchObject({ purged: true });
  expect(await purged(workspace_id)).toMatchObject({ purged: true });
  expect(index.commandCalls(DeleteIndexCommand).map(({ args }) => args[0].input)).toEqual(
    indexes.map(({ indexArn }) => ({ indexArn })),
  );
  vi.unstubAllEnvs();
});

test('a running run is canceled, and the purge waits for its end', async () => {
  const by = await caller();
  const { workspace_id } = by.workspace;
  const run = await givenRun(by, { change: { status: 'running' } });
  const asked = { workspace_id, confirm: workspace_id };
  const hurried = { settle_ms: 0, call_ms: 10 };
  expect(await purgeWorkspace(asked, hurried)).toMatchObject({ runs_canceled: 1, next: 'close' });
  const canceled = await runs.get(workspace_id, run.id);
  expect(canceled?.status).toBe('canceled');
  expect(await workspaces.get(workspace_id)).toMatchObject({ status: 'deleted' });
  if (canceled) await runs.commit(canceled, { change: { log_finished: true } });
  expect(await purgeWorkspace(asked, hurried)).toMatchObject({ runs_canceled: 0, next: 'objects' });
  expect(await purged(workspace_id)).toMatchObject({ purged: true });
  expect(await naming(workspace_id)).toEqual([]);
});

test('requests accepted before the workspace closed have time to end', async () => {
  const { workspace_id } = (await caller()).workspace;
  const asked = { workspace_id, confirm: workspace_id };
  // Each call looks once.
  const part = { settle_ms: 60_000, call_ms: -1 };
  const next = async () => (await purgeWorkspace({ ...asked, after: 'close' }, part)).next;
  expect((await purgeWorkspace(asked, part)).next).toBe('close');
  const { closed_at = Number.NaN } = (await workspaces.get(workspace_id)) ?? {};
  vi.useFakeTimers({ toFake: ['Date'], now: closed_at + part.settle_ms - 1 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await next()).toBe('close');
  vi.setSystemTime(closed_at + part.settle_ms);
  expect(await next()).toBe('objects');
  // A caller accepted before that creates a run only now gets no slot.
  expect(await claimSlot(workspace_id, crypto.randomUUID(), 10, undefined)).toBe(false);
});

test('without the id once more nothing happens; a workspace that is gone has nothing left to purge', async () => {
  const { workspace_id } = (await caller()).workspace;
  const wrong = purgeWorkspace({ workspace_id, confirm: crypto.randomUUID() }, setting);
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_arguments' });
  expect(await workspaces.get(workspace_id)).toMatchObject({ status: 'active' });
  await purged(workspace_id);
  expect(await purged(workspace_id)).toMatchObject({ purged: true, items_deleted: 0 });
});

// Compactions and audits: who asks for them, who queues them, and what becomes of a job.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQSRecord } from 'aws-lambda';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { auditRecords } from '#domain/records/audit-index.ts';
import { compactRecords } from '#domain/records/compact-index.ts';
import { currentIndex } from '#domain/records/current-index.ts';
import { enqueueAudits } from '#domain/records/enqueue-audits.ts';
import { indexFile } from '#domain/records/index-disk.ts';
import { RecordsBehind } from '#domain/records/records-protocol.ts';
import { enqueueCompactions } from '#domain/recovery/enqueue-compactions.ts';
import { newId } from '#platform/ids.ts';
import { SCHEMA_VERSION } from '#record-index/files.ts';
import { IndexDamaged } from '#record-index/index-errors.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import * as heads from '#store/records/record-heads.ts';
import { postpone } from '#store/table/due.ts';
import { table } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { handler as audit } from '../../../functions/jobs/audit-records.ts';
import { handler as compact } from '../../../functions/jobs/compact-records.ts';
import { breakQueue, enqueued, replaceQueue } from '../../support/fakes.ts';
import { allEntities } from '../../support/records-in-table.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';

useTable();
const folder = mkdtempSync(join(tmpdir(), 'record-jobs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An empty bucket. */
const getBytes = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('#store/table/object-store.ts', async (original) => ({ ...(await original<object>()), getBytes }));

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;
let workspace = '';
beforeEach(() => {
  workspace = newId();
  replaceQueue();
  process.env.RECORD_INDEX_DIR = folder;
  vi.restoreAllMocks();
  getBytes.mockClear();
});

const job = (workspace_id = workspace) => ({ workspace_id });
/** Jobs of this test's workspace; those of other tests wait too. */
const queued = () =>
  enqueued()
    .map(({ message }) => message)
    .filter((message) => JSON.stringify(message).includes(workspace));
const dueAt = async () => (await heads.get(workspace))?.due_at;

const snapshotOf = (incarnation: string, cursor_ms: number) => ({
  ...{ generation: 1, schema: SCHEMA_VERSION, incarnation, cursor_ms, records: 1 },
  ...{ prefix: 'gone', part_sums: [''], objects: {} },
});

/** Writes this many records in one transaction, each once. */
async function recordsIn(): Promise<number> {
  const { file } = await currentIndex(workspace, MINUTE_MS);
  return onIndex(file, 'count', { types: null });
}

async function write(records: number): Promise<void> {
  const some = Array.from({ length: records }, (_, i) => ({
    ...{ id: newId(), workspace_id: workspace, type: 'company', name: `Company ${i}` },
    ...{ fields: {}, created_at: 1, updated_at: 1 },
  }));
  const writes = some.flatMap((entity) => entities.entityWrites(entity, { vector: [1, 2] }));
  const ids = some.map(({ id }) => id);
  await transactRecords(workspace, { records: ids }, writes);
}

const create = (workspace_id: string) =>
  workspaces.create(
    {
      ...{ workspace_id, name: 'Acme', tier: 'free', status: 'active' },
      ...{ features: [], credits: false, created_at: 1 },
    },
    undefined,
  );

test('the sweep queues one job for a workspace that is due, and leaves it to the queue for a while', async () => {
  const now = Date.now();
  await heads.scheduleCompaction(workspace, now - 1);
  await enqueueCompactions(sweepTime(now));
  await enqueueCompactions(sweepTime(now + MINUTE_MS));
  expect(queued()).toEqual([job()]);
  await enqueueCompactions(sweepTime(now + 16 * MINUTE_MS));
  expect(queued()).toEqual([job(), job()]);
});

test('a workspace that is not due yet gets no job', async () => {
  const now = Date.now();
  await heads.scheduleCompaction(workspace, now + MINUTE_MS);
  await enqueueCompactions(sweepTime(now));
  expect(queued()).toEqual([]);
});

test('a job that could not be queued is queued by the next sweep', async () => {
  const now = Date.now();
  await heads.scheduleCompaction(workspace, now - 1);
  breakQueue();
  expect((await enqueueCompactions(sweepTime(now))).repairs_failed).toBeGreaterThan(0);
  replaceQueue();
  await enqueueCompactions(sweepTime(now + MINUTE_MS + 1));
  expect(queued()).toEqual([job()]);
});

test('a compaction that was claimed in the meantime is not due again', async () => {
  const now = Date.now();
  await heads.scheduleCompaction(workspace, now - 1);
  await heads.claimCompaction(workspace, now, now + MINUTE_MS);
  await postpone({ ...keys.recordsHead(workspace), due_at: now - 1 }, now + MINUTE_MS);
  expect(await dueAt()).toBeUndefined();
});

test('writers ask for a compaction about once in a thousand records, within a quarter of an hour', async () => {
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.02);
  await write(20);
  expect(await dueAt()).toBeUndefined();
  chance.mockReturnValue(0.0199);
  await write(20);
  const due = (await dueAt()) ?? 0;
  expect(due).toBeGreaterThan(Date.now() + 14 * MINUTE_MS);
  expect(due).toBeLessThanOrEqual(Date.now() + 15 * MINUTE_MS);
});

test('a write succeeds although no compaction can be requested', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const send = table.send.bind(table);
  vi.spyOn(table, 'send').mockImplementation((...args: Parameters<typeof send>) =>
    args[0].constructor.name === 'UpdateCommand' ? Promise.reject(new Error('throttled')) : send(...args),
  );
  await write(3);
  vi.restoreAllMocks();
  expect(await allEntities(workspace)).toHaveLength(3);
});

test('each workspace that has an index is audited in one night of the week, and no other', async () => {
  const other = newId();
  for (const workspace_id of [workspace, other]) await create(workspace_id);
  await heads.getOrCreate(workspace);
  const nights: number[] = [];
  for (let night = 0; night < 14; night += 1) {
    const before = queued().length;
    await enqueueAudits(Date.now() + night * DAY_MS);
    if (queued().length > before) nights.push(night);
  }
  expect(nights).toEqual([nights[0], (nights[0] ?? 0) + 7]);
  expect(queued()).toEqual([job(), job()]);
  expect(JSON.stringify(enqueued())).not.toContain(other);
});

test('a snapshot is made again before the changes since it expire, or as soon as writers ask for it', async () => {
  const { incarnation } = await heads.getOrCreate(workspace);
  const now = Date.now();
  await heads.replaceSnapshot(workspace, 0, snapshotOf(incarnation, now));
  expect(await dueAt()).toBe(now + 4 * DAY_MS);
  await heads.scheduleCompaction(workspace, now + MINUTE_MS);
  await heads.replaceSnapshot(workspace, 1, snapshotOf(incarnation, now));
  expect(await dueAt()).toBe(now + MINUTE_MS);
});

test('an audit leaves a workspace alone whose records have not changed for a week', async () => {
  await write(1);
  await heads.getOrCreate(workspace);
  expect(await auditRecords(workspace)).toBe('equal');
  const later = Date.now() + 10 * DAY_MS;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  expect(await auditRecords(workspace)).toBe('unwritten');
});

test('an index that differs from the table is given up, and right again for the next reader', async () => {
  await write(2);
  const { file } = await currentIndex(workspace, MINUTE_MS);
  const [gone] = await allEntities(workspace);
  const { revision } = await onIndex(file, 'state');
  const changes = { records: [], gone_records: [gone?.id ?? ''], relationships: [], gone_relationships: [] };
  await onIndex(file, 'update', { revision, changes, applied: [] });
  // Past what readers look at twice: the entries of the log count as changes under way.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + MINUTE_MS);
  expect(await auditRecords(workspace)).toBe('different');
  expect(await dueAt()).toBe(Date.now());
  expect(await recordsIn()).toBe(2);
});

test('an index that was emptied since it was brought up to date does not answer incompletely', async () => {
  await write(1);
  const { file } = await currentIndex(workspace, MINUTE_MS);
  const { revision } = await onIndex(file, 'state');
  expect(await onIndex(file, 'reset', revision)).toBe(true);
  await expect(onIndex(file, 'count', { types: null })).rejects.toThrow(IndexDamaged);
  await removeIndex(indexFile(workspace));
  await expect(onIndex(file, 'find', { types: null, sort: 'relevance', limit: 1 })).rejects.toThrow(
    IndexDamaged,
  );
});

test('a snapshot too old to follow is passed over, and so is one of other records', async () => {
  await write(2);
  const { incarnation } = await heads.getOrCreate(workspace);
  await heads.replaceSnapshot(workspace, 0, snapshotOf(incarnation, Date.now() - 6.5 * DAY_MS));
  expect(await recordsIn()).toBe(2);
  await removeIndex(indexFile(workspace));
  await heads.replaceSnapshot(workspace, 1, snapshotOf('another', Date.now()));
  expect(await recordsIn()).toBe(2);
  expect(getBytes).not.toHaveBeenCalled();
});

test('an index whose workspace was idle for days follows the log again', async () => {
  await write(1);
  await currentIndex(workspace, MINUTE_MS);
  const later = Date.now() + 5 * DAY_MS;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  await write(1);
  const queries = vi.spyOn(table, 'send');
  expect(await recordsIn()).toBe(2);
  expect(queries.mock.calls.map(([{ input }]) => JSON.stringify(input)).join()).not.toContain('#ENTITIES"}');
});

const record = (body: string, i: number): SQSRecord => ({
  ...{ messageId: `m${i}`, body, receiptHandle: '', messageAttributes: {}, md5OfBody: '' },
  ...{ eventSource: 'aws:sqs', eventSourceARN: '', awsRegion: 'us-east-1' },
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: '',
    ApproximateFirstReceiveTimestamp: '0',
  },
});

test('of a batch those jobs are done again that failed or cannot be read', async () => {
  await write(1);
  const busy = newId();
  await heads.claimCompaction(busy, Date.now(), Date.now() + MINUTE_MS);
  const bodies = [job(), job(), job(busy), { workspace_id: 1 }];
  const Records = [...bodies.map((body) => JSON.stringify(body)), 'nonsense'].map(record);
  expect(await compact({ Records })).toEqual({
    batchItemFailures: [{ itemIdentifier: 'm3' }, { itemIdentifier: 'm4' }],
  });
  vi.spyOn(table, 'send').mockRejectedValue(new Error('the table is away'));
  for (const handler of [compact, audit])
    expect(await handler({ Records: Records.slice(0, 1) })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm0' }],
    });
});

test('a compaction meets requests for an immediate one made during it, not those for a later one', async () => {
  await write(1);
  const now = Date.now();
  for (const [asked, left] of [
    [now, undefined],
    [now + MINUTE_MS, now + MINUTE_MS],
  ] as const) {
    const send = table.send.bind(table);
    const first = vi.spyOn(table, 'send').mockImplementation(async (...args: Parameters<typeof send>) => {
      const reply = await send(...args);
      // The claim is the first call; others ask after it.
      first.mockRestore();
      await heads.scheduleCompaction(workspace, asked);
      return reply;
    });
    expect(await compactRecords(workspace, now)).toBe('followed');
    expect(await dueAt()).toBe(left);
  }
});

test('a compaction that failed is due again after a minute, and its message is done', async () => {
  await create(workspace);
  await write(1);
  process.env.RECORD_INDEX_DIR = '/dev/null/nowhere';
  const Records = [record(JSON.stringify(job()), 0)];
  const now = Date.now();
  expect(await compact({ Records })).toEqual({ batchItemFailures: [] });
  expect(await dueAt()).toBeGreaterThanOrEqual(now + MINUTE_MS);
  expect(await dueAt()).toBeLessThanOrEqual(Date.now() + MINUTE_MS);
  process.env.RECORD_INDEX_DIR = folder;
  expect(await compactRecords(workspace, Date.now())).toBe('followed');
});

test('a compaction that ran out of time leaves its file to the next one', async () => {
  await create(workspace);
  await write(1);
  const released = vi.spyOn(heads, 'meetRequests').mockRejectedValueOnce(new RecordsBehind(workspace));
  await compact({ Records: [record(JSON.stringify(job()), 0)] });
  expect(existsSync(indexFile(workspace))).toBe(true);
  released.mockRestore();
  await compact({ Records: [record(JSON.stringify(job()), 0)] });
  expect(existsSync(indexFile(workspace))).toBe(false);
});

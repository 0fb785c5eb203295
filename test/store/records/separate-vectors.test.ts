// The vectors of a snapshot: a reader that compares none does not fetch them, and one that does misses none.
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { openRecords } from '#domain/records/open-records.ts';
import { onIndex } from '#record-index/record-index.ts';
import * as heads from '#store/records/record-heads.ts';
import { useTable } from '../../support/table.ts';
import { bucket, objects } from './bucket.ts';
import {
  BUDGET_MS,
  compactElsewhere,
  folder,
  idOf,
  newWorkspace,
  put,
  putThousands,
  readAs,
  remove,
  workspace,
} from './readers.ts';

useTable();
const fetched: string[] = [];
vi.mock('#store/table/object-store.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./bucket.ts')).bucket,
  getBytes: (key: string) => {
    fetched.push(key);
    return bucket.getBytes(key);
  },
}));

beforeEach(async () => {
  newWorkspace();
  objects.clear();
  await putThousands(25);
  await compactElsewhere();
  fetched.length = 0;
});

const isOfVectors = (key: string) => key.includes('/vectors-');
const keysOfVectors = () => [...objects.keys()].filter(isOfVectors);

/** The ids of all records, nearest to [7, 1] first, as a step of this process gets them. */
async function nearestOf(reader: string): Promise<string[]> {
  process.env.RECORD_INDEX_DIR = join(folder, reader);
  const ask = openRecords(workspace, BUDGET_MS);
  const near = await ask('nearest', { types: null, vector: [7, 1], limit: 3000, min_score: -1 });
  return near.map(({ id }) => id);
}

test('a question that compares no vectors does not wait for them; the first that does fetches them, once', async () => {
  await readAs('structured', (file) => onIndex(file, 'count', { types: null }));
  expect(fetched).not.toEqual([]);
  expect(fetched.filter(isOfVectors)).toEqual([]);
  expect(await nearestOf('structured')).toHaveLength(2000);
  await nearestOf('structured');
  expect(fetched.filter(isOfVectors)).toEqual(keysOfVectors());
});

test('what changed before the vectors came is in them: changed, added and removed records', async () => {
  await readAs('early', async () => undefined);
  await put(7, 'Changed');
  await put(2001, 'Added');
  await remove(8);
  await readAs('early', async () => undefined);
  await put(7, 'Changed twice');
  const ids = await nearestOf('early');
  expect(ids[0]).toBe(idOf(7));
  expect(ids).toContain(idOf(2001));
  expect(ids).not.toContain(idOf(8));
  expect(ids).toHaveLength(2000);
  expect(await nearestOf('built elsewhere')).toEqual(ids);
});

test('a reader whose snapshot is replaced before its vectors came starts from the newer one', async () => {
  await readAs('slow', async () => undefined);
  await put(2001, 'Added');
  expect(await compactElsewhere()).toBe('saved');
  expect(await nearestOf('slow')).toHaveLength(2001);
});

test.each<[string, (key: string) => unknown]>([
  ['gone', (key) => objects.delete(key)],
  ['damaged', (key) => objects.set(key, Buffer.from('x'))],
])('when the vectors of a snapshot are %s, readers and compactions build from the table', async (_, harm) => {
  for (const key of keysOfVectors()) harm(key);
  expect(await nearestOf('cold')).toHaveLength(2000);
  expect(await compactElsewhere('another compactor')).toBe('saved');
  expect(await nearestOf('fresh')).toHaveLength(2000);
  expect(keysOfVectors()).toHaveLength(1);
});

test('a compaction that starts from a snapshot saves its vectors again', async () => {
  await put(2001, 'Added');
  expect(await compactElsewhere('another compactor')).toBe('saved');
  expect((await heads.get(workspace))?.snapshot?.generation).toBe(2);
  expect(await nearestOf('fresh')).toHaveLength(2001);
  expect(keysOfVectors()).toHaveLength(1);
});

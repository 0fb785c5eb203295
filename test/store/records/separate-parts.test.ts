// The files of a snapshot and its bodies: a reader that needs none does not fetch them, and one that does misses none.
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { StoredEntity } from '#contract/entities.ts';
import { SNAPSHOTS_PREFIX } from '#contract/retention.ts';
import { openRecords } from '#domain/records/records-client.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
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
let isAway = false;
function fetch(key: string): Promise<Buffer<ArrayBuffer> | undefined> {
  if (isAway) throw new ServiceTrouble('the bucket does not answer');
  fetched.push(key);
  return bucket.getBytes(key);
}
vi.mock('#store/table/object-store.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./bucket.ts')).bucket,
  getBytes: fetch,
  findBytes: fetch,
}));

beforeEach(async () => {
  newWorkspace();
  objects.clear();
  await putThousands(25);
  await compactElsewhere();
  fetched.length = 0;
});

const isOf = (part: string) => (key: string) => key.includes(`/${part}-`);
const isOfBodies = isOf('bodies');
const isOfVectors = isOf('vectors');
const keysOfVectors = () => [...objects.keys()].filter(isOfVectors);

/** What may become of an object. */
const harms: [string, (key: string) => unknown][] = [
  ['gone', (key) => objects.delete(key)],
  ['damaged', (key) => objects.set(key, Buffer.from('x'))],
];

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

test.each(harms)(
  'when the vectors of a snapshot are %s, readers and compactions build from the table',
  async (_, harm) => {
    for (const key of keysOfVectors()) harm(key);
    expect(await nearestOf('cold')).toHaveLength(2000);
    expect(await compactElsewhere('another compactor')).toBe('saved');
    expect(await nearestOf('fresh')).toHaveLength(2000);
    expect(keysOfVectors()).toHaveLength(1);
  },
);

test('a compaction that starts from a snapshot saves its vectors again', async () => {
  await put(2001, 'Added');
  expect(await compactElsewhere('another compactor')).toBe('saved');
  expect((await heads.get(workspace))?.snapshot?.generation).toBe(2);
  expect(await nearestOf('fresh')).toHaveLength(2001);
  expect(keysOfVectors()).toHaveLength(1);
});

/** The ids of the records with these words, as a step of this process gets them. */
async function havingWords(reader: string, words: string[]): Promise<string[]> {
  process.env.RECORD_INDEX_DIR = join(folder, reader);
  const ask = openRecords(workspace, BUDGET_MS);
  const { hits } = await ask('find', { types: null, words, sort: 'relevance', limit: 5 });
  return hits.map(({ id }) => id);
}

/** The parts that were fetched since the last call. */
const partsFetched = () => [
  ...new Set(fetched.splice(0).map((key) => key.slice(key.lastIndexOf('/') + 1).replace(/-.*/, ''))),
];

test('conditions, counts, groups, names and changes wait for no file; words and links for their own', async () => {
  await readAs('fine', async () => undefined);
  const ask = openRecords(workspace, BUDGET_MS);
  const where = { field: 'city', op: '=', value: 'Oslo' } as const;
  const found = await ask('find', { types: null, where, sort: [{ field: 'n' }], limit: 3 });
  expect(found).toMatchObject({ matched: 1000, hits: [{ keys: [1] }, { keys: [3] }, { keys: [5] }] });
  expect(partsFetched()).toEqual(['core', 'bodies']);
  expect(await ask('named', { text: 'Name 8', limit: 1 })).toMatchObject([{ id: idOf(8) }]);
  expect(partsFetched()).toEqual([]);
  expect(await havingWords('fine', ['7'])).toContain(idOf(7));
  expect(partsFetched()).toEqual(['words']);
  await put(7, 'Changed');
  expect(await havingWords('fine', ['changed'])).toEqual([idOf(7)]);
  expect(partsFetched()).toEqual([]);
  expect(await ask('linksOf', { ids: [idOf(7)], limit: 1 })).toEqual({ links: [], matched: 0 });
  expect(partsFetched()).toEqual(['links']);
});

test('a change fetches bodies alone; a file that comes later follows the table from its own cursor', async () => {
  const count = (file: string) => onIndex(file, 'count', { types: null, where });
  const where = { field: 'n', op: '=', value: 7 } as const;
  await readAs('changing', count);
  fetched.length = 0;
  await put(7, 'Name 7');
  await readAs('changing', count);
  expect(partsFetched()).toEqual(['bodies']);
  await put(7, 'Changed');
  await readAs('changing', count);
  expect(partsFetched()).toEqual([]);
  expect(await havingWords('changing', ['changed'])).toEqual([idOf(7)]);
  expect(partsFetched()).toEqual(['words']);
});

test.each(harms)(
  'when words are %s because a newer snapshot came, a reader starts from that, else builds from the table',
  async (_, harm) => {
    await readAs('warm', async () => undefined);
    const old = [...objects.keys()].filter(isOf('words'));
    await put(7, 'Changed');
    expect(await compactElsewhere()).toBe('saved');
    for (const key of old) harm(key);
    fetched.length = 0;
    expect(await havingWords('warm', ['changed'])).toEqual([idOf(7)]);
    expect(fetched.filter(isOf('core'))).not.toEqual([]);
    for (const key of [...objects.keys()].filter(isOf('words'))) harm(key);
    expect(await havingWords('cold', ['changed'])).toEqual([idOf(7)]);
  },
);

/** The name of a record, as a step of this process reads it. */
async function nameOf(reader: string, n: number): Promise<string> {
  process.env.RECORD_INDEX_DIR = join(folder, reader);
  const ask = openRecords(workspace, BUDGET_MS);
  const found = await ask('recordWithLinks', { id: idOf(n), limit: 1 });
  return StoredEntity.parse(JSON.parse(found?.body ?? '')).name;
}

test('a question that reads no record does not wait for bodies; the first that does fetches their block, once', async () => {
  await readAs('counting', (file) => onIndex(file, 'count', { types: null }));
  expect(fetched).not.toEqual([]);
  expect(fetched.filter(isOfBodies)).toEqual([]);
  expect(await nameOf('counting', 7)).toBe('Name 7');
  expect(await nameOf('counting', 8)).toBe('Name 8');
  expect(fetched.filter(isOfBodies)).toHaveLength(1);
});

test.each(harms)(
  'when bodies are %s because a newer snapshot came, a reader starts from that',
  async (_, harm) => {
    await readAs('warm', async () => undefined);
    const old = [...objects.keys()].filter(isOfBodies);
    await put(7, 'Changed');
    expect(await compactElsewhere()).toBe('saved');
    for (const key of old) harm(key);
    expect(await nameOf('warm', 7)).toBe('Changed');
    expect(await nameOf('warm', 8)).toBe('Name 8');
  },
);

test.each(harms)(
  'when the bodies of a snapshot are %s, readers and compactions build from the table',
  async (_, harm) => {
    for (const key of [...objects.keys()].filter(isOfBodies)) harm(key);
    expect(await nameOf('cold', 7)).toBe('Name 7');
    expect(await compactElsewhere('another compactor')).toBe('saved');
    expect(await nameOf('fresh', 7)).toBe('Name 7');
  },
);

test('while the bucket does not answer, a question that needs bodies fails, and the index stays', async () => {
  await readAs('patient', async () => undefined);
  isAway = true;
  await expect(nameOf('patient', 7)).rejects.toThrow(ServiceTrouble);
  isAway = false;
  fetched.length = 0;
  expect(await nameOf('patient', 7)).toBe('Name 7');
  expect(fetched.filter(isOfBodies)).toHaveLength(1);
  expect(fetched.filter(isOf('core'))).toEqual([]);
});

test('while the bucket does not answer, questions that need no file of it are answered, also beside one that does', async () => {
  await readAs('patient', async () => undefined);
  isAway = true;
  const ask = openRecords(workspace, BUDGET_MS);
  const asked = [havingWords('patient', ['7']), ask('types'), ask('named', { text: 'Name 8', limit: 1 })];
  const [words, ...others] = await Promise.allSettled(asked);
  expect(words).toMatchObject({ status: 'rejected', reason: expect.any(ServiceTrouble) });
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(await ask('types')).toEqual(['company']);
  isAway = false;
  expect(await havingWords('patient', ['7'])).toContain(idOf(7));
});

test('a replaced snapshot leaves no object in the bucket', async () => {
  const old = [...objects.keys()].filter((key) => key.startsWith(SNAPSHOTS_PREFIX));
  expect(old.filter(isOfBodies)).not.toEqual([]);
  await put(7, 'Changed');
  expect(await compactElsewhere()).toBe('saved');
  expect(old.filter((key) => objects.has(key))).toEqual([]);
});

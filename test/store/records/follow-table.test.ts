// The index follows the table: an answer reflects everything written before its question, whatever the other writers
// and readers do.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Where } from '#contract/conditions.ts';
import { OVERLAP_MS } from '#domain/records/catch-up.ts';
import { openRecords } from '#domain/records/records-client.ts';
import { RecordsBehind } from '#domain/records/records-protocol.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { SCHEMA_VERSION } from '#record-index/files.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import { transactRecords, WRITTEN_WITHIN_MS } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import * as heads from '#store/records/record-heads.ts';
import { table } from '#store/table/table.ts';
import { useTable } from '../../support/table.ts';

import { objects } from './bucket.ts';
import {
  BUDGET_MS,
  compactElsewhere,
  entityOf,
  folder,
  idOf,
  inTable,
  link,
  newWorkspace,
  put,
  putAll,
  putAlong,
  putThousands,
  readAs,
  remove,
  seenBy,
  workspace,
} from './readers.ts';

useTable();
vi.mock('#store/table/object-store.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./bucket.ts')).bucket,
}));

beforeEach(() => {
  newWorkspace();
  objects.clear();
});

test('a reader finds what was written, changed and removed before it asked, and exactly that', async () => {
  await put(1, 'Acme');
  await put(2, 'Beta');
  expect(await seenBy('a')).toEqual(await inTable());
  await put(1, 'Acme Holding');
  await link(1, 1, 2);
  await remove(2);
  expect(await seenBy('a')).toEqual(await inTable());
  expect((await seenBy('a')).records).toEqual([`${idOf(1)} Acme Holding`]);
});

test('a reader with nothing new to take in makes two calls to the table and writes nothing', async () => {
  await put(1, 'Acme');
  await seenBy('a');
  const spy = vi.spyOn(table, 'send');
  await seenBy('a');
  expect(spy.mock.calls.map(([command]) => command.constructor.name).sort()).toEqual([
    'GetCommand',
    'QueryCommand',
  ]);
  spy.mockRestore();
});

/** Advances this process's clock while `work` runs. */
async function at<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const now = Date.now;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  return work().finally(() => spy.mockRestore());
}

/** The table's replies to commands of this name in the meantime. */
async function answersTo(command: string, work: () => Promise<unknown>): Promise<{ Items?: object[] }[]> {
  const send = table.send.bind(table);
  const answers: { Items?: object[] }[] = [];
  const spy = vi.spyOn(table, 'send').mockImplementation(async (...args: Parameters<typeof send>) => {
    const answer = await send(...args);
    if (args[0].constructor.name === command) answers.push({ ...Object(answer) });
    return answer;
  });
  await work().finally(() => spy.mockRestore());
  return answers;
}

async function putMany(count: number): Promise<void> {
  await putAll(Array.from({ length: count }, (_, n) => entityOf(n, `Name ${n}`)));
}

test('what a reader has taken in of an import it looks at again by name alone, and soon no more', async () => {
  await putMany(1);
  await seenBy('a');
  for (let i = 0; i < 20; i += 1) await putMany(40);
  expect(await seenBy('a')).toEqual(await inTable());
  const [again] = await answersTo('QueryCommand', () => readAs('a', async () => undefined));
  const entries = again?.Items ?? [];
  expect(entries).toHaveLength(21);
  expect(JSON.stringify(entries).length / entries.length).toBeLessThan(200);
  expect(await answersTo('BatchGetCommand', () => readAs('a', async () => undefined))).toEqual([]);
  await at(OVERLAP_MS, () => readAs('a', async () => undefined));
  const [later] = await answersTo('QueryCommand', () => readAs('a', async () => undefined));
  expect(later?.Items).toEqual([]);
});

test('what can be read only long after its stamp is in the next answer', async () => {
  await put(1, 'Acme');
  await at(OVERLAP_MS, () => seenBy('a'));
  await at(1000, () => put(1, 'Late'));
  await at(OVERLAP_MS + 1000, async () => expect(await seenBy('a')).toEqual(await inTable()));
});

test('records whose transaction takes longer than readers allow for are not taken to be written', async () => {
  const spy = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  await expect(put(1, 'Acme')).rejects.toThrow(ServiceTrouble);
  expect(spy.mock.calls).toEqual([[WRITTEN_WITHIN_MS]]);
  spy.mockRestore();
  expect(WRITTEN_WITHIN_MS).toBeLessThan(OVERLAP_MS);
});

test('an index takes in an import without reading it back, even with concurrent writes to the index', async () => {
  await put(1, 'Acme');
  await seenBy('a');
  const importing = () => putAlong('a', [2, 'Beta'], () => putAlong('a', [3, 'Gamma']));
  expect(await answersTo('BatchGetCommand', importing)).toEqual([]);
  const reading = async () => expect((await seenBy('a')).matched).toBe(3);
  expect(await answersTo('BatchGetCommand', reading)).toEqual([]);
  expect(await seenBy('a')).toEqual(await inTable());
});

test.each<[string, () => Promise<unknown>]>([
  ['changes', () => put(2, 'Newer')],
  ['removes', () => remove(2)],
])('what somebody else %s meanwhile, and a reader has seen, an import does not undo', async (_, theirs) => {
  await put(1, 'Acme');
  await seenBy('a');
  await putAlong('a', [2, 'Older'], async () => {
    await theirs();
    await seenBy('a');
  });
  expect(await seenBy('a')).toEqual(await inTable());
});

test('a warm reader that is far behind takes a newer snapshot, and reads no record of an import again', async () => {
  await put(2000, 'Acme');
  await seenBy('warm');
  await putThousands(1);
  expect(await compactElsewhere()).toBe('saved');
  expect(await answersTo('BatchGetCommand', () => seenBy('warm'))).toEqual([]);
  expect((await seenBy('warm')).matched).toBe(2001);
});

test('a reader that has followed a part of an import takes a newer snapshot for the rest', async () => {
  await put(2000, 'Acme');
  await putThousands(1);
  await seenBy('warm');
  await putThousands(1);
  expect(await compactElsewhere()).toBe('saved');
  expect(await answersTo('BatchGetCommand', () => seenBy('warm'))).toEqual([]);
  expect((await seenBy('warm')).matched).toBe(2001);
});

test('a cold reader starts from the snapshot and takes in what came after it', async () => {
  await putThousands(25);
  expect(await compactElsewhere()).toBe('saved');
  expect((await heads.get(workspace))?.snapshot).toMatchObject({ generation: 1, records: 2000 });
  await put(7, 'Changed');
  await remove(8);
  const spy = vi.spyOn(table, 'send');
  const where: Where = { field: 'n', op: 'in', value: [7, 8] };
  const query = { types: null, where, sort: [{ field: 'name' }], limit: 5 };
  const seen = await readAs('cold', (file) => onIndex(file, 'find', query));
  expect(spy.mock.calls.length).toBeLessThan(12);
  spy.mockRestore();
  expect(seen).toMatchObject({ matched: 1, hits: [{ id: idOf(7), keys: ['Changed'] }] });
});

test('a reader whose snapshot was replaced takes the newer one', async () => {
  await put(1, 'Acme');
  await seenBy('a');
  const { incarnation } = await heads.getOrCreate(workspace);
  const copy = { records: 1, prefix: 'gone', part_sums: [''], objects: {} };
  const stale = { generation: 1, schema: SCHEMA_VERSION, incarnation, cursor_ms: Date.now(), ...copy };
  await heads.replaceSnapshot(workspace, 0, stale);
  expect(await seenBy('cold')).toEqual(await inTable());
});

test('many readers at once, of one process and of several, all see what was written before they asked', async () => {
  for (let n = 0; n < 10; n += 1) await put(n, `Name ${n}`);
  const seen = await Promise.all(Array.from({ length: 10 }, () => seenBy('shared')));
  for (const one of seen) expect(one).toEqual(await inTable());
});

test('a reader that cannot catch up in time reports it, asks for a compaction, and never answers incompletely', async () => {
  await put(1, 'Acme');
  await expect(readAs('hasty', (file) => onIndex(file, 'state'), { budgetMs: -1 })).rejects.toThrow(
    RecordsBehind,
  );
  expect((await heads.get(workspace))?.due_at).toBeLessThanOrEqual(Date.now());
  expect(await seenBy('hasty')).toEqual(await inTable());
});

test('a build that runs out of time continues where it ended, and takes in removals since then', async () => {
  const long = 'x'.repeat(100_000);
  for (let n = 0; n < 30; n += 1) {
    const entity = { ...entityOf(n, `Name ${n}`), fields: { long } };
    await transactRecords(
      workspace,
      { records: [entity.id] },
      entities.entityWrites(entity, { vector: [1, 1] }),
    );
  }
  const tries: string[] = [];
  for (let tried = 0; tried < 10 && tries.at(-1) !== 'built'; tried += 1) {
    if (tried === 2) await remove(0);
    const build = readAs('hasty', (file) => onIndex(file, 'state'), { budgetMs: 0 });
    tries.push(
      await build.then(
        () => 'built',
        (error: unknown) => (error instanceof RecordsBehind ? 'behind' : String(error)),
      ),
    );
  }
  expect(tries.slice(0, 3)).toEqual(['behind', 'behind', 'behind']);
  expect(await seenBy('hasty')).toEqual(await inTable());
});

async function copyOf(file: string, path: string): Promise<void> {
  const database = new DatabaseSync(file);
  database.prepare('VACUUM INTO ?').run(path);
  database.close();
}

test.each([0, 0.3, 0.6])(
  'an index that is damaged (from %s of its file on) is made anew and answers rightly',
  async (sound) => {
    for (let n = 0; n < 8; n += 1) await put(n, `Name ${n} ${'x'.repeat(400)}`);
    const [whole, file] = ['whole', 'damaged'].map((reader) => join(folder, reader, `${workspace}.db`));
    await readAs('damaged', async () => undefined);
    await readAs('whole', (built) => copyOf(built, `${whole}.copy`));
    const bytes = readFileSync(`${whole}.copy`);
    writeFileSync(`${file}.new`, bytes.fill(0xff, Math.floor(bytes.length * sound)));
    await removeIndex(String(file));
    renameSync(`${file}.new`, String(file));
    process.env.RECORD_INDEX_DIR = join(folder, 'damaged');
    const ask = openRecords(workspace, BUDGET_MS);
    const { hits } = await ask('find', { types: null, sort: 'name_asc', limit: 100 });
    expect(hits.map(({ id }) => id)).toEqual(Array.from({ length: 8 }, (_, n) => idOf(n)));
    expect(await seenBy('damaged')).toEqual(await inTable());
  },
);

test('an index of records that were replaced as a whole is given up', async () => {
  await put(1, 'Acme');
  await seenBy('a');
  await heads.renewIncarnation(workspace);
  await put(2, 'Beta');
  expect(await seenBy('a')).toEqual(await inTable());
});

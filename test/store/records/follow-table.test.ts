// The index follows the table: what was written before a question is in its answer, whoever wrote, whoever dies, whoever else reads.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Entity, Relationship } from '#contract/entities.ts';
import { compactRecords } from '#domain/records/compact-records.ts';
import { currentIndex, expectQuestion, OVERLAP_MS, RecordsBehind } from '#domain/records/follow-table.ts';
import { openIndex } from '#domain/records/open-index.ts';
import { writeAlong } from '#domain/records/write-along.ts';
import { newId } from '#platform/ids.ts';
import { quantize } from '#platform/quantize.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { onIndex, removeIndex } from '#record-index/record-index.ts';
import { SCHEMA_VERSION } from '#record-index/schema-version.ts';
import { transactRecords, WRITTEN_WITHIN_MS } from '#store/changes.ts';
import * as entities from '#store/entities.ts';
import * as heads from '#store/record-heads.ts';
import * as relationships from '#store/relationships.ts';
import { table } from '#store/table.ts';
import { allEntities, allRelationships } from '../../support/records-in-table.ts';
import { useTable } from '../../support/table.ts';

useTable();
const folder = mkdtempSync(join(tmpdir(), 'followers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The bucket, in memory. */
const objects = vi.hoisted(() => new Map<string, Buffer<ArrayBuffer>>());
vi.mock('#store/object-store.ts', async (original) => ({
  ...(await original<object>()),
  putBytes: async (key: string, bytes: Buffer<ArrayBuffer>) => void objects.set(key, bytes),
  getBytes: async (key: string) => objects.get(key),
  deleteObject: async (key: string) => void objects.delete(key),
}));

const BUDGET_MS = 30_000;
let workspace = '';
beforeEach(() => {
  workspace = newId();
  objects.clear();
  process.env.RECORD_SNAPSHOTS = 'true';
});

/** One of several processes, each with files of its own. */
async function readAs<T>(
  reader: string,
  ask: (file: string) => Promise<T>,
  budgetMs = BUDGET_MS,
): Promise<T> {
  process.env.RECORD_INDEX_DIR = join(folder, reader);
  return ask(await currentIndex(workspace, budgetMs));
}

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
let clock = 1;

function entityOf(n: number, name: string): Entity {
  clock += 1;
  const fields = { n, city: n % 2 ? 'Oslo' : 'Rome' };
  return {
    id: idOf(n),
    workspace_id: workspace,
    type: 'company',
    name,
    fields,
    created_at: 1,
    updated_at: clock,
  };
}

function relationshipOf(n: number, from: number, to: number): Relationship {
  clock += 1;
  const ends = { from_id: idOf(from), to_id: idOf(to) };
  return {
    id: idOf(1000 + n),
    workspace_id: workspace,
    type: 'owns',
    metadata: {},
    ...ends,
    created_at: 1,
    updated_at: clock,
  };
}

async function put(n: number, name: string) {
  const before = await entities.get(workspace, idOf(n));
  const entity = entityOf(n, name);
  const writes = entities.entityWrites(entity, [n, 1], before);
  const applied = [await transactRecords(workspace, { records: [idOf(n)] }, writes)];
  return { changes: { records: [{ entity, vector: quantize([n, 1]) }] }, applied };
}

async function remove(n: number): Promise<void> {
  const before = await entities.get(workspace, idOf(n));
  if (before) await transactRecords(workspace, { records: [before.id] }, entities.entityDeletes(before));
}

async function link(n: number, from: number, to: number): Promise<void> {
  const before = await relationships.get(workspace, idOf(1000 + n));
  const writes = relationships.relationshipWrites(relationshipOf(n, from, to), before);
  await transactRecords(workspace, { relationships: [idOf(1000 + n)] }, writes);
}

/** What a reader finds: every record by id and name, and every relationship. */
async function seenBy(reader: string) {
  return readAs(reader, async (file) => {
    const { hits, matched } = await onIndex(file, 'find', {
      types: null,
      sort: [{ field: 'name' }],
      limit: 1000,
    });
    const near = await onIndex(file, 'nearest', { types: null, vector: [1, 1], limit: 1000, min_score: -1 });
    const { links } = await onIndex(file, 'linksOf', { ids: hits.map(({ id }) => id), limit: 1000 });
    return {
      records: hits.map(({ id, keys }) => `${id} ${keys[0]}`).sort(),
      matched,
      vectors: near.map(({ id }) => id).sort(),
      links: links.map(({ id, from_id, to_id }) => `${id} ${from_id} ${to_id}`).sort(),
    };
  });
}

async function inTable() {
  const all = await allEntities(workspace);
  const known = new Set(all.map(({ id }) => id));
  const linked = (await allRelationships(workspace)).filter(
    ({ from_id, to_id }) => known.has(from_id) || known.has(to_id),
  );
  return {
    records: all.map(({ id, name }) => `${id} ${name}`).sort(),
    matched: all.length,
    vectors: all.map(({ id }) => id).sort(),
    links: linked.map(({ id, from_id, to_id }) => `${id} ${from_id} ${to_id}`).sort(),
  };
}

/** Lets the n-th call to the table from now on fail: before it is carried out, or after, when only its reply is lost. */
function failAtCall(n: number, when: 'before' | 'after'): () => void {
  const send = table.send.bind(table);
  let calls = 0;
  const spy = vi.spyOn(table, 'send').mockImplementation(async (...args: Parameters<typeof send>) => {
    calls += 1;
    if (calls === n && when === 'before') throw new Error('the process died');
    const reply = await send(...args);
    if (calls === n) throw new Error('the process died');
    return reply;
  });
  return () => spy.mockRestore();
}

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

/** Moves this process's clock while `work` goes on. */
async function at<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const now = Date.now;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  return work().finally(() => spy.mockRestore());
}

/** What the table answered to commands of this name meanwhile. */
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
  const some = Array.from({ length: count }, (_, n) => entityOf(n, `Name ${n}`));
  const writes = some.flatMap((entity) => entities.entityWrites(entity, [1, 2]));
  await transactRecords(workspace, { records: some.map(({ id }) => id) }, writes);
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

/** Writes a record and has the index of a reader take it in; `meanwhile` comes between the two. */
async function putAlong(
  reader: string,
  [n, name]: [number, string],
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const lasting = { RECORD_INDEX_DIR: join(folder, reader), RECORD_SNAPSHOTS: 'false' };
  Object.assign(process.env, lasting);
  await writeAlong(workspace, async () => {
    const written = await put(n, name);
    await meanwhile();
    Object.assign(process.env, lasting);
    return written;
  });
  process.env.RECORD_SNAPSHOTS = 'true';
}

test('what an import writes its index takes in without reading it back, though others write to the index meanwhile', async () => {
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

test('a cold reader starts from the snapshot and takes in what came after it', async () => {
  for (let from = 0; from < 2000; from += 25) {
    const some = Array.from({ length: 25 }, (_, i) => entityOf(from + i, `Name ${from + i}`));
    await transactRecords(
      workspace,
      { records: some.map(({ id }) => id) },
      some.flatMap((entity) => entities.entityWrites(entity, [1, 2])),
    );
  }
  process.env.RECORD_INDEX_DIR = join(folder, 'compactor');
  expect(await compactRecords(workspace, Date.now())).toBe('saved');
  expect((await heads.get(workspace))?.snapshot).toMatchObject({ generation: 1, records: 2000 });
  await put(7, 'Changed');
  await remove(8);
  const spy = vi.spyOn(table, 'send');
  const seen = await readAs('cold', (file) =>
    onIndex(file, 'find', {
      types: null,
      where: { field: 'n', op: 'in', value: [7, 8] },
      sort: [{ field: 'name' }],
      limit: 5,
    }),
  );
  expect(spy.mock.calls.length).toBeLessThan(12);
  spy.mockRestore();
  expect(seen).toMatchObject({ matched: 1, hits: [{ id: idOf(7), keys: ['Changed'] }] });
});

test('a reader whose snapshot was replaced meanwhile takes the newer one', async () => {
  await put(1, 'Acme');
  await seenBy('a');
  const { incarnation } = await heads.getOrCreate(workspace);
  const parts = [{ key: 'gone', sha256: '' }];
  const cursor_ms = Date.now();
  const stale = { generation: 1, schema: SCHEMA_VERSION, incarnation, cursor_ms, records: 1, parts };
  await heads.replaceSnapshot(workspace, 0, stale);
  expect(await seenBy('cold')).toEqual(await inTable());
});

test('many readers at once, of one process and of several, all see what was written before they asked', async () => {
  for (let n = 0; n < 10; n += 1) await put(n, `Name ${n}`);
  const seen = await Promise.all(Array.from({ length: 10 }, () => seenBy('shared')));
  for (const one of seen) expect(one).toEqual(await inTable());
});

test('a reader that cannot catch up in time says so, asks for a compaction, and never answers short', async () => {
  await put(1, 'Acme');
  await expect(readAs('hasty', (file) => onIndex(file, 'state'), -1)).rejects.toThrow(RecordsBehind);
  expect((await heads.get(workspace))?.due_at).toBeLessThanOrEqual(Date.now());
  expect(await seenBy('hasty')).toEqual(await inTable());
});

test('a build that runs out of time goes on where it ended, and takes in what was removed meanwhile', async () => {
  const long = 'x'.repeat(100_000);
  for (let n = 0; n < 30; n += 1) {
    const entity = { ...entityOf(n, `Name ${n}`), fields: { long } };
    await transactRecords(workspace, { records: [entity.id] }, entities.entityWrites(entity, [1, 1]));
  }
  const tries: string[] = [];
  for (let tried = 0; tried < 10 && tries.at(-1) !== 'built'; tried += 1) {
    if (tried === 2) await remove(0);
    const build = readAs('hasty', (file) => onIndex(file, 'state'), 0);
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

test.each([0, 0.3, 0.6])(
  'an index that is damaged (from %s of its file on) is made anew and answers rightly',
  async (sound) => {
    for (let n = 0; n < 8; n += 1) await put(n, `Name ${n} ${'x'.repeat(400)}`);
    const [whole, file] = ['whole', 'damaged'].map((reader) => join(folder, reader, `${workspace}.db`));
    await readAs('damaged', async () => undefined);
    await readAs('whole', (built) => onIndex(built, 'copyTo', `${whole}.copy`));
    const bytes = readFileSync(`${whole}.copy`);
    writeFileSync(`${file}.new`, bytes.fill(0xff, Math.floor(bytes.length * sound)));
    await removeIndex(String(file));
    renameSync(`${file}.new`, String(file));
    process.env.RECORD_INDEX_DIR = join(folder, 'damaged');
    const ask = await openIndex(workspace, BUDGET_MS);
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

test('a head that was read with something else spares a question its own read, while it tells nothing new', async () => {
  await put(1, 'Acme');
  await seenBy('a');
  const head = vi.spyOn(heads, 'get');
  expectQuestion(workspace);
  await put(2, 'Beta');
  expect(await seenBy('a')).toEqual(await inTable());
  expect(head).toHaveBeenCalledTimes(1);
  await heads.renewIncarnation(workspace);
  head.mockClear();
  expectQuestion(workspace);
  expect(await seenBy('a')).toEqual(await inTable());
  expect(head.mock.calls.length).toBeGreaterThan(1);
  head.mockRestore();
});

const n = fc.integer({ min: 0, max: 7 });
const readers = fc.constantFrom('a', 'b', 'c');
const act = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      n,
      name: fc.constantFrom('Acme', 'Beta', 'Gamma'),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ kind: fc.constant('remove' as const), n }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('link' as const), n, from: n, to: n }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      n,
      reader: readers,
      meanwhile: fc.constantFrom('nothing', 'put', 'remove', 'forget'),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: fc.constant('read' as const), reader: readers }), weight: 5 },
  { arbitrary: fc.record({ kind: fc.constant('compact' as const), reader: readers }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('forget' as const), reader: readers }), weight: 1 },
);
const death = fc.option(
  fc.record({
    call: fc.integer({ min: 1, max: 8 }),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
  { freq: 4, nil: undefined },
);

/** Histories in the suite; the long form plays as many as it is told to. */
const HISTORIES = Number(process.env.FOLLOW_HISTORIES ?? 3);

test('over random histories of writes, reads and compactions with deaths at any call, every answer is the table', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ act, death }), { minLength: 10, maxLength: 30 }),
      async (history) => {
        workspace = newId();
        round += 1;
        const reader = (name: string) => `${name}-${round}`;
        for (const { act: step, death: fate } of history) {
          const revive = fate && failAtCall(fate.call, fate.when);
          try {
            await play(step, reader);
          } catch (error) {
            // Only a death may interrupt: what it leaves is for those who come after.
            if (!fate) throw error;
          } finally {
            revive?.();
          }
        }
        for (const name of ['a', 'b', 'c', 'cold'])
          expect(await seenBy(reader(name))).toEqual(await inTable());
      },
    ),
    { numRuns: HISTORIES },
  );
});

async function play(
  step: typeof act extends fc.Arbitrary<infer T> ? T : never,
  reader: (name: string) => string,
): Promise<void> {
  switch (step.kind) {
    case 'put':
      await put(step.n, step.name);
      return;
    case 'import':
      return putAlong(reader(step.reader), [step.n, 'Imported'], async () => {
        if (step.meanwhile === 'put') await put(step.n, 'Meanwhile');
        if (step.meanwhile === 'remove') await remove(step.n);
        if (step.meanwhile === 'forget')
          await removeIndex(join(folder, reader(step.reader), `${workspace}.db`));
        if (step.meanwhile !== 'nothing') await readAs(reader(step.reader), async () => undefined);
      });
    case 'remove':
      return remove(step.n);
    case 'link':
      return link(step.n, step.from, step.to);
    case 'read':
      return expect(await seenBy(reader(step.reader))).toEqual(await inTable());
    case 'compact':
      process.env.RECORD_INDEX_DIR = join(folder, reader(step.reader));
      await compactRecords(workspace, Date.now());
      return;
    case 'forget':
      return rmSync(join(folder, reader(step.reader)), { recursive: true, force: true });
  }
}

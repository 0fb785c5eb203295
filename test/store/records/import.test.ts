// Imports into the table: repeating one changes nothing, and importing again completes what a death left undone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { EntityLine } from '#contract/entities.ts';
import { endImport, startImport } from '#domain/records/file-import.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships } from '#domain/records/import-relationships.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import { onIndex } from '#record-index/record-index.ts';
import * as changes from '#store/records/changes.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import * as heads from '#store/records/record-heads.ts';
import { ImportEntity } from '../../../functions/domain/records/checked-lines.ts';
import { aroundTable } from '../../support/around-table.ts';
import { allEntities } from '../../support/records-in-table.ts';
import { useTable } from '../../support/table.ts';
import { chooseHome } from './index-homes.ts';

vi.hoisted(() => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
});
vi.mock('#domain/records/index-home.ts', async () => (await import('./index-homes.ts')).chosenHome);
useTable();
const folder = mkdtempSync(join(tmpdir(), 'imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Transactions so far, and the one at which the process dies, before it takes effect or after. */
let transactions = 0;
let death: { at: number; after: boolean } | undefined;
let workspace = '';
let restore = () => {};
beforeEach(async () => {
  workspace = (await createWorkspace({ name: 'Imports' })).workspace_id;
  transactions = 0;
  process.env.RECORD_INDEX_DIR = folder;
  chooseHome('shared disk');
  restore = aroundTable(async ({ input }, carryOut) => {
    if (!('TransactItems' in input)) return carryOut();
    transactions += 1;
    const [dies, isLast] = [death && transactions >= death.at, transactions === death?.at];
    if (!dies) return carryOut();
    if (death?.after && isLast) await carryOut();
    throw new Error('the process died');
  });
});
afterEach(() => {
  restore();
  death = undefined;
});

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const lineOf = (n: number): EntityLine => ({
  id: idOf(n),
  type: 'company',
  name: `Company ${n}`,
  fields: { b: n, a: { city: 'Oslo', rates: [0.1, -3, null] } },
  external_uri: `crm:${n}`,
  external_id: String(n),
  source: 'custom',
});
const linesOf = (count: number) => Array.from({ length: count }, (_, n) => lineOf(n));
const withoutIds = (count: number) => linesOf(count).map(({ id: _, ...line }) => line);

async function changedIds(): Promise<string[]> {
  const { entries } = await changes.entriesSince(workspace, 0);
  return (await changes.changesOf(workspace, entries)).flatMap(({ records, relationships }) => [
    ...records,
    ...relationships,
  ]);
}

test('a second import of the same lines writes nothing and answers the same', async () => {
  const first = await importEntities(workspace, linesOf(60));
  expect(transactions).toBeGreaterThan(1);
  const [before, entries] = [await allEntities(workspace), await changedIds()];
  transactions = 0;
  expect(await importEntities(workspace, linesOf(60))).toEqual({ ...first, created: 0, unchanged: 60 });
  expect(transactions).toBe(0);
  expect(await allEntities(workspace)).toEqual(before);
  expect(await changedIds()).toEqual(entries);
});

test('of a file that was changed only the changed lines are written', async () => {
  const all = linesOf(60);
  await importEntities(workspace, all);
  const renamed = { ...lineOf(7), name: 'Another' };
  const moved = { ...lineOf(9), external_uri: 'crm:moved' };
  transactions = 0;
  await importEntities(workspace, all.with(7, renamed).with(9, moved));
  expect(transactions).toBe(1);
  expect((await changedIds()).slice(-2)).toEqual([idOf(7), idOf(9)]);
  expect((await entities.get(workspace, idOf(7)))?.name).toBe('Another');
  expect(await entities.idsOf(workspace, { external_uri: 'crm:9' })).toEqual([]);
});

test.each([false, true])(
  'after a crash of an import at any point (after its write: %s), importing again completes every record once',
  async (after) => {
    const lines = withoutIds(200);
    const { import_id } = await startImport(workspace, 'digest');
    for (const at of [1, 2]) {
      [transactions, death] = [0, { at, after }];
      await expect(importEntities(workspace, lines, { import_id, offset: 0 })).rejects.toMatchObject({
        code: 'import_interrupted',
      });
    }
    death = undefined;
    const again = await startImport(workspace, 'digest');
    const { entities: answered } = await importEntities(workspace, lines, { ...again, offset: 0 });
    const saved = await allEntities(workspace);
    expect(saved.map(({ name }) => name).toSorted()).toEqual(lines.map(({ name }) => name).toSorted());
    for (const { id, external_uri = '' } of answered)
      expect(await entities.idsOf(workspace, { external_uri })).toEqual([id]);
    expect(new Set(await changedIds())).toEqual(new Set(answered.map(({ id }) => id)));
  },
);

/** Imports a whole file, as the CLI does. */
async function importFile(digest: string, lines: EntityLine[]) {
  const started = await startImport(workspace, digest);
  const { entities: records, ...counts } = await importEntities(workspace, lines, { ...started, offset: 0 });
  await endImport(workspace, digest);
  return { ...counts, ids: records.map(({ id }) => id) };
}

const homes = ['own disk', 'shared disk'] as const;
const outside: [string, (n: number) => EntityLine][] = [
  ['external_uri', (n) => ({ type: 'order', name: `${n}`, external_uri: `shop:${n}` })],
  ['external_id and source', (n) => ({ type: 'order', name: `${n}`, external_id: `${n}`, source: 'custom' })],
  ['neither', (n) => ({ type: 'order', name: `${n}` })],
  ['neither, all with one name', () => ({ type: 'order', name: 'Order' })],
];

test.each(homes.flatMap((home) => outside.map(([names, line]) => ({ home, names, line }))))(
  'a file that is sent twice, its lines with $names, makes each record once and writes nothing ($home)',
  async ({ home, line }) => {
    chooseHome(home);
    const lines = Array.from({ length: 120 }, (_, n) => ({ ...line(n), fields: { n } }));
    const first = await importFile('digest', lines);
    expect(first).toMatchObject({ imported: 120, created: 120, updated: 0, unchanged: 0 });
    transactions = 0;
    expect(await importFile('digest', lines)).toEqual({ ...first, created: 0, unchanged: 120 });
    const more = lines.with(70, { ...line(70), fields: { n: -1 } });
    expect(transactions).toBe(0);
    const next = await importFile('another', [...more, { ...line(120), fields: { n: 120 } }]);
    expect(next).toMatchObject({ imported: 121, created: 1, updated: 1, unchanged: 119 });
    expect(next.ids.slice(0, 120)).toEqual(first.ids);
    const changed = await entities.get(workspace, first.ids[70] ?? '');
    expect(changed?.fields).toEqual({ n: -1 });
    expect(await allEntities(workspace)).toHaveLength(121);
  },
);

test.each(homes)('twins stay twins: the n-th line is the n-th record by age (%s)', async (home) => {
  chooseHome(home);
  const twin = (n: number): EntityLine => ({ type: 'order', name: 'Twin', fields: { n } });
  const [one, two] = (await importFile('first', [twin(1), twin(2)])).ids;
  const [, , three] = (await importFile('second', [twin(1), twin(2), twin(3)])).ids;
  await transactRecords(workspace, { records: [two ?? ''] }, [
    ...entities.entityDeletes((await entities.get(workspace, two ?? '')) ?? expect.fail()),
  ]);
  expect((await importFile('third', [twin(1), twin(3)])).ids).toEqual([one, three]);
  const alone = await importEntities(workspace, [{ ...twin(3), occurrence: 2 }]);
  expect(alone).toMatchObject({ unchanged: 1, entities: [{ id: three }] });
});

test('a line without names is no record that a line with names made', async () => {
  const line: EntityLine = { type: 'order', name: 'Order' };
  await importFile('first', [{ ...line, external_uri: 'shop:1' }]);
  await importEntities(workspace, [{ ...line, id: idOf(1) }]);
  expect(await importFile('second', [line])).toMatchObject({ created: 1 });
  expect(await importFile('third', [line])).toMatchObject({ unchanged: 1 });
});

test('an import of lines without names that was interrupted is completed beside an earlier one of the same names', async () => {
  const lines = Array.from(
    { length: 200 },
    (_, n): EntityLine => ({ type: 'a', name: `${n % 50}`, fields: { n } }),
  );
  const { ids } = await importFile('earlier', lines.slice(0, 50));
  [transactions, death] = [0, { at: 2, after: true }];
  await expect(importFile('digest', lines)).rejects.toMatchObject({ code: 'import_interrupted' });
  death = undefined;
  const again = await importFile('digest', lines);
  expect(again.ids.slice(0, 50)).toEqual(ids);
  expect(await allEntities(workspace)).toHaveLength(200);
  expect(await importFile('later', lines)).toMatchObject({ unchanged: 200, ids: again.ids });
});

test('a matched record keeps what its line lacks, and gets the fields of its line in place of its own', async () => {
  await importEntities(workspace, [lineOf(1)]);
  const before = await entities.get(workspace, idOf(1));
  const line: EntityLine = { type: 'company', name: 'Renamed', external_uri: 'crm:1' };
  expect(await importEntities(workspace, [line])).toMatchObject({ updated: 1, entities: [{ id: idOf(1) }] });
  const kept = { fields: before?.fields, external_id: '1', source: 'custom', created_at: before?.created_at };
  expect(await entities.get(workspace, idOf(1))).toMatchObject({ name: 'Renamed', ...kept });
  await importEntities(workspace, [{ ...line, fields: { only: true } }]);
  expect((await entities.get(workspace, idOf(1)))?.fields).toEqual({ only: true });
});

test.each<[string, Partial<EntityLine>, string]>([
  ['an id and the URI of another', { id: idOf(0), external_uri: 'crm:1' }, 'external_uri'],
  [
    'an id and the external id of another',
    { id: idOf(0), external_id: '1', source: 'custom' },
    'external_id',
  ],
  ['names of two', { external_id: '0', source: 'custom', external_uri: 'crm:1' }, 'external_uri'],
  [
    'a new id and the names of two',
    { id: idOf(9), external_id: '0', source: 'custom', external_uri: 'crm:1' },
    'external_uri',
  ],
  [
    'the external id of a record of another type',
    { type: 'person', external_id: '1', source: 'custom' },
    'external_id',
  ],
])('a line with %s is at fault, and nothing is written', async (_, names, path) => {
  await importEntities(workspace, linesOf(2));
  const entries = await changedIds();
  const lines: EntityLine[] = [lineOf(5), { type: 'company', name: 'Both', ...names }];
  expect(await importEntities(workspace, lines)).toMatchObject({
    imported: 0,
    faults: [{ index: 1, path, message: expect.stringContaining('belongs to') }],
  });
  expect(await changedIds()).toEqual(entries);
});

test('lines act one after another', async () => {
  const line: EntityLine = { type: 'order', name: 'Order', external_uri: 'shop:1' };
  const [first, second] = [1, 2].map((n) => ({ ...line, fields: { n } }));
  const lines = first && second ? [first, second, second] : [];
  const answer = await importEntities(workspace, lines);
  expect(answer).toMatchObject({ imported: 3, created: 1, updated: 1, unchanged: 1 });
  expect(new Set(answer.entities.map(({ id }) => id)).size).toBe(1);
  expect((await allEntities(workspace)).map(({ fields }) => fields)).toEqual([{ n: 2 }]);
});

test('equal lines of one file without id and names are separate records', async () => {
  const line: EntityLine = { type: 'order', name: 'Order' };
  const { import_id } = await startImport(workspace, 'digest');
  await importEntities(workspace, [line, line], { import_id, offset: 0 });
  await importEntities(workspace, [line, line], { import_id, offset: 2 });
  expect(await allEntities(workspace)).toHaveLength(4);
});

test('where index files last, an import updates the index', async () => {
  await importEntities(workspace, linesOf(3));
  const line = { from: { id: idOf(0) }, to: { id: idOf(1) }, type: 'owns', metadata: {} };
  await importRelationships(workspace, [line]);
  const file = join(folder, `${workspace}.db`);
  expect(await onIndex(file, 'fingerprint')).toMatchObject({ records: 3, relationships: 1 });
});

test('where index files do not last, an import requests a compaction, and only when it wrote something', async () => {
  chooseHome('own disk');
  await importEntities(workspace, linesOf(3));
  const { due_at = Number.NaN } = (await heads.get(workspace)) ?? {};
  expect(due_at).toBeLessThanOrEqual(Date.now());
  await heads.meetRequests(workspace, Date.now(), undefined);
  await importEntities(workspace, linesOf(3));
  expect(await heads.get(workspace)).not.toHaveProperty('due_at');
});

test.each(['own disk', 'shared disk'] as const)(
  'an import succeeds although its index cannot be opened (%s)',
  async (home) => {
    chooseHome(home);
    process.env.RECORD_INDEX_DIR = '/dev/null';
    await importEntities(workspace, linesOf(3));
    expect(await allEntities(workspace)).toHaveLength(3);
  },
);

test('the largest accepted record can be stored', async () => {
  const fields = { text: 'é'.repeat(179_194) };
  expect(Buffer.byteLength(JSON.stringify(fields))).toBeGreaterThan(358_390);
  const line = ImportEntity.parse({ ...lineOf(1), fields });
  await importEntities(workspace, [line]);
  expect((await entities.get(workspace, idOf(1)))?.fields).toEqual(fields);
});

test('fields that take more in the table than in JSON are refused before the table does', () => {
  const refused = ImportEntity.safeParse({ ...lineOf(1), fields: { digits: Array(150_000).fill(1) } });
  expect(refused.error?.issues[0]?.message).toContain('larger than an item of the table');
});

test('outside names are looked up a few at a time: what waits for a connection is cut off', async () => {
  let underWay = 0;
  let most = 0;
  const stopCounting = aroundTable(async (_, carryOut) => {
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      return await carryOut();
    } finally {
      underWay -= 1;
    }
  });
  onTestFinished(stopCounting);
  const refs = Array.from({ length: 200 }, (_, n) => ({ external_uri: `crm:unknown-${n}` }));
  expect(await entities.resolveIds(workspace, refs)).toEqual(refs.map(() => undefined));
  expect(most).toBeLessThanOrEqual(25);
});

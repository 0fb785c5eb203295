// rules.md: entities 7, entities 8. Imports of keys into the table: interrupted, at once, and how much they read.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EntityLine } from '#contract/entities.ts';
import { importRequest } from '#domain/records/import-request.ts';
import { updateEntity } from '#domain/records/update-entity.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import * as entities from '#store/records/entity-items.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { aroundTable } from '../../support/around-table.ts';
import { allEntities } from '../../support/records-in-table.ts';
import { useTable } from '../../support/table.ts';

vi.hoisted(() => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
});
/** What a change answers with needs an index; these tests read the table. */
vi.mock('#domain/records/read-entity.ts', () => ({ readEntity: async () => ({}) }));
useTable();

let workspace: Workspace;
let restore = () => {};
const inNewWorkspace = async () => {
  const { workspace_id } = await createWorkspace({ name: 'Requests' });
  workspace = (await workspaces.get(workspace_id)) ?? expect.fail();
};
beforeEach(inNewWorkspace);
afterEach(() => restore());

const by = { actor: 'key_1', request_id: 'r' };
const imports = (lines: unknown[]) => importRequest(workspace, lines, {}, by);
const saved = () => allEntities(workspace.workspace_id);
const isTransaction = (name: string) => name === 'TransactWriteCommand';

const kinds: [string, (n: number) => EntityLine][] = [
  ['an external_uri', (n) => ({ type: 'a', name: `${n}`, fields: { n }, external_uri: `shop:${n}` })],
  [
    'an external id',
    (n) => ({ type: 'a', name: `${n}`, fields: { n }, external_id: `${n}`, source: 'custom' }),
  ],
  ['no name of outside', (n) => ({ type: 'a', name: `${n % 7}`, fields: { n } })],
];

test.each(kinds.flatMap(([names, line]) => [false, true].map((after) => ({ names, line, after }))))(
  'one that died at any transaction is completed by the same request: $names, after its write: $after',
  async ({ line, after }) => {
    const lines = Array.from({ length: 130 }, (_, n) => line(n));
    for (const at of [1, 2, 3, 4]) {
      let transactions = 0;
      restore = aroundTable(async ({ name }, carryOut) => {
        if (!isTransaction(name)) return carryOut();
        transactions += 1;
        if (transactions < at) return carryOut();
        if (after && transactions === at) await carryOut();
        throw new Error('the process died');
      });
      await imports(lines).catch((error: Error) => expect(error.message).toMatch(/died|were written/));
      restore();
    }
    expect(await imports(lines)).toMatchObject({ imported: 130, errors: [] });
    expect(await imports(lines)).toMatchObject({ unchanged: 130 });
    const records = await saved();
    expect(records.map(({ fields }) => Number(fields.n)).sort((a, b) => a - b)).toEqual(
      lines.map((_, n) => n),
    );
  },
);

test('a transaction whose answer is lost counts once', async () => {
  let lost = 0;
  restore = aroundTable(async ({ name }, carryOut) => {
    const answer = await carryOut();
    if (isTransaction(name) && lost++ === 1) throw new ServiceTrouble('no answer');
    return answer;
  });
  const lines = Array.from({ length: 10 }, (_, n) => ({ type: 'a', name: 'A', fields: { n } }));
  expect(await imports(lines)).toMatchObject({ imported: 10, created: 10, unchanged: 0 });
  expect(await saved()).toHaveLength(10);
});

/** Has `act` done by another process just before the first transaction that writes a record. */
function meanwhile(act: () => Promise<unknown>): void {
  let isDone = false;
  restore = aroundTable(async ({ name, input }, carryOut) => {
    if (!isDone && isTransaction(name) && JSON.stringify(input).includes('#ENTITIES')) {
      isDone = true;
      await act();
    }
    return carryOut();
  });
}

test('two that name one new record in different ways make one record', async () => {
  const line = { type: 'a', name: 'A' };
  meanwhile(() => imports([{ ...line, fields: { n: 1 }, external_uri: 'shop:1' }]));
  const both = { external_id: '1', source: 'custom', external_uri: 'shop:1' };
  expect(await imports([{ ...line, fields: { n: 2 }, ...both }])).toMatchObject({ updated: 1 });
  expect(await saved()).toMatchObject([{ fields: { n: 2 }, ...both }]);
});

test('a change that takes the URI of a line first leaves its record the only one', async () => {
  await imports([{ type: 'a', name: 'Old', external_id: '1', source: 'custom' }]);
  const [old] = await saved();
  meanwhile(() => updateEntity(workspace, old?.id, { external_uri: 'shop:1' }, by));
  expect(await imports([{ type: 'a', name: 'New', external_uri: 'shop:1' }])).toMatchObject({ updated: 1 });
  expect(await saved()).toMatchObject([
    { id: old?.id, name: 'New', external_id: '1', external_uri: 'shop:1' },
  ]);
});

test('what a change has written in the meantime is not lost to an import', async () => {
  await imports([{ type: 'a', name: 'A', fields: { n: 1 }, external_uri: 'shop:1' }]);
  const [record] = await saved();
  meanwhile(() => updateEntity(workspace, record?.id, { fields: { m: 2 } }, by));
  await imports([{ type: 'a', name: 'Renamed', external_uri: 'shop:1' }]);
  expect(await saved()).toMatchObject([{ name: 'Renamed', fields: { n: 1, m: 2 } }]);
});

test('twins of two at once have the lines of their numbers, whoever wrote them', async () => {
  const lines = Array.from({ length: 120 }, (_, n) => ({ type: 'a', name: 'Twin', fields: { n } }));
  // The other one, a part of a file, has the last of them alone.
  meanwhile(() => imports(lines.slice(-1).map((line) => ({ ...line, occurrence: 120 }))));
  await imports(lines);
  expect((await saved()).map(({ fields }) => Number(fields.n)).sort((a, b) => a - b)).toEqual(
    lines.map((_, n) => n),
  );
});

test('a thousand lines are looked up in few requests, and an import that changes nothing writes nothing', async () => {
  const counts: Record<string, number> = {};
  restore = aroundTable(async ({ name }, carryOut) => {
    // At random, about once in a thousand records, a compaction is asked for.
    if (name !== 'UpdateCommand') counts[name] = (counts[name] ?? 0) + 1;
    return carryOut();
  });
  const lines = Array.from({ length: 1000 }, (_, n) => ({ type: 'a', name: 'A', fields: { n } }));
  await imports(lines);
  // One name, ten batches of claims; a record, its name and its claim are three of 98 actions.
  expect(counts).toEqual({ QueryCommand: 1, BatchGetCommand: 10, TransactWriteCommand: 33 });
  for (const name of Object.keys(counts)) counts[name] = 0;
  await imports(lines);
  // Two pages of one name, and ten batches of records.
  expect(counts).toEqual({ QueryCommand: 2, BatchGetCommand: 20, TransactWriteCommand: 0 });
});

/** A record by its number: the same number is the same record, whichever names its line has. */
const names = (n: number, kind: number): EntityLine[] => {
  const line = { type: 'a', name: `${n % 3}`, fields: { n } };
  const [uri, id] = [{ external_uri: `shop:${n}` }, { external_id: `${n}`, source: 'custom' as const }];
  return [
    { ...line, ...uri },
    { ...line, ...id },
    { ...line, ...uri, ...id },
  ].slice(kind, kind + 1);
};
const someLines = fc
  .uniqueArray(fc.record({ n: fc.nat(12), kind: fc.nat(2) }), { minLength: 1, selector: ({ n }) => n })
  .map((lines) => lines.flatMap(({ n, kind }) => names(n, kind)));

test('imports of any parts of the same lines, in any order and at once, end in the same records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someLines, { minLength: 2, maxLength: 4 }), async (requests) => {
      await inNewWorkspace();
      // Names that meet in one line are of one record only if it is there first.
      const all = [...new Set(requests.flat().map(({ fields }) => Number(fields?.n)))];
      await imports(all.flatMap((n) => names(n, 2)));
      await Promise.all(requests.map(imports));
      const records = await saved();
      expect(records.map(({ fields }) => fields.n)).toHaveLength(all.length);
      expect(new Set(records.map(({ fields }) => fields.n))).toEqual(new Set(all));
      for (const lines of requests) expect(await imports(lines)).toMatchObject({ unchanged: lines.length });
    }),
    { numRuns: 25 },
  );
});

test('new lines of imports at once make each record once, and all of them unchanged when they come again', async () => {
  const twins = fc
    .nat({ max: 4 })
    .map((count) => Array.from({ length: count }, (_, n) => ({ type: 'twin', name: 'T', fields: { n } })));
  const requests = fc.tuple(
    fc.nat(1),
    fc.array(fc.tuple(fc.uniqueArray(fc.nat(20)), twins), { minLength: 2, maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(requests, async ([kind, parts]) => {
      await inNewWorkspace();
      const sent = parts.map(([ns, more]) => [...ns.flatMap((n) => names(n, kind)), ...more]);
      await Promise.all(sent.map(imports));
      const records = await saved();
      const numbers = (type: string) =>
        records
          .filter((one) => one.type === type)
          .map(({ fields }) => Number(fields.n))
          .sort((a, b) => a - b);
      const expected = [...new Set(parts.flatMap(([ns]) => ns))].sort((a, b) => a - b);
      expect(numbers('a')).toEqual(expected);
      const most = Math.max(...parts.map(([, more]) => more.length));
      expect(numbers('twin')).toEqual(Array.from({ length: most }, (_, n) => n));
      for (const again of sent) expect(await imports(again)).toMatchObject({ unchanged: again.length });
    }),
    { numRuns: 25 },
  );
});

test('a name that a record has given up, or that went with it, may be taken at once', async () => {
  const line = (n: number) => ({ type: 'a', name: `${n}`, external_uri: 'shop:1' });
  await imports([line(1)]);
  const [first] = await saved();
  await updateEntity(workspace, first?.id, { external_uri: 'shop:2' }, by);
  expect(await imports([line(2)])).toMatchObject({ created: 1 });
  expect(await entities.idsOf(workspace.workspace_id, { external_uri: 'shop:2' })).toEqual([first?.id]);
  await updateEntity(workspace, first?.id, { external_uri: null }, by);
  expect(await imports([{ ...line(3), external_uri: 'shop:2' }])).toMatchObject({ created: 1 });
});

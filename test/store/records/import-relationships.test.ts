// rules.md: admin 7, admin 13. Relationships: which one a line is, and what a second import writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships, resolveRelationships } from '#domain/records/import-relationships.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import * as relationships from '#store/records/relationship-items.ts';
import { aroundTable } from '../../support/around-table.ts';
import { useTable } from '../../support/table.ts';
import { chooseHome } from './index-homes.ts';

vi.mock('#domain/records/index-home.ts', async () => (await import('./index-homes.ts')).chosenHome);
useTable();
const folder = mkdtempSync(join(tmpdir(), 'relationships-'));
afterAll(() => rmSync(folder, { recursive: true }));

let workspace = '';
beforeEach(async () => {
  workspace = (await createWorkspace({ name: 'Imports' })).workspace_id;
  process.env.RECORD_INDEX_DIR = folder;
  chooseHome('shared disk');
});

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: idOf(n),
    type: 'company',
    name: `Company ${n}`,
    external_uri: `crm:${n}`,
    external_id: String(n),
    source: 'custom' as const,
  }));

test('a second import of relationships writes nothing; equal lines are one, and count as one', async () => {
  await importEntities(workspace, linesOf(3));
  const lines = [0, 1, 2, 2].map((n) => ({
    from: { id: idOf(n) },
    to: { external_uri: `crm:${(n + 1) % 3}` },
    type: 'owns',
    metadata: { n },
  }));
  const first = await importRelationships(workspace, lines);
  expect(first).toMatchObject({ imported: 3, created: 3, unchanged: 0 });
  let transactions = 0;
  onTestFinished(
    aroundTable(({ input }, carryOut) => {
      if ('TransactItems' in input) transactions += 1;
      return carryOut();
    }),
  );
  expect(await importRelationships(workspace, lines)).toEqual({ ...first, created: 0, unchanged: 3 });
  expect(transactions).toBe(0);
});

test('ends, type and role make a relationship: other metadata replaces, another role is another one', async () => {
  await importEntities(workspace, linesOf(2));
  const line = { from: { id: idOf(0) }, to: { id: idOf(1) }, type: 'works_at' };
  const [sent] = (await importRelationships(workspace, [{ ...line, metadata: { role: 'CTO', since: 2020 } }]))
    .relationships;
  const before = await relationships.get(workspace, sent?.id ?? '');
  const next = await importRelationships(workspace, [
    { ...line, metadata: { role: 'CTO', since: 2021 } },
    { ...line, metadata: { role: 'owner' } },
  ]);
  expect(next).toMatchObject({ imported: 2, created: 1, updated: 1, unchanged: 0 });
  expect(await relationships.get(workspace, sent?.id ?? '')).toMatchObject({
    metadata: { role: 'CTO', since: 2021 },
    created_at: before?.created_at,
  });
  expect(await relationships.ofEntities(workspace, [idOf(0)])).toHaveLength(2);
});

test.each(['own disk', 'shared disk'] as const)(
  'ends of relationships are found by outside names, also by those of records that were just imported (%s)',
  async (home) => {
    chooseHome(home);
    await importEntities(workspace, linesOf(2));
    const lines = [
      { from: { external_uri: 'crm:0' }, to: { external_id: '1', source: 'custom' as const } },
      { from: { external_uri: 'crm:0' }, to: { id: idOf(1) } },
      { from: { external_uri: 'crm:0' }, to: { external_uri: 'crm:none' } },
    ];
    const ends = { from_id: idOf(0), to_id: idOf(1) };
    expect(await resolveRelationships(workspace, lines)).toEqual({
      ends: [ends, ends, null],
      unresolvable: [{ index: 2, end: 'to', ref: { external_uri: 'crm:none' } }],
    });
  },
);

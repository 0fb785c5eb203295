// analyze, discover and inject_context (rules.md: steps 7, steps 8, steps 10).
import { expect, test } from 'vitest';
import type { Artifact } from '#contract/artifacts.ts';
import { entityItem } from '#sources/to-items.ts';
import { analyze } from '#steps/analyze-step.ts';
import { discover } from '#steps/discover-step.ts';
import { injectContext } from '#steps/inject-context-step.ts';
import { entity, note, relationship, sourcesOver, textArtifact, uuid } from '../sources/memory-readers.ts';
import { contextOf, ids, items, type StubModel } from './fake-context.ts';

const acme = entity('company', 'Acme', { sector: 'robots' }, { external_uri: 'crm:acme' });
const ada = entity('person', 'Ada');
const bolt = entity('company', 'Bolt', { sector: 'scooters' });
const cyra = entity('company', 'Cyra', { sector: 'robots' });
const relationships = [relationship(ada, 'works_at', acme), relationship(ada, 'founded', bolt)];
const memo = note('Memo', 'Acme is hiring', acme);
const report = textArtifact('Report', 'Robots are rising');
const table: Artifact = {
  id: uuid(50),
  object: 'artifact',
  kind: 'table',
  title: 'Old table',
  run_id: uuid(3),
  created_at: 1,
  row_count: 2,
  columns: ['name', 'grade'],
  rows: [
    { name: `[Acme](entity=${acme.id})`, grade: 'A' },
    { name: 'Nobody', grade: 'B' },
  ],
};
const sources = sourcesOver({
  entities: [acme, ada, bolt, cyra],
  relationships,
  notes: [memo],
  artifacts: [report, table],
});

test('analyze writes findings over items and texts of all earlier steps in one call', async () => {
  const outputs = { 0: { items: items('a') }, 1: { text: 'given' } };
  const model: StubModel = { analyze: () => ({ findings: 'Found [a](entity=a) and [x](entity=x)' }) };
  const context = contextOf('analyze', { focus: 'size' }, { outputs, model, instructions: 'Compare' });
  const text = 'Found [a](entity=a) and x';
  expect(await analyze(context)).toEqual({ text, message: text });
  expect(context.calls).toMatchObject([
    { instructions: 'Compare', focus: 'size', max_tokens: 2000, items: [{ id: 'a' }], context: ['given'] },
  ]);
});

test('analyze reads only the steps in context_step_ids', async () => {
  const outputs = { 0: { items: items('a') }, 1: { items: items('b') } };
  const model: StubModel = { analyze: () => ({ findings: '' }) };
  const context = contextOf('analyze', { context_step_ids: [1], max_tokens: 300 }, { outputs, model });
  await analyze(context);
  expect(context.calls).toMatchObject([{ max_tokens: 300, items: [{ id: 'b' }], context: [] }]);
});

/** Picks every candidate, and one that was none. */
const pickAll: StubModel = {
  discover: ({ candidates }) => ({
    picks: [{ id: 'invented' }, ...candidates].map(({ id }, i) => ({
      id,
      score: 1 - i / 10,
      reason: `reason ${i}`,
    })),
  }),
};
const outputs = { 0: { items: [entityItem(acme)] } };

test('discover finds records by relationships and likeness, none that is at hand', async () => {
  const context = contextOf('discover', { query: 'robots' }, { outputs, sources, model: pickAll });
  const found = await discover(context);
  expect(ids(found)).toEqual(expect.arrayContaining([ada.id, cyra.id]));
  expect(ids(found)).not.toContain(acme.id);
  expect(ids(found)).not.toContain('invented');
  expect(found.items?.[0]?.fields).toHaveProperty('discovery_reason');
  expect(context.calls).toMatchObject([{ candidates: [{ id: ada.id, links: ['Ada works_at Acme'] }, {}] }]);
});

test('discover walks one relationship by default and two with depth 2', async () => {
  const linked: StubModel = {
    discover: ({ candidates }) => ({
      picks: candidates
        .filter(({ links }) => links.length > 0)
        .map(({ id }) => ({ id, score: 1, reason: '' })),
    }),
  };
  expect(ids(await discover(contextOf('discover', {}, { outputs, sources, model: linked })))).toEqual([
    ada.id,
  ]);
  const far = contextOf('discover', { depth: 2 }, { outputs, sources, model: linked });
  expect(ids(await discover(far))).toEqual([ada.id, bolt.id]);
});

test('discover keeps to entity_types, also when another type lies between, and to limit', async () => {
  const context = contextOf(
    'discover',
    { entity_types: ['companies'], depth: 2 },
    { outputs, sources, model: pickAll },
  );
  const found = ids(await discover(context));
  expect(found).toContain(bolt.id);
  expect(found).not.toContain(ada.id);
  const one = contextOf('discover', { limit: 1 }, { outputs, sources, model: pickAll });
  expect(ids(await discover(one))).toHaveLength(1);
});

test('inject_context puts text before later steps and yields no items', async () => {
  expect(await injectContext(contextOf('inject_context', { text: 'Mind the gap' }))).toEqual({
    text: 'Mind the gap',
  });
});

test('inject_context makes items of referenced records', async () => {
  const params = { entities: [{ id: ada.id }, { external_uri: 'crm:acme' }] };
  expect(ids(await injectContext(contextOf('inject_context', params, { sources })))).toEqual([
    ada.id,
    acme.id,
  ]);
});

test('inject_context makes texts of notes and text artifacts, linked to where they come from', async () => {
  const params = { note_ids: [memo.id.toUpperCase()], artifact_ids: [report.id] };
  const output = await injectContext(contextOf('inject_context', params, { sources }));
  expect(output.items).toBeUndefined();
  expect(output.text).toContain(`[Memo](note=${memo.id})\n\nAcme is hiring`);
  expect(output.text).toContain(`[Report](artifact=${report.id})\n\nRobots are rising`);
});

test('inject_context makes items of the rows of a table, records where a row links to one', async () => {
  const output = await injectContext(contextOf('inject_context', { artifact_ids: [table.id] }, { sources }));
  expect(output.items).toMatchObject([
    { id: acme.id, kind: 'entity', type: 'company', name: 'Acme', fields: { grade: 'A' } },
    { kind: 'text', name: 'Nobody', fields: { grade: 'B' } },
  ]);
});

test('inject_context names what it cannot find in one warning', async () => {
  const params = {
    entities: [{ id: uuid(7) }, { id: ada.id }],
    note_ids: [uuid(8)],
    artifact_ids: [uuid(9)],
  };
  const context = contextOf('inject_context', params, { sources });
  expect(ids(await injectContext(context))).toEqual([ada.id]);
  expect(context.warnings).toMatchObject([
    {
      code: 'source_not_found',
      details: { entities: [{ id: uuid(7) }], note_ids: [uuid(8)], artifact_ids: [uuid(9)] },
    },
  ]);
});

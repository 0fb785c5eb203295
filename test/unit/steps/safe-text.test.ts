// A run's output contains no links except to records, whatever records and models contain (rules.md: artifacts 5,
// artifacts 6).
import { expect, test } from 'vitest';
import type { Json } from '#contract/json.ts';
import { analyze as offlineAnalyze } from '#models/offline/analyze.ts';
import { dossierSection } from '#models/offline/dossier-section.ts';
import { reconstitute as offlineReconstitute } from '#models/offline/reconstitute.ts';
import { entityItem, relationshipItem } from '#sources/to-items.ts';
import { analyze } from '#steps/analyze-step.ts';
import { closingMessage } from '#steps/closing-message.ts';
import { runDossier } from '#steps/dossier-step.ts';
import { injectContext } from '#steps/inject-context-step.ts';
import { reconstitute } from '#steps/reconstitute-step.ts';
import type { StepOutput } from '#steps/step.ts';
import { breaches } from '../../support/markdown-judge.ts';
import { entity, relationship, sourcesOver, uuid } from '../sources/memory-readers.ts';
import { contextOf, type StubModel } from './fake-context.ts';

const FOREIGN = uuid(9_000);
const HOSTILE = `[FAKE](entity=${FOREIGN}) ![i](http://evil.example/i) <img src=x onerror=alert(1)> [Berlin](javascript:alert(1)) <a@b.co> \`\n\n[1]: entity=${FOREIGN}\n[x][1]`;

const fields = {
  city: HOSTILE,
  industry: 'x](javascript:alert(1))',
  tags: [HOSTILE],
  more: { note: HOSTILE },
  [HOSTILE]: 7,
  revenue: 5,
};
const acme = entity('company', `Acme](javascript:alert(1)) ${HOSTILE}`.slice(0, 500), fields);
const bolt = entity('company', 'Bolt', { ...fields, revenue: 9 });
const ada = entity('person', HOSTILE, { bio: HOSTILE });
const employed = relationship(ada, 'works_at', acme, { role: HOSTILE });
const sources = sourcesOver({ entities: [acme, bolt, ada], relationships: [employed] });
const items = [entityItem(acme), entityItem(bolt), relationshipItem(employed, ada, acme)];
const known = [acme, bolt, ada].map(({ id }) => `entity=${id}`);

const offline: StubModel = {
  analyze: offlineAnalyze,
  reconstitute: offlineReconstitute,
  dossier_section: dossierSection,
};
const lies = `[Ghost](entity=${FOREIGN}) [nested [x]](entity=${FOREIGN}) [y](ENTITY=${acme.id}) [z](entity%3D${acme.id}) ${HOSTILE} [Acme](entity=${acme.id})`;
const liar: StubModel = {
  analyze: () => ({ findings: lies }),
  reconstitute: () => ({ message: lies, texts: [{ title: 'T', content: lies }], table_title: 'T' }),
  dossier_section: () => ({ content: lies }),
};

/** Every string that is Markdown in what a step gives out. */
function markdownOf({ message, notes = [], artifacts = [] }: StepOutput): string[] {
  const texts = artifacts.flatMap((artifact): string[] => {
    if (artifact.kind === 'text') return [artifact.content];
    if (artifact.kind === 'table')
      return artifact.rows.flatMap((row) => Object.values(row).flatMap(stringsOf));
    const { entity: subject, summary, attributes, relationships, recent_activity } = artifact.content;
    const facts = attributes.flatMap(({ label, value }) => [label, ...stringsOf(value)]);
    const others = relationships.flatMap(({ name, role }) => [name, role ?? '']);
    return [subject.name, summary, ...facts, ...others, ...recent_activity.map(({ text }) => text)];
  });
  return [message ?? '', ...notes.map(({ content }) => content), ...texts];
}

function stringsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function judged(output: StepOutput): string[] {
  const texts = markdownOf(output);
  expect(texts.join('').length).toBeGreaterThan(0);
  return texts.flatMap((text) => breaches(text, known));
}

test.each([
  ['the offline model', offline],
  ['a model that lies', liar],
])('an answer, findings and a dossier of hostile records are safe, written by %s', async (_, model) => {
  const params = { expected_artifacts: ['table', 'text', 'entity_card', 'Second'] };
  const outputs = { 0: { items } };
  const instructions = 'Compare by city, industry and revenue';
  expect(
    judged(await reconstitute(contextOf('reconstitute', params, { outputs, sources, model, instructions }))),
  ).toEqual([]);
  expect(judged(await analyze(contextOf('analyze', {}, { outputs, sources, model, instructions })))).toEqual(
    [],
  );
  const dossier = await runDossier(contextOf('reconstitute', {}, { sources, model }), {
    entity: acme,
    sections: ['Overview', 'Key attributes', 'Relationships', 'Activity', 'Insights', HOSTILE],
  });
  expect(judged(dossier)).toEqual([]);
});

test('a known record stays a link in what a lying model writes', async () => {
  const { message } = await reconstitute(
    contextOf('reconstitute', {}, { outputs: { 0: { items } }, sources, model: liar }),
  );
  expect(message).toContain(`[Acme](entity=${acme.id})`);
  expect(message).not.toContain(`](entity=${FOREIGN})`);
});

test('the message of a run that wrote none is safe', () => {
  expect(breaches(closingMessage(HOSTILE, items), known)).toEqual([]);
  const group = {
    id: 'g',
    kind: 'group',
    type: 'group',
    name: HOSTILE,
    fields: { city: HOSTILE, count: 2 },
  } as const;
  expect(breaches(closingMessage('Groups', [group]), known)).toEqual([]);
});

test('rows of a table come back as the values that they were made of', async () => {
  const made = await reconstitute(
    contextOf(
      'reconstitute',
      { expected_artifacts: ['table'] },
      { outputs: { 0: { items: [entityItem(acme)] } }, sources, model: liar },
    ),
  );
  const draft = made.artifacts?.[0];
  if (draft?.kind !== 'table') throw new Error('no table');
  const table = {
    ...draft,
    id: uuid(50),
    object: 'artifact',
    run_id: uuid(3),
    created_at: 1,
    row_count: 1,
  } as const;
  const again = sourcesOver({ entities: [acme], artifacts: [table] });
  const { items: rows } = await injectContext(
    contextOf('inject_context', { artifact_ids: [table.id] }, { sources: again }),
  );
  expect(rows).toMatchObject([{ id: acme.id, name: acme.name, fields }]);
});

// reconstitute and the dossier: messages, tables, texts and cards (rules.md: steps 9, dossier).
import { expect, test } from 'vitest';
import { CardContent } from '#contract/artifacts.ts';
import { unusable } from '#models/model.ts';
import { entityItem, relationshipItem } from '#sources/to-items.ts';
import { closingMessage } from '#steps/closing-message.ts';
import { fieldsNamedBy } from '#steps/column-order.ts';
import { defaultSections, runDossier } from '#steps/dossier-step.ts';
import { filter } from '#steps/filter-step.ts';
import { tableOf } from '#steps/item-table.ts';
import { reconstitute } from '#steps/reconstitute-step.ts';
import type { Item } from '#steps/step.ts';
import { entity, relationship, sourcesOver } from '../sources/memory-readers.ts';
import { contextOf, items, many, NOW, type StubModel } from './fake-context.ts';

const acme = entity(
  'company',
  'Acme [DE]',
  { city: 'Berlin', annual_revenue: 12.5 },
  { external_uri: 'crm:acme' },
);
const bolt = entity('company', 'Bolt', { city: 'Paris', sector: 'scooters' });
const ada = entity('person', 'Ada');
const employed = relationship(ada, 'works_at', acme, { role: 'CTO' });
const sources = sourcesOver({ entities: [acme, bolt, ada], relationships: [employed] });
const outputs = {
  0: {
    items: [
      { ...entityItem(acme), score: 0.1 },
      { ...entityItem(bolt), score: 0.9 },
    ],
  },
};
const model: StubModel = {
  reconstitute: ({ text_titles }) => ({
    message: `See [Bolt](entity=${bolt.id}) and [ghost](entity=none)`,
    texts: text_titles.map((title) => ({ title, content: `About ${title}` })),
    table_title: 'Companies',
  }),
};
const answer = (expected_artifacts?: string[]) =>
  reconstitute(contextOf('reconstitute', { expected_artifacts }, { outputs, sources, model }));

test('reconstitute makes one call and a text titled after the run by default', async () => {
  const context = contextOf('reconstitute', {}, { outputs, sources, model, instructions: 'Tell' });
  expect((await reconstitute(context)).artifacts).toEqual([
    { kind: 'text', title: 'The run', content: 'About The run' },
  ]);
  expect(context.calls).toMatchObject([
    {
      instructions: 'Tell',
      run_title: 'The run',
      text_titles: ['The run'],
      table_wanted: false,
      max_tokens: 4000,
    },
  ]);
});

test('links of the message resolve: invented ones lose their target', async () => {
  expect((await answer()).message).toBe(`See [Bolt](entity=${bolt.id}) and ghost`);
});

test('NONE gives a message and no artifact', async () => {
  expect(await answer(['NONE'])).toEqual({ message: expect.any(String), artifacts: [] });
});

test('artifact kinds count in any case; other words are titles of texts; repetitions collapse', async () => {
  const { artifacts = [] } = await answer([
    'Table',
    'TEXT',
    'text',
    'Entity_Card',
    'Risks',
    'risks',
    'none',
    'TABLE',
  ]);
  expect(artifacts.map(({ kind, title }) => [kind, title])).toEqual([
    ['table', 'Companies'],
    ['text', 'The run'],
    ['text', 'Risks'],
    ['entity_card', 'Bolt'],
  ]);
});

test('rows come from the data: record links first, then every field that occurs', async () => {
  const { artifacts } = await answer(['table']);
  expect(artifacts).toEqual([
    {
      kind: 'table',
      title: 'Companies',
      columns: ['name', 'annual_revenue', 'city', 'sector'],
      rows: [
        { name: `[Acme \\[DE\\]](entity=${acme.id})`, city: 'Berlin', annual_revenue: 12.5, sector: null },
        { name: `[Bolt](entity=${bolt.id})`, city: 'Paris', annual_revenue: null, sector: 'scooters' },
      ],
    },
  ]);
});

test('rows after a filter are those that remain, unless the plan names the steps', async () => {
  const filtered = { ...outputs, 1: { items: [entityItem(bolt)], replaces: [0] } };
  const rows = async (context_step_ids?: number[]) => {
    const params = { expected_artifacts: ['table'], context_step_ids };
    const { artifacts } = await reconstitute(
      contextOf('reconstitute', params, { outputs: filtered, sources, model }),
    );
    return artifacts?.[0]?.kind === 'table' ? artifacts[0].rows.length : undefined;
  };
  expect(await rows()).toBe(1);
  expect(await rows([1])).toBe(1);
  expect(await rows([0, 1])).toBe(2);
});

test('rows of two independent fetches are in one table', async () => {
  const two = { 0: { items: [entityItem(acme)] }, 3: { items: [entityItem(ada)] } };
  const params = { expected_artifacts: ['table'] };
  const { artifacts } = await reconstitute(
    contextOf('reconstitute', params, { outputs: two, sources, model }),
  );
  expect(artifacts).toMatchObject([{ rows: [{ city: 'Berlin' }, { city: null }] }]);
});

test('a table holds at most 10,000 rows and 200 columns, with artifact_truncated', async () => {
  const context = contextOf('reconstitute', {});
  expect((await tableOf(context, 'T', many(10_001))).rows).toHaveLength(10_000);
  const wide = many(1).map((item) => ({
    ...item,
    fields: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, i])),
  }));
  expect((await tableOf(context, 'T', wide)).columns).toHaveLength(200);
  expect(context.warnings.map(({ code }) => code)).toEqual(['artifact_truncated', 'artifact_truncated']);
});

test('the fields that the plan names come first, by their columns, then the others by name', async () => {
  const named_fields = ['fields.z', 'address.city', 'gone', 'b.c', 'z', 'name', 'created_at'];
  const fields = { a: 1, 'b.c': 2, address: { city: 'Oslo' }, b: 3, z: 4, name: 'other', created_at: 5 };
  const context = contextOf('reconstitute', {}, { named_fields });
  const table = tableOf(context, 'T', [{ ...entityItem(bolt), fields }]);
  const columns = ['name', 'z', 'address', 'b.c', 'created_at', 'a', 'b'];
  expect(table.columns).toEqual(columns);
  expect(Object.keys(table.rows[0] ?? {})).toEqual(columns);
});

test('a plan names what it groups, measures, makes, asks for and sorts, in this order', () => {
  expect(
    fieldsNamedBy([
      { kind: 'fetch', params: { sort: [{ field: 'total' }], fields: ['city', 'total'] } },
      { kind: 'filter', params: { limit_to: 5 } },
      { kind: 'transform', params: { output_fields: ['problem'] } },
      {
        kind: 'fetch',
        params: {
          group_by: ['tier', { field: 'at', by: 'month' }],
          measures: [{ as: 'sum', op: 'sum', field: 'total' }],
          sort: [{ field: 'sum', direction: 'desc' }],
        },
      },
      { kind: 'fetch', params: { sort: 'name_asc' } },
      { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
    ]),
  ).toEqual(['tier', 'at', 'sum', 'problem', 'city', 'total', 'total', 'sum']);
});

test('a field called name is replaced by the record link', async () => {
  const table = await tableOf(contextOf('reconstitute', {}), 'T', [
    { ...entityItem(bolt), fields: { x: 1, name: 'other' } },
  ]);
  expect(table.columns).toEqual(['name', 'x']);
  expect(table.rows[0]?.name).toBe(`[Bolt](entity=${bolt.id})`);
});

test('rows of relationships link to both ends', async () => {
  const table = await tableOf(contextOf('reconstitute', {}), 'T', [relationshipItem(employed, ada, acme)]);
  expect(table.columns).toEqual(['name', 'from', 'relationship_type', 'role', 'to']);
  expect(table.rows[0]).toMatchObject({
    name: 'Ada works_at Acme \\[DE\\]',
    from: `[Ada](entity=${ada.id})`,
    to: `[Acme \\[DE\\]](entity=${acme.id})`,
  });
});

test('an entity card is about the best record and has the published shape', async () => {
  const best = { 0: { items: [{ ...entityItem(acme), score: 1 }, entityItem(bolt)] } };
  const params = { expected_artifacts: ['entity_card'] };
  const { artifacts } = await reconstitute(
    contextOf('reconstitute', params, { outputs: best, sources, model }),
  );
  const card = artifacts?.[0];
  expect(card).toMatchObject({
    kind: 'entity_card',
    content: {
      entity: { id: acme.id, name: 'Acme [DE]', type: 'company', external_uri: 'crm:acme' },
      attributes: [
        { key: 'city', label: 'City', value: 'Berlin' },
        { key: 'annual_revenue', label: 'Annual revenue', value: 12.5 },
      ],
      relationships: [
        { entity_id: ada.id, name: 'Ada', type: 'person', relationship_type: 'works_at', role: 'CTO' },
      ],
      as_of: NOW,
    },
  });
  expect(CardContent.safeParse(card?.kind === 'entity_card' ? card.content : null).success).toBe(true);
});

test('without a record the card is left out with a warning', async () => {
  const context = contextOf('reconstitute', { expected_artifacts: ['entity_card'] }, { sources, model });
  expect((await reconstitute(context)).artifacts).toEqual([]);
  expect(context.warnings).toMatchObject([{ code: 'source_not_found' }]);
});

const writer: StubModel = {
  dossier_section: ({ heading, max_tokens }) => ({
    content: `On ${heading}, ${max_tokens}.\n\n## Inner\n[Ada](entity=${ada.id}) [no](entity=x)`,
  }),
};
const headings = (content: string) => [...content.matchAll(/^## (.*)$/gm)].map((match) => match[1]);

test('a dossier has the five default sections in order, text before card, and a note', async () => {
  const context = contextOf('reconstitute', {}, { sources, model: writer });
  const { artifacts = [], notes, message } = await runDossier(context, { entity: acme });
  const [text, card] = artifacts;
  expect(text).toMatchObject({ kind: 'text', subject_id: acme.id });
  expect(headings(text?.kind === 'text' ? text.content : '')).toEqual(defaultSections);
  expect(text?.kind === 'text' && text.content).toContain('### Inner');
  expect(text?.kind === 'text' && text.content).toContain(`[Ada](entity=${ada.id}) no`);
  expect(card).toMatchObject({
    kind: 'entity_card',
    content: { entity: { id: acme.id }, summary: 'On Overview, 800.' },
  });
  expect(notes).toMatchObject([{ entity_id: acme.id, title: 'Dossier: Acme [DE]' }]);
  expect(message).toContain(`(entity=${acme.id})`);
});

test('a dossier has the given sections in the given order, one call each', async () => {
  const sections = ['Zulu', 'Alpha', 'Zulu'];
  const context = contextOf('reconstitute', {}, { sources, model: writer });
  const { artifacts = [] } = await runDossier(context, { entity: acme, sections, max_tokens: 300 });
  expect(headings(artifacts[0]?.kind === 'text' ? artifacts[0].content : '')).toEqual(sections);
  expect(context.calls).toMatchObject(sections.map((heading) => ({ heading, max_tokens: 100 })));
});

test('a section that fails permanently fails the dossier', async () => {
  const failing: StubModel = {
    dossier_section: ({ heading }) => {
      if (heading === 'Two') throw unusable('down');
      return { content: 'ok' };
    },
  };
  const context = contextOf('reconstitute', {}, { sources, model: failing });
  await expect(runDossier(context, { entity: acme, sections: ['One', 'Two'] })).rejects.toThrow(/Two/);
});

test('a run that ends without an answer describes its result', () => {
  expect(closingMessage('Run', [])).toBe('Run: nothing was found.');
  expect(closingMessage('Run', items('a'))).toBe('Run: 1 item: [a](entity=a).');
  expect(closingMessage('Run', many(12))).toContain(' and 2 more.');
});

test('an answer mentions when a filter could not judge all that matched, or a fetch could not take all', async () => {
  const part = { matched: 52_310, taken: 10_000 };
  const judging: StubModel = {
    ...model,
    filter: ({ items: shown }) => ({ verdicts: shown.map(() => ({ keep: true, score: 1 })) }),
  };
  const fetched = { items: items('a'), part };
  const filtered = await filter(contextOf('filter', {}, { outputs: { 0: fetched }, model: judging }));
  const told = await reconstitute(
    contextOf('reconstitute', {}, { outputs: { 0: fetched, 1: filtered }, sources, model: judging }),
  );
  expect(told.message).toContain('Only the first 10000 of 52310 matching records could be judged.');
  const unjudged = await reconstitute(
    contextOf('reconstitute', {}, { outputs: { 0: fetched }, sources, model: judging }),
  );
  expect(unjudged.message).toContain('Only the first 10000 of 52310 matching records were taken.');
  const asked = { items: items('a'), part: { matched: 52_310, taken: 5 } };
  const five = await reconstitute(
    contextOf('reconstitute', {}, { outputs: { 0: asked }, sources, model: judging }),
  );
  expect(five.message).not.toContain('52310');
});

test('reconstitute counts all items, even those that the model is not shown', async () => {
  const context = contextOf('reconstitute', {}, { outputs: { 0: { items: many(500) } }, sources, model });
  await reconstitute(context);
  expect(context.calls).toMatchObject([{ found: [{ count: 500 }] }]);
});

test('groups are not records that a link can lead to', async () => {
  const group: Item = { id: 'g', kind: 'group', type: 'group', name: 'Berlin', fields: { count: 2 } };
  const linking: StubModel = {
    reconstitute: () => ({ message: '[Berlin](entity=g)', texts: [], table_title: '' }),
  };
  const params = { expected_artifacts: ['NONE'] };
  const { message } = await reconstitute(
    contextOf('reconstitute', params, { outputs: { 0: { items: [group] } }, sources, model: linking }),
  );
  expect(message).toBe('Berlin');
});

// What each source name yields, in which workspaces (rules.md: plan 5, plan 6).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSources } from '#sources/create-sources.ts';
import { cosine, nearest } from '#sources/similarity.ts';
import { entityItem } from '#sources/to-items.ts';
import {
  entity,
  GLOBAL,
  HOME,
  listed,
  memoryReaders,
  note,
  relationship,
  sourcesOver,
  textArtifact,
  uuid,
  vectorOf,
} from './memory-readers.ts';

const acme = entity('company', 'Acme', { city: 'Berlin', sector: 'robots' });
const bolt = entity('company', 'Bolt', { city: 'Paris', sector: 'scooters' });
const ada = entity('person', 'Ada', { city: 'Berlin' });
const world = entity('company', 'World Corp', { city: 'Berlin' }, { workspace_id: GLOBAL });
const employed = relationship(ada, 'works_at', acme, { role: 'CTO' });
const memo = note('Memo', 'Acme is hiring', acme);
const loose = note('Loose', 'Buy milk');
const report = textArtifact('Report', 'Robots are rising');
const data = {
  entities: [acme, bolt, ada, world],
  relationships: [employed],
  notes: [memo, loose],
  artifacts: [report],
};

const names = (items: { name: string }[] | null) => items?.map(({ name }) => name);

test('entities are all records of the workspace', async () => {
  expect(names(await listed(sourcesOver(data), 'entities'))).toEqual(['Acme', 'Bolt', 'Ada']);
});

test.each(['company', 'companies', 'Companies'])(
  'a type name, %s, yields the records of that type',
  async (name) => {
    expect(names(await listed(sourcesOver(data), name))).toEqual(['Acme', 'Bolt']);
  },
);

test('a name that is neither a source nor a type yields null', async () => {
  expect(await listed(sourcesOver(data), 'starships')).toBeNull();
  expect(await sourcesOver(data).similar('x', { source: 'starships', limit: 5, min_score: 0 })).toBeNull();
});

test('entity_types narrow the records, in singular or plural; an empty list narrows nothing', async () => {
  expect(names(await listed(sourcesOver(data), 'entities', ['people']))).toEqual(['Ada']);
  expect(names(await listed(sourcesOver(data), 'entities', []))).toHaveLength(3);
  expect(names(await listed(sourcesOver(data), 'companies', ['person']))).toEqual([]);
  expect(names(await listed(sourcesOver(data), 'entities', ['starship']))).toEqual([]);
});

test('notes name the record they are about and can be narrowed to its type', async () => {
  expect(await listed(sourcesOver(data), 'notes')).toMatchObject([
    { id: memo.id, kind: 'note', name: 'Memo', fields: { about: 'Acme', content: 'Acme is hiring' } },
    { id: loose.id, fields: { content: 'Buy milk' } },
  ]);
  expect(names(await listed(sourcesOver(data), 'notes', ['company']))).toEqual(['Memo']);
});

test('relationships have both ends and their metadata', async () => {
  expect(await listed(sourcesOver(data), 'relationships')).toMatchObject([
    {
      kind: 'relationship',
      name: 'Ada works_at Acme',
      fields: { role: 'CTO', from_id: ada.id, to_id: acme.id },
    },
  ]);
});

test('a relationship with an end that is gone is left out', async () => {
  expect(await listed(sourcesOver({ ...data, entities: [acme] }), 'relationships')).toEqual([]);
});

test('artifacts come without their whole bodies', async () => {
  expect(await listed(sourcesOver(data), 'artifacts')).toMatchObject([
    {
      id: report.id,
      kind: 'artifact',
      name: 'Report',
      fields: { kind: 'text', excerpt: 'Robots are rising' },
    },
  ]);
});

test('global is not a source without xray or global_search', async () => {
  expect(await listed(sourcesOver(data), 'global')).toBeNull();
});

test.each([{ xray: true }, { global_search: true }])(
  'global yields the global workspace with %o',
  async (config) => {
    expect(names(await listed(sourcesOver(data, config), 'global'))).toEqual(['World Corp']);
  },
);

test('xray lets entities and types draw from the global workspace too; global_search alone does not', async () => {
  expect(names(await listed(sourcesOver(data, { xray: true }), 'companies'))).toContain('World Corp');
  expect(names(await listed(sourcesOver(data, { global_search: true }), 'companies'))).not.toContain(
    'World Corp',
  );
});

test('records of another workspace are invisible by id unless it is the global one and the run may see it', async () => {
  expect(await sourcesOver(data).entities([world.id, acme.id])).toEqual([acme]);
  expect(await sourcesOver(data, { xray: true }).entities([world.id, acme.id])).toEqual([world, acme]);
});

test('records by id come in the order asked for, each once', async () => {
  expect(await sourcesOver(data).entities([ada.id, uuid(9), acme.id, ada.id])).toEqual([ada, acme]);
});

test('similar ranks records by cosine, best first, within limit and types', async () => {
  const similar = sourcesOver(data).similar;
  const found = await similar('robots in Berlin', { source: 'entities', limit: 2, min_score: 0.1 });
  expect(names(found)).toEqual(['Acme', 'Ada']);
  expect(found?.[0]?.score).toBeCloseTo(cosine(vectorOf('robots in Berlin'), vectorOf('Acme Berlin robots')));
  const people = await similar('robots in Berlin', {
    source: 'entities',
    limit: 5,
    min_score: 0,
    entity_types: ['person'],
  });
  expect(names(people)).toEqual(['Ada']);
});

test('similar leaves out what is below min_score', async () => {
  expect(
    await sourcesOver(data).similar('robots', { source: 'entities', limit: 5, min_score: 0.99 }),
  ).toEqual([]);
});

test('what is found is not read again', async () => {
  const readers = memoryReaders({ entities: [acme, bolt] });
  const sources = createSources(
    { ...readers, entitiesByIds: () => Promise.reject(new Error('read again')) },
    {
      workspace_id: HOME,
      global_workspace_id: null,
      xray: false,
      embed: async (texts) => texts.map((text) => [...vectorOf(text)]),
      embedding_model: 'offline',
      rebuildVectors: async () => undefined,
    },
  );
  expect(await sources.find({ source: 'entities', sort: 'name_asc', limit: 2 })).toEqual({
    items: [acme, bolt].map(entityItem),
    matched: 2,
  });
  expect(names(await sources.similar('robots', { source: 'entities', limit: 2, min_score: 0 }))).toHaveLength(
    2,
  );
});

test.each(['notes', 'relationships', 'artifacts'])('similar ranks %s by their text', async (source) => {
  const found = await sourcesOver(data).similar('hiring robots works_at', {
    source,
    limit: 1,
    min_score: 0.1,
  });
  expect(found).toHaveLength(1);
});

test('nearest passes over vectors of another length', () => {
  expect(
    nearest(
      [1, 0],
      [
        { id: 'old', vector: [1, 0, 0] },
        { id: 'new', vector: [1, 1] },
      ],
      0,
    ),
  ).toMatchObject([{ id: 'new' }]);
});

test('cosine is symmetric, bounded and indifferent to length', () => {
  const vector = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(vector, vector, (left, right) => {
      const score = cosine(left, right);
      expect(Math.abs(score)).toBeLessThanOrEqual(1);
      expect(cosine(right, left)).toBeCloseTo(score);
      expect(
        cosine(
          left.map((x) => x * 2),
          right,
        ),
      ).toBeCloseTo(score);
    }),
  );
});

// Understanding and planning of queries by the offline model.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Plan } from '#contract/plans.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { companies, item, offline, outlineOf, people, shape, valuesIn } from './given.ts';

const values = (query: string) => valuesIn(query, [...companies, ...people]);

const understand = (query: string, candidates: ModelItem[] = []) =>
  offline('understand', {
    query,
    strict_mode: true,
    shape,
    values: values(query),
    candidates,
    today: '2026-11-20',
  });
const plan = (query: string, candidates: ModelItem[] = []) =>
  offline('plan', {
    query,
    interpretation: query,
    shape,
    values: values(query),
    candidates,
    today: '2026-11-20',
  });
const kindsOf = async (query: string, candidates: ModelItem[] = []) =>
  (await plan(query, candidates)).steps.map(({ kind }) => kind).join(' ');

describe('understanding a query (rules.md: query 2)', () => {
  test.each([
    'List companies in Berlin with revenue over 10',
    'Summarize the software companies',
    'Who works at Acme?',
    'How many companies are in Germany?',
    'List all companies',
    'Compare revenue by city',
    'For each company write a one-line summary',
  ])('finds an ordinary one clear: %s', async (query) => {
    const reply = await understand(query);
    expect(reply).toMatchObject({ verdict: 'clear' });
    expect(reply.interpretation).toContain('Read as a request about');
  });
  test.each(['', 'do it', 'help me', 'please show me', '???', 'hello'])(
    'finds no subject in "%s"',
    async (query) => {
      expect(await understand(query)).toMatchObject({ verdict: 'ambiguous', reason: 'missing_subject' });
    },
  );
  test.each(['tell me everything', 'Everything about all', 'Show me anything'])(
    'finds too broad: %s',
    async (query) => {
      expect(await understand(query)).toMatchObject({ verdict: 'ambiguous', reason: 'too_broad' });
    },
  );

  const alexes = [
    { ...item('Alex Kim', { company: 'Acme' }, 'person'), id: 'a1' },
    { ...item('ALEX KIM', { company: 'Bolt' }, 'person'), id: 'a2' },
  ];
  test('asks which record is meant when several have the name', async () => {
    const reply = await understand('What does Alex Kim do?', alexes);
    expect(reply).toMatchObject({ verdict: 'entity_ambiguous', candidate_ids: ['a1', 'a2'] });
    expect(reply).toHaveProperty('question', expect.stringContaining('company Acme'));
  });
  test('accepts a query that distinguishes them, or wants them all', async () => {
    expect(await understand('What does Alex Kim at Bolt do?', alexes)).toMatchObject({ verdict: 'clear' });
    expect(await understand('List all people named Alex Kim', alexes)).toMatchObject({ verdict: 'clear' });
  });
  test('does not mistake a name inside a longer name', async () => {
    const found = [item('Acme', {}), { ...item('Acme', {}), id: 'other' }, item('Acme Robotics', {})];
    expect(await understand('Describe Acme Robotics', found)).toMatchObject({ verdict: 'clear' });
  });
});

test('query 10: where two types may be meant equally well, both readings are named', async () => {
  const rows = [item('Lamp', { price: 20 }, 'product'), item('Opera', { price: 90 }, 'ticket')];
  const query = 'average price';
  const asked = { query, shape: outlineOf(rows), values: [], candidates: [], today: '2026-11-20' };
  const reply = await offline('understand', { ...asked, strict_mode: true });
  expect(reply).toMatchObject({ verdict: 'ambiguous', reason: 'multiple_interpretations' });
  expect(reply.interpretation).toBe(
    'Read as: Measure the products. It may mean as well: Measure the tickets.',
  );
});

test('query 10: where "or" may join two conditions or all around it, both readings are named', async () => {
  const reply = await understand('companies in Berlin with over 100 employees or a revenue over 50');
  expect(reply).toMatchObject({ verdict: 'ambiguous', reason: 'multiple_interpretations' });
  expect(reply.interpretation).toBe(
    'Read as: Fetch the companies where city is "Berlin" and (employees is more than 100 or revenue is more than 50). ' +
      'It may mean as well: Fetch the companies where (city is "Berlin" and employees is more than 100) or revenue is more than 50.',
  );
  const listed = await understand('companies in Berlin or Munich with over 100 employees');
  expect(listed).toMatchObject({ verdict: 'clear' });
});

describe('planning a query', () => {
  test('that selects: fetch, answer', async () => {
    const { steps } = await plan('List companies in Berlin with revenue over 10');
    expect(steps.map(({ kind }) => kind)).toEqual(['fetch', 'reconstitute']);
    expect(steps[0]).toMatchObject({
      title: 'Fetch the companies where city is "Berlin" and revenue is more than 10',
      params: { entity_types: ['company'] },
    });
    expect(steps[1]?.params).toEqual({ expected_artifacts: ['table', 'text'] });
  });
  test.each([
    ['List all companies', 'fetch reconstitute'],
    ['Summarize the software companies', 'fetch analyze reconstitute'],
    ['Write a tagline and a slug for each fintech company', 'fetch transform reconstitute'],
    ['for each company in Berlin write a one-line summary', 'fetch transform reconstitute'],
    ['Which people work at Acme?', 'fetch reconstitute'],
    ['Show me companies founded after 2015 and summarize their industries', 'fetch analyze reconstitute'],
  ])('%s → %s', async (query, kinds) => {
    expect(await kindsOf(query)).toBe(kinds);
  });
  test('that asks who is related starts from the record named', async () => {
    const acme = companies.slice(0, 1);
    expect(await kindsOf('Who is related to Acme?', acme)).toBe('inject_context discover reconstitute');
  });
  test('of the best few takes that many and names "Top", where no field defines the best', async () => {
    const { steps } = await plan('Top 3 companies');
    expect(steps[0]).toMatchObject({ kind: 'fetch', params: { limit: 3 } });
    expect(await understand('Top 3 companies')).toMatchObject({ verdict: 'clear', not_understood: ['Top'] });
  });
  test('names the fields that a writing order asks for', async () => {
    const { steps } = await plan('Write a tagline and a slug for each fintech company');
    expect(steps[1]).toMatchObject({ params: { output_fields: ['tagline', 'slug'] } });
  });
  test('always gives a plan that passes the checks of a client’s plan', async () => {
    const word = fc.constantFrom(
      'list',
      'top',
      '5',
      'companies',
      'people',
      'in',
      'Berlin',
      'for',
      'each',
      'write',
      'a',
      'summary',
      'and',
      'related',
      'to',
      'compare',
      '[[fail]]',
      'over',
      '10m',
    );
    const query = fc.oneof(
      fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 4000 }),
    );
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const draft = await plan(text);
        expect(Plan.safeParse(draft).error).toBeUndefined();
        expect(JSON.stringify(draft)).not.toContain('[[fail]]');
      }),
    );
  });
});

// rules.md: models 13. Slips that change no meaning are mended; what cannot be is complained about.
import { describe, expect, test } from 'vitest';
import { type InputOf, tasks } from '#models/tasks/task-registry.ts';
import { companies, item, shape } from './given.ts';
import { made } from './made.ts';

const UUID = '6a1e55b5-432b-8a7d-b4b3-dac607b36d27';
const OTHER = '7b1e55b5-432b-8a7d-b4b3-dac607b36d28';
const known = { shape, values: [], candidates: [], today: '2026-11-20' };

describe('verdicts of a filter', () => {
  const input = { instructions: 'in Berlin', items: companies.slice(0, 2) };
  const judged = async (answer: unknown) => (await made('filter', answer, input)).verdicts;
  const exactly = { keep: true, score: 1 };
  const no = { keep: false, score: 0 };

  test('are bound to their items by id, one for each', async () => {
    const form = tasks.filter.answerFor(input).properties?.verdicts;
    expect(form).toMatchObject({ required: ['i1', 'i2'], additionalProperties: false });
    expect(form?.properties?.i1?.properties?.score).toEqual({ type: 'integer', enum: [0, 1, 2, 3] });
    expect(
      await judged({ verdicts: { i2: { score: 0, keep: false }, i1: { score: 3, keep: true } } }),
    ).toEqual([exactly, no]);
  });
  test.each([
    ['a score outside its range', { i1: { score: 85, keep: true }, i2: { score: -4, keep: false } }],
    [
      'ids in capitals, an extra item and an extra field',
      {
        I1: { score: 3, keep: true, why: 'x' },
        ' i2': { score: 0, keep: false },
        i3: { score: 3, keep: true },
      },
    ],
    ['flags and numbers as texts', { i1: { score: '3', keep: 'Yes' }, i2: { score: '0', keep: 'false' } }],
    [
      'a list in order',
      [
        { score: 3, keep: true },
        { score: 0, keep: false },
      ],
    ],
    [
      'indexes from 0, in another order',
      [
        { index: 1, score: 0, keep: false },
        { index: 0, score: 3, keep: true },
      ],
    ],
    [
      'indexes from 1',
      [
        { index: 1, score: 3, keep: true },
        { index: 2, score: 0, keep: false },
      ],
    ],
    [
      'ids in a list',
      [
        { id: 'i2', score: 0, keep: false },
        { id: 'i1', score: 3, keep: true },
      ],
    ],
  ])('%s', async (_, verdicts) => {
    expect(await judged({ verdicts })).toEqual([exactly, no]);
  });
  test('that are missing, or said in two ways, are known as such', async () => {
    expect(await judged({ verdicts: { i1: { score: 3, keep: true } } })).toEqual([exactly, null]);
    const twice = [
      { index: 0, score: 3, keep: true },
      { index: 1, score: 3, keep: true },
      { index: 1, score: 0, keep: false },
    ];
    expect(await judged({ verdicts: twice })).toEqual([exactly, null]);
  });
  test('without a single one are complained about', async () => {
    await expect(judged({ verdicts: 'all' })).rejects.toThrow('one verdict for each item: i1, i2');
    await expect(judged('keep them')).rejects.toThrow('one JSON object');
  });
});

describe('values of a transform', () => {
  const input = { instructions: '', item: item('Acme', {}), output_fields: ['head count', 'Städte'] };
  test('have a property for each output field, by a name that every provider takes', async () => {
    const values = tasks.transform.answerFor(input).properties?.values;
    expect(values?.required).toEqual(['field_1', 'field_2']);
    expect(tasks.transform.shown(input).request.output_fields).toEqual([
      'field_1: head count',
      'field_2: Städte',
    ]);
  });
  test.each([
    ['under their names', { values: { 'head count': 5, Städte: ['Berlin'] } }],
    ['under short names', { values: { field_1: 5, field_2: ['Berlin'] } }],
    [
      'with an extra field, in another spelling',
      { values: { Head_Count: 5, städte: ['Berlin'], note: 'x' } },
    ],
    [
      'in a list',
      {
        values: [
          { field: 'head count', value: 5 },
          { field: 'Städte', value: ['Berlin'] },
        ],
      },
    ],
    ['without the member around them', { 'head count': 5, Städte: ['Berlin'] }],
  ])('are read %s', async (_, answer) => {
    expect((await made('transform', answer, input)).fields).toEqual({ 'head count': 5, Städte: ['Berlin'] });
  });
  test('that are missing are complained about by name', async () => {
    await expect(made('transform', { values: { field_1: 5 } }, input)).rejects.toThrow('Missing: Städte');
  });
});

describe('picks of a discover', () => {
  const candidates = [
    { ...companies[0], id: UUID },
    { ...companies[1], id: OTHER },
  ].map((one) => ({
    ...item('x', {}),
    ...one,
    links: [],
  }));
  const input = { instructions: '', items: [], candidates, limit: 5 };
  const ids = async (picks: unknown) => (await made('discover', { picks }, input)).picks.map(({ id }) => id);

  test('are among the candidates by short id, and no UUID is in the prompt', async () => {
    const candidate = tasks.discover.answerFor(input).properties?.picks?.items?.properties?.candidate;
    expect(candidate).toEqual({ type: 'string', enum: ['r1', 'r2'] });
    expect(JSON.stringify(tasks.discover.shown(input))).not.toContain(UUID);
  });
  test.each([
    ['in capitals', [{ candidate: 'R1', score: 3, reason: 'x' }]],
    ['by the whole id in capitals', [{ id: UUID.toUpperCase(), score: 3, reason: 'x' }]],
    [
      'twice',
      [
        { candidate: 'r1', score: 2, reason: 'x' },
        { candidate: 'r1', score: 1, reason: 'y' },
      ],
    ],
    [
      'beside an invented one',
      [
        { candidate: 'r9', score: 3, reason: 'x' },
        { candidate: 'r1', score: 2, reason: 'y' },
      ],
    ],
    ['without a reason', [{ candidate: 'r1', score: 85 }]],
  ])('%s', async (_, picks) => {
    expect(await ids(picks)).toEqual([UUID]);
  });
  test('that are all invented are complained about', async () => {
    await expect(ids([{ candidate: 'r9', score: 3, reason: 'x' }])).rejects.toThrow(
      '"r9" is not the id of a candidate',
    );
  });
});

describe('the words of an answer', () => {
  const input: InputOf<'reconstitute'> = {
    ...{
      instructions: '',
      run_title: 'Run',
      items: [{ ...item('Acme', {}), id: UUID }],
      found: [],
      context: [],
    },
    ...{ text_titles: ['Report'], table_wanted: false, max_tokens: 500 },
  };
  test('have a text for each title and nothing that is not asked for', async () => {
    expect(tasks.reconstitute.answerFor(input).properties?.texts?.required).toEqual(['text_1']);
    expect(tasks.reconstitute.answerFor({ ...input, text_titles: [] }).required).toEqual(['message']);
  });
  test.each([
    ['a text too many', { message: 'Short.', texts: [{ content: 'Long.' }, { content: 'More.' }] }],
    ['by title', { message: 'Short.', texts: { report: 'Long.' } }],
    ['as a bare text, with an unasked table', { message: 'Short.', texts: 'Long.', table_title: 'T' }],
    ['with an extra member', { message: 'Short.', texts: { text_1: 'Long.' }, confidence: 1 }],
  ])('%s', async (_, answer) => {
    const texts = [{ title: 'Report', content: 'Long.' }];
    expect(await made('reconstitute', answer, input)).toEqual({ message: 'Short.', texts, table_title: '' });
  });
  test('an empty message beside a good report is its first paragraph', async () => {
    const texts = { text_1: '# Report\n\nAll is well.\n\nDetails.' };
    expect((await made('reconstitute', { message: ' ', texts }, input)).message).toBe('All is well.');
  });
  test('links lead to the records behind the short ids; an invented one leads nowhere', async () => {
    const message = `[Acme](entity=r1), [Acme](entity=R1), [Bolt](entity=r7), [Acme](entity=${UUID.toUpperCase()})`;
    expect((await made('reconstitute', { message, texts: { text_1: 'x' } }, input)).message).toBe(
      `[Acme](entity=${UUID}), [Acme](entity=${UUID}), [Bolt](entity=r7), [Acme](entity=${UUID})`,
    );
    expect(JSON.stringify(tasks.reconstitute.shown(input))).not.toContain(UUID);
  });
  test('links of earlier findings, and ids of the ends of relationships, are short too', async () => {
    const works = item('Ada works at Acme', { from_id: OTHER, to_id: UUID }, 'relationship');
    const asked = { ...input, items: [works], context: [`See [Acme](entity=${UUID}).`] };
    const { data } = tasks.reconstitute.shown(asked);
    expect(JSON.stringify(data)).not.toContain(UUID);
    expect(data.items).toMatchObject([{ fields: { from_id: 'r2', to_id: 'r3' } }]);
    expect(data.context).toEqual(['See [Acme](entity=r3).']);
    const said = { message: '[Ada](entity=r2)', texts: ['x'] };
    expect((await made('reconstitute', said, asked)).message).toBe(`[Ada](entity=${OTHER})`);
  });
  test('too few texts, or no word at all, are complained about', async () => {
    await expect(made('reconstitute', { message: 'm', texts: [] }, input)).rejects.toThrow('exactly 1 texts');
    await expect(made('reconstitute', { message: '', texts: [''] }, input)).rejects.toThrow('no message');
  });
});

test('a dossier links related records: its relationships carry ids, its times are ISO dates', async () => {
  const input: InputOf<'dossier_section'> = {
    ...{ heading: 'Relationships', entity: { ...item('Acme', {}), id: UUID }, max_tokens: 100 },
    relationships: [
      {
        ...{ entity_id: OTHER, name: 'Ada', type: 'person', relationship_type: 'works_at' },
        ...{ direction: 'in', role: null },
      },
    ],
    recent_activity: [{ at: Date.UTC(2026, 2, 1), text: 'Changed' }],
  };
  const { data } = tasks.dossier_section.shown(input);
  expect(data.relationships).toMatchObject([{ id: 'r2', name: 'Ada' }]);
  expect(data.recent_activity).toMatchObject([{ at: '2026-03-01T00:00:00.000Z' }]);
  const { content } = await made(
    'dossier_section',
    { content: '[Ada](entity=r2) works at [Acme](entity=r1).' },
    input,
  );
  expect(content).toBe(`[Ada](entity=${OTHER}) works at [Acme](entity=${UUID}).`);
});

describe('an understanding', () => {
  const input = { ...known, query: 'Which Roomy, cosy companies are profitable?', strict_mode: true };
  const read = (answer: object) =>
    made('understand', { interpretation: 'i', verdict: 'clear', ...answer }, input);

  test('can only name words of the query, and records only where there are candidates', async () => {
    const { properties } = tasks.understand.answerFor(input);
    expect(properties?.not_understood?.items?.enum).toEqual([
      'Which',
      'Roomy',
      'cosy',
      'companies',
      'are',
      'profitable',
    ]);
    expect(properties?.verdict?.enum).not.toContain('entity_ambiguous');
    expect(Object.keys(properties ?? {})).toEqual([
      ...['interpretation', 'not_understood', 'verdict', 'question', 'candidate_ids'],
    ]);
  });
  test.each([
    ['in another case', ['roomy'], ['Roomy']],
    ['joined', ['roomy cosy', 'Profitable'], ['Roomy', 'cosy', 'profitable']],
    ['empty', [''], []],
    ['twice, in quotes', ['"Roomy"', 'roomy'], ['Roomy']],
    ['as one text', 'cosy', ['cosy']],
    ['as null', null, []],
  ])('has words that are written %s', async (_, not_understood, words) => {
    expect((await read({ not_understood })).not_understood).toEqual(words);
  });
  test('of a query without spaces between words may name any part of it', async () => {
    expect(
      tasks.understand.answerFor({ ...input, query: 'ベルリンの会社' }).properties?.not_understood?.items,
    ).toEqual({
      type: 'string',
    });
  });
  test('has one verdict; a reason apart is read too', async () => {
    expect(await read({ verdict: 'too broad' })).toMatchObject({ verdict: 'ambiguous', reason: 'too_broad' });
    expect(await read({ verdict: 'ambiguous', reason: 'missing_subject' })).toMatchObject({
      reason: 'missing_subject',
    });
  });
  test('names candidates by short ids', async () => {
    const asked = { ...input, candidates: [{ ...item('Alex', {}, 'person'), id: UUID }] };
    const answer = {
      interpretation: 'i',
      verdict: 'entity_ambiguous',
      question: 'Which?',
      candidate_ids: ['R1', 'r5'],
    };
    expect(await made('understand', answer, asked)).toMatchObject({ candidate_ids: [UUID] });
    expect(JSON.stringify(tasks.understand.shown(asked))).not.toContain(UUID);
  });
  test.each([
    ['a word that the query does not have', { not_understood: ['rich'] }, '"rich" in not_understood'],
    ['no verdict', { verdict: 'perhaps' }, 'verdict must be one of'],
    ['no words where they are the reason', { verdict: 'not_understood' }, 'needs its words'],
    ['no question where one is due', { verdict: 'entity_ambiguous' }, 'needs a question'],
  ])('is complained about with %s', async (_, answer, complaint) => {
    await expect(read(answer)).rejects.toThrow(complaint);
  });
});

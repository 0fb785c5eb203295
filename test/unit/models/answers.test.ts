// Which answers of a model are believed, and that others are repaired.
import { afterEach, describe, expect, test } from 'vitest';
import { createModel } from '#models/create-model.ts';
import { emptyStep } from '../../support/task-answers.ts';
import { ask, item, shape } from './given.ts';
import { type Answer, type Provider, provider, said } from './wire.ts';

let server: Provider | undefined;
afterEach(async () => {
  await server?.close();
});

async function modelAnswering(...answers: Answer[]) {
  server = await provider(...answers);
  return createModel(`openai:small@${server.url}/v1`);
}
const sent = (i = 0) => JSON.parse(server?.received[i]?.body ?? '{}');

describe('answers are believed only when they fit the input', () => {
  test('discover picks candidates only', async () => {
    const pick = (id: string) => ({ id, score: 0.5, reason: 'near' });
    const input = { instructions: '', items: [], candidates: [{ ...item('Acme', {}), links: [] }], limit: 5 };
    const model = await modelAnswering(
      said({ picks: [pick('made-up')] }),
      said({ picks: [pick('id-acme')] }),
    );
    const reply = await ask(model, 'discover', input);
    expect(reply.output.picks.map(({ id }) => id)).toEqual(['id-acme']);
  });
  test('understand names candidates only', async () => {
    const answer = (id: string) => ({
      verdict: 'entity_ambiguous',
      interpretation: 'x',
      not_understood: [],
      reason: null,
      question: 'Which?',
      candidate_ids: [id],
    });
    const input = {
      query: 'Alex',
      strict_mode: true,
      shape,
      values: [],
      candidates: [item('Alex', {}, 'person')],
      today: '2026-11-20',
    };
    const model = await modelAnswering(said(answer('made-up')), said(answer('id-alex')));
    expect((await ask(model, 'understand', input)).output).toMatchObject({
      candidate_ids: ['id-alex'],
    });
  });
  test('understand names only words of the query, and names them where it refuses for them', async () => {
    const answer = (not_understood: string[], reason: string | null = null) => ({
      ...{ verdict: reason ? 'ambiguous' : 'clear', interpretation: 'x', not_understood, reason },
      ...{ question: null, candidate_ids: [] },
    });
    const input = {
      ...{ query: 'profitable companies', strict_mode: true, shape, values: [], candidates: [] },
      today: '2026-11-20',
    };
    const model = await modelAnswering(said(answer(['rich'])), said(answer(['profitable'])));
    expect((await ask(model, 'understand', input)).output).toMatchObject({ not_understood: ['profitable'] });
    await server?.close();
    const other = await modelAnswering(
      said(answer([], 'not_understood')),
      said(answer(['profitable'], 'not_understood')),
    );
    expect((await ask(other, 'understand', input)).output).toMatchObject({ reason: 'not_understood' });
  });
  test('transform gives exactly the output fields', async () => {
    const input = { instructions: '', item: item('Acme', {}), output_fields: ['a', 'b'] };
    const model = await modelAnswering(
      said({ values: [{ field: 'a', value: 1 }] }),
      said({
        values: [
          { field: 'b', value: null },
          { field: 'a', value: 'x' },
        ],
      }),
    );
    expect((await ask(model, 'transform', input)).output).toEqual({
      fields: { a: 'x', b: null },
    });
  });
  test('reconstitute writes one text per title', async () => {
    const input = {
      instructions: '',
      run_title: 'T',
      items: [],
      found: [],
      context: [],
      text_titles: ['One'],
      table_wanted: false,
      max_tokens: 500,
    };
    const model = await modelAnswering(
      said({ message: 'm', texts: [], table_title: '' }),
      said({ message: 'm', texts: [{ content: 'c' }], table_title: 'x' }),
    );
    const { output } = await ask(model, 'reconstitute', input);
    expect(output).toEqual({ message: 'm', texts: [{ title: 'One', content: 'c' }], table_title: '' });
  });
  test('a plan passes the checks of a client’s plan', async () => {
    const step = { ...emptyStep, kind: 'fetch', title: 'Fetch' };
    const filter = { ...step, kind: 'filter', title: 'Keep', limit_to: 5 };
    const input = { query: 'q', interpretation: 'i', shape, values: [], candidates: [], today: '2026-11-20' };
    const model = await modelAnswering(
      said({ title: 'Plan', steps: [step, filter] }),
      said({ title: 'Plan', steps: [step, { ...filter, instructions: 'Keep Berlin' }] }),
    );
    const { output } = await ask(model, 'plan', input);
    expect(output.steps[1]).toEqual({
      kind: 'filter',
      title: 'Keep',
      instructions: 'Keep Berlin',
      params: { limit_to: 5 },
    });
    expect(sent(1).messages.at(-1).content).toContain('instructions');
  });
});

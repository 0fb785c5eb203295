// The promises of a model, tested on every implementation: the offline model, and the AI SDK's over the wire.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModel } from '#models/create-model.ts';
import { type Model, ModelError } from '#models/model.ts';
import type { InputOf, TaskKind } from '#models/tasks/task-registry.ts';
import { openAiServer } from '../../support/openai-server.ts';
import { ask, companies, embed, item, noLimit, people, shape } from './given.ts';

type Trouble = 'throttled' | 'refused' | 'without usage' | 'slow';

interface Candidate {
  model: Model;
  /** Makes the next call of a filter go this way; returns the instructions for it. */
  cause(trouble: Trouble): string;
  stop(): Promise<void>;
}

const triggers: Record<Trouble, string> = {
  throttled: '[[transient:1]]',
  refused: '[[fail]]',
  'without usage': '[[no-usage]]',
  slow: '[[delay:60000]]',
};

const candidates: Record<string, () => Promise<Candidate>> = {
  offline: async () => ({
    model: createModel('offline'),
    cause: (trouble) => triggers[trouble],
    stop: async () => {},
  }),
  'AI SDK': async () => {
    const server = await openAiServer();
    const troubles = {
      throttled: { status: 429 },
      refused: { status: 400 },
      'without usage': { usage: null },
    } as const;
    return {
      model: createModel(server.spec, { EMBEDDING_MODEL: server.spec }),
      cause(trouble) {
        if (trouble === 'slow') server.delay_ms = 60_000;
        else server.trouble.filter = [troubles[trouble]];
        return '';
      },
      stop: server.close,
    };
  },
};

const acme = item('Acme', { city: 'Berlin', revenue: 12.5 });
const text = expect.stringMatching(/\S/);
const score = expect.toSatisfy((value: unknown) => typeof value === 'number' && value >= 0 && value <= 1);

/** An input of each task, and what its output looks like. */
const examples: { [K in TaskKind]: { input: InputOf<K>; output: unknown } } = {
  understand: {
    input: {
      query: 'companies in Berlin',
      strict_mode: true,
      shape,
      values: [],
      candidates: [],
      today: '2026-11-20',
    },
    output: { verdict: 'clear', interpretation: text, not_understood: expect.any(Array) },
  },
  plan: {
    input: {
      query: 'companies in Berlin',
      interpretation: 'Companies in Berlin.',
      shape,
      values: [],
      candidates: [],
      today: '2026-11-20',
    },
    output: {
      title: text,
      steps: expect.arrayContaining([expect.objectContaining({ kind: 'fetch', title: text })]),
    },
  },
  filter: {
    input: { instructions: 'Keep Berlin', items: companies },
    output: { verdicts: companies.map(() => ({ keep: expect.any(Boolean), score })) },
  },
  transform: {
    input: { instructions: 'Write a line on it', item: acme, output_fields: ['line', 'grade'] },
    output: { fields: { line: expect.anything(), grade: expect.anything() } },
  },
  analyze: {
    input: { instructions: 'Compare', focus: '', items: companies, found: [], context: [], max_tokens: 500 },
    output: { findings: text },
  },
  discover: {
    input: {
      instructions: 'software',
      items: people,
      candidates: companies.map((item) => ({ ...item, links: [] })),
      limit: 2,
    },
    output: { picks: expect.any(Array) },
  },
  reconstitute: {
    input: {
      instructions: 'Name them',
      run_title: 'Companies',
      items: companies,
      found: [{ type: 'company', count: companies.length }],
      context: [],
      text_titles: ['One', 'Two'],
      table_wanted: true,
      max_tokens: 500,
    },
    output: {
      message: text,
      texts: [
        { title: 'One', content: text },
        { title: 'Two', content: text },
      ],
      table_title: text,
    },
  },
  reconstitute_data: {
    input: {
      instructions: 'Name them',
      run_title: 'Companies',
      items: companies,
      found: [{ type: 'company', count: companies.length }],
      context: [],
      text_titles: [],
      table_wanted: false,
      max_tokens: 500,
      output_schema: { type: 'object', properties: { total: { type: 'integer' } } },
      steps: [{ step_index: 0, items: companies.length }],
      faultsIn: async () => undefined,
    },
    output: {
      message: text,
      texts: [],
      table_title: '',
      references: { lists: expect.any(Array), columns: expect.any(Array), values: expect.any(Array) },
    },
  },
  dossier_section: {
    input: { heading: 'Overview', entity: acme, relationships: [], recent_activity: [], max_tokens: 300 },
    output: { content: text },
  },
};
const kinds = Object.keys(examples) as TaskKind[];
const tokens = expect.toSatisfy((count: number) => Number.isSafeInteger(count) && count >= 0);

describe.each(Object.entries(candidates))('the %s model', (_, start) => {
  let candidate: Candidate;
  beforeAll(async () => {
    candidate = await start();
  });
  afterAll(() => candidate.stop());

  const asked = <K extends TaskKind>(kind: K, input: InputOf<K> = examples[kind].input) =>
    ask(candidate.model, kind, input);
  const askInTrouble = (trouble: Trouble, signal = noLimit()) => {
    const instructions = `Keep Berlin ${candidate.cause(trouble)}`;
    return ask(candidate.model, 'filter', { instructions, items: companies }, { signal });
  };

  test.each(kinds)(
    'answers the task %s in its form, with whole tokens for every physical call',
    async (kind) => {
      const { output, usages } = await asked(kind);
      expect(output).toEqual(examples[kind].output);
      expect(usages).toEqual([
        { input_tokens: tokens, cached_input_tokens: tokens, output_tokens: tokens, thinking_tokens: tokens },
      ]);
    },
  );
  test('reports a call without usage as unpriced', async () => {
    expect((await askInTrouble('without usage')).usages).toEqual([null]);
  });
  test('reports a transient failure as such, and it costs nothing', async () => {
    const call = askInTrouble('throttled');
    await expect(call).rejects.toBeInstanceOf(ModelError);
    await expect(call).rejects.toMatchObject({ transient: true, usages: [] });
  });
  test('reports a final failure as such, and it costs nothing', async () => {
    const call = askInTrouble('refused');
    await expect(call).rejects.toBeInstanceOf(ModelError);
    await expect(call).rejects.toMatchObject({ transient: false, usages: [] });
  });
  test('answers again after a failure', async () => {
    await expect(asked('filter')).resolves.toMatchObject({ usages: [expect.anything()] });
  });
  test('embeds every text, in order, the same text the same way, in vectors of one length', async () => {
    const { vectors } = await embed(candidate.model, ['Acme', 'Bolt of Berlin', 'Acme']);
    expect(vectors).toHaveLength(3);
    expect(vectors[2]).toEqual(vectors[0]);
    expect(vectors[1]).not.toEqual(vectors[0]);
    expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
  });
  test('reports usage of embeddings exactly when they have a name in the price table', async () => {
    const { usages } = await embed(candidate.model, ['Acme']);
    expect(usages).toHaveLength(candidate.model.embeddingName === null ? 0 : 1);
  });
  test('makes no call to embed no text', async () => {
    expect(await embed(candidate.model, [])).toEqual({ vectors: [], usages: [] });
  });
  test('stops at the signal, before a call and during it, with a transient failure', async () => {
    const timedOut = { name: 'ModelError', transient: true, usages: [] };
    await expect(askInTrouble('slow', AbortSignal.abort())).rejects.toMatchObject(timedOut);
    const during = new AbortController();
    const call = askInTrouble('slow', during.signal);
    setImmediate(() => during.abort());
    await expect(call).rejects.toMatchObject(timedOut);
  });
});

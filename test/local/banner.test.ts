// rules.md: console 3, local 15. What the start prints.
import { expect, test } from 'vitest';
import { banner, checkLines, priceWarnings } from '../../lib/local/cli/banner.ts';

const ready = {
  site_url: 'http://127.0.0.1:8787',
  base_url: 'http://127.0.0.1:8787/api/v1',
  model: 'offline',
};

test('the banner leads to the console with the demo key where no server sees it', () => {
  const address = /Console +(\S+)/.exec(banner({ ...ready, api_key: 'sk_demo' }, '.local'))?.[1] ?? '';
  expect(address).toBe('http://127.0.0.1:8787/console#key=sk_demo');
  expect(new URL(address).hash).toBe('#key=sk_demo');
});

test('without a demo key the address is the console alone', () => {
  expect(banner(ready, '.local')).toMatch(/Console +http:\/\/127\.0\.0\.1:8787\/console\n/);
});

test('it says that the offline model rehearses, and names any other', () => {
  expect(banner(ready, '.local')).toMatch(/Model +offline \(a rehearsal: .*no real cost/);
  expect(banner({ ...ready, model: 'bedrock:some-model' }, '.local')).toMatch(/Model +bedrock:some-model\n/);
});

const llama = { model: 'openai:llama3.2@http://127.0.0.1:11434/v1', embedding: undefined };
const free = { input: 0, cached_input: 0, output: 0 };

test('a start warns of each model and embedding without a price', () => {
  const line = (name: string) => expect.stringMatching(new RegExp(`^${name} has no price.*--prices`));
  const none = { models: undefined, prices: undefined };
  expect(priceWarnings({ ...none, ...llama })).toEqual([line('llama3.2')]);
  const embedding = 'openai:e@http://127.0.0.1:1/v1';
  expect(priceWarnings({ ...none, ...llama, embedding })).toEqual([line('llama3.2'), line('e')]);
  expect(priceWarnings({ ...none, model: 'offline', embedding: undefined })).toEqual([]);
});

test('a price table needs no row for the offline embedding, which costs nothing', () => {
  const prices = { 'llama3.2': free };
  expect(priceWarnings({ ...llama, models: undefined, prices })).toEqual([]);
  expect(priceWarnings({ ...llama, embedding: 'offline', models: undefined, prices })).toEqual([]);
});

test('under a real model without an embedding it says that searches by meaning compare letters', () => {
  const letters = /Embedding +offline: .*letters/;
  expect(banner({ ...ready, model: 'bedrock:some-model' }, '.local')).toMatch(letters);
  expect(banner(ready, '.local')).not.toMatch(/Embedding/);
  const embedding = 'openai:e@http://127.0.0.1:1/v1';
  expect(banner({ ...ready, embedding }, '.local')).toMatch(`Embedding           ${embedding}\n`);
});

test('a line for each endpoint says what a small question has shown', () => {
  const lines = checkLines([
    { name: 'large', answers: true, structured: 'json_schema', usage: true, context_tokens: 8192 },
    {
      ...{ name: 'small', answers: false, structured: 'json_schema', usage: false, context_tokens: 32_768 },
      provider: { status_code: 404, message: 'The model x does not exist' },
    },
  ]);
  expect(lines.split('\n')).toEqual([
    '  large               answers, json_schema, usage told, 8192 tokens of context',
    '  small               does not answer: 404 The model x does not exist',
    '',
  ]);
});

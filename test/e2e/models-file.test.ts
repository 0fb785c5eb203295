// rules.md: models 1, models 10, models 11, models 12. Several endpoints: who does what, with whose key, at whose price.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { packVariable } from '#contract/packed-variable.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const addressOf = ({ spec }: OpenAiServer) => spec.slice(spec.indexOf('@') + 1);
const endpoint = (server: OpenAiServer, name: string, more: object = {}) => ({
  ...{ name, provider: 'openai', model: `model-of-${name}`, base_url: addressOf(server) },
  ...{ key_env: `${name.toUpperCase()}_KEY`, price: { input: 1, cached_input: 0.1, output: 4 } },
  ...more,
});

describe('with a models file', () => {
  let large: OpenAiServer;
  let small: OpenAiServer;
  let vectors: OpenAiServer;
  let own: OwnService;
  beforeAll(async () => {
    [large, small, vectors] = [await openAiServer(), await openAiServer(), await openAiServer()];
    large.models = [{ id: 'other' }, { id: 'model-of-large', max_model_len: 16_000 }];
    small.refuses = new Set(['json_schema', 'json_object']);
    const free = { input: 0, cached_input: 0, output: 0 };
    const file = {
      chat: [
        endpoint(large, 'large'),
        endpoint(small, 'small', { price: free, parallel: 2, options: { temperature: 0 } }),
      ],
      embedding: endpoint(vectors, 'vectors', { dimensions: 2, price: free }),
      tasks: { filter: 'small', transform: 'small' },
    };
    own = await ownService({
      MODELS: packVariable(file),
      MODEL_KEYS: JSON.stringify({ LARGE_KEY: 'key-l', SMALL_KEY: 'key-s', VECTORS_KEY: 'key-v' }),
      OPENAI_API_KEY: 'key-of-openai',
    });
  });
  afterAll(async () => {
    await own.stop();
    await Promise.all([large, small, vectors].map((server) => server.close()));
  });
  afterEach(() => {
    for (const server of [large, small, vectors])
      Object.assign(server, { asked: [], most_at_once: 0, delay_ms: 0, keys: new Set() });
  });

  test('each task is answered by its endpoint, with its own key, at its own price', async () => {
    const home = await own.home();
    const { body } = await when.createsPlanRun(home, [
      when.fetchCompanies,
      when.keepBerlin,
      { kind: 'analyze', instructions: 'what stands out' },
    ]);
    const run = await then.ended(home, body.id);
    expect(run).toMatchObject({ status: 'succeeded', usage: { calls: 2, unpriced_calls: 0 } });
    // 600 tokens at 1.00, 400 at 0.10, 300 at 4.00 per million: the analysis alone.
    expect(run.usage.cost_usd).toBeCloseTo(0.00184, 12);
    expect([large, small].map(({ asked }) => asked.map(({ task }) => task))).toEqual([
      ['analyze'],
      ['filter'],
    ]);
    const keys = [large, small, vectors].map((server) => [...server.keys]);
    expect(keys).toEqual([['Bearer key-l'], ['Bearer key-s'], ['Bearer key-v']]);
    const trace = await call('GET', `/runs/${body.id}/trace`, { key: home.key, access: home.access });
    const named = JSON.stringify(trace.body).match(/"(large|small)"/g);
    expect(new Set(named)).toEqual(new Set(['"large"', '"small"']));
  });

  test('who am I names the first endpoint', async () => {
    const home = await own.home({ companies: 0 });
    const { body } = await call('GET', '/me', { key: home.key, access: home.access });
    expect(body.model).toEqual({ name: 'large', simulated: false, available: true });
  });

  test('an endpoint gets no more calls at once than it takes', async () => {
    const home = await own.home({ companies: 12 });
    small.delay_ms = 20;
    const steps = [
      when.fetchCompanies,
      { kind: 'transform', instructions: 'shout the name', params: { output_fields: ['loud'] } },
    ];
    const { body } = await when.createsPlanRun(home, steps);
    expect((await then.ended(home, body.id)).steps[1].items_out).toBe(12);
    expect(small.most_at_once).toBe(2);
  });

  test('a check says of each what it does', async () => {
    const { endpoints } = await own.admin({ command: 'model.check', quick: false });
    expect(endpoints).toEqual([
      { name: 'large', answers: true, structured: 'json_schema', usage: true, context_tokens: 16_000 },
      { name: 'small', answers: true, structured: 'prompt', usage: true, context_tokens: 32_768 },
      { name: 'vectors', answers: true, usage: true, context_tokens: 32_768, dimensions: 2 },
    ]);
  });
});

test('a check gives the words of a provider that refuses', async () => {
  const server = await openAiServer();
  server.refuses = new Set(['json_schema', 'json_object', undefined]);
  const own = await ownService({ MODEL: server.spec, MODEL_API_KEY: 'key-1' });
  const { endpoints } = await own.admin({ command: 'model.check', quick: false });
  expect(endpoints).toMatchObject([
    {
      name: 'test',
      answers: false,
      provider: { status_code: 400, message: expect.stringContaining('is not supported') },
    },
  ]);
  await own.stop();
  await server.close();
});

test('no run is made while the embedding model has no price', async () => {
  const prices = { test: { input: 1, cached_input: 0.1, output: 4 } };
  const own = await ownService({
    MODEL: 'openai:test@http://127.0.0.1:9/v1',
    EMBEDDING_MODEL: 'openai:unknown@http://127.0.0.1:9/v1',
    PRICES: JSON.stringify(prices),
  });
  const home = await own.home({ companies: 0 });
  const { status, body } = await when.createsPlanRun(home, [{ kind: 'analyze', instructions: 'x' }]);
  expect([status, body.error.code]).toEqual([503, 'usage_accounting_unavailable']);
  await own.stop();
});

// rules.md: models 19, models 21, models 22. Models that answer in turn: the next one while the first is away.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packVariable } from '#contract/packed-variable.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { refuses } from '../support/provider-habits.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const addressOf = ({ spec }: OpenAiServer) => spec.slice(spec.indexOf('@') + 1);
const price = { input: 1, cached_input: 0.1, output: 4 };
const endpoint = (server: OpenAiServer, name: string) => ({
  ...{ name, provider: 'openai', model: name, base_url: addressOf(server), price },
});
const throttled = refuses(429, 'Come again later', { 'retry-after': '600' });

describe('with a list of two and a chat for filters', () => {
  let servers: OpenAiServer[];
  let own: OwnService;
  beforeAll(async () => {
    servers = [await openAiServer(), await openAiServer(), await openAiServer()];
    const [first, second, third] = servers;
    if (!first || !second || !third) throw new Error('three servers are there');
    const chat = [endpoint(first, 'first'), endpoint(second, 'second'), endpoint(third, 'filters')];
    own = await ownService({ MODELS: packVariable({ chat, tasks: { filter: 'filters' } }) });
  });
  afterAll(async () => {
    await own.stop();
    await Promise.all(servers.map((server) => server.close()));
  });
  const askedOf = () => servers.map(({ asked }) => asked.map(({ task }) => task));

  test('while the first is away the second answers, and a chat of a task is followed by the list', async () => {
    const [first, , filters] = servers;
    Object.assign(first ?? {}, { habit: throttled });
    Object.assign(filters ?? {}, { habit: throttled });
    const home = await own.home();
    const steps = [
      when.fetchCompanies,
      when.keepBerlin,
      { kind: 'analyze', instructions: 'what stands out' },
    ];
    const { body } = await when.createsPlanRun(home, steps);
    const run = await then.ended(home, body.id);
    expect(run).toMatchObject({ status: 'succeeded', errors: [], usage: { calls: 2, unpriced_calls: 0 } });
    // Each of the two that are away was asked once: it asks for more patience than a call has.
    expect(askedOf()).toEqual([['filter'], ['filter', 'analyze'], ['filter']]);

    // What the filter of this model was asked instead is told once.
    expect(run.warnings).toMatchObject([
      { code: 'model_fallback', details: { from: 'filters', to: 'second' } },
    ]);
    const { input_tokens, output_tokens, cached_input_tokens, cost_usd } = run.usage;
    expect(run.usage.models).toEqual([
      { model: 'second', calls: 2, input_tokens, cached_input_tokens, output_tokens, cost_usd },
    ]);

    const again = await when.createsPlanRun(home, steps);
    expect(await then.ended(home, again.body.id)).toMatchObject({ status: 'succeeded', usage: { calls: 2 } });
    expect(askedOf()).toEqual([['filter'], ['filter', 'analyze', 'filter', 'analyze'], ['filter']]);

    const { body: me } = await call('GET', '/me', { key: home.key, access: home.access });
    expect(me.model).toEqual({ name: 'second', simulated: false, available: true });
  });

  test('with none left a query is refused until one is tried again, and who am I says when', async () => {
    const [, second] = servers;
    Object.assign(second ?? {}, { habit: throttled });
    const home = await own.home();
    const query = { input_type: 'query', query: 'Count the companies' };
    const ask = () => call('POST', '/runs', { key: home.key, access: home.access, body: query });
    expect((await ask()).status).toBe(503);
    const asked = askedOf().flat().length;
    const refused = await ask();
    expect([refused.status, refused.body.error.code]).toEqual([503, 'model_unavailable']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect([seconds > 0, seconds <= 600, askedOf().flat().length]).toEqual([true, true, asked]);
    // A process knows what another one has found out within a second.
    const retry_at = await until('nothing answers', async () => {
      const { body } = await call('GET', '/me', { key: home.key, access: home.access });
      expect(body.model.name).toBe(body.model.available ? 'second' : 'first');
      return body.model.retry_at;
    });
    expect(retry_at).toBeGreaterThan(Date.now());
  });
});

test('a call that waits for others is not sent to a model that went away meanwhile', async () => {
  const server = await openAiServer('narrow');
  server.habit = throttled;
  const narrow = { ...endpoint(server, 'narrow'), parallel: 1 };
  const own = await ownService({ MODELS: packVariable({ chat: [narrow] }), MAX_PARALLEL_CALLS: '8' });
  const home = await own.home({ companies: 8 });
  const steps = [
    when.fetchCompanies,
    { kind: 'transform', instructions: 'sum up', params: { output_fields: ['summary'] } },
  ];
  const { body } = await when.createsPlanRun(home, steps, { config: { model_wait_seconds: 0 } });
  const run = await then.ended(home, body.id);
  expect(run).toMatchObject({ status: 'failed', resumable: true, errors: [{ code: 'model_unavailable' }] });
  expect(server.asked).toHaveLength(1);
  await own.stop();
  await server.close();
});

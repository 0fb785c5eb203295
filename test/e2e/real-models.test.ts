// rules.md: models 3 to models 7, models 9, query 1. What clients and operators see of a model that is not polite.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import {
  answerHabits,
  completion,
  formatHabits,
  refusalHabits,
  refuses,
} from '../support/provider-habits.ts';
import { expectRefusal } from '../support/refusal.ts';
import { until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const KEY = 'pk-live-0123456789';
const prices = JSON.stringify({ test: { input: 1, cached_input: 0.1, output: 4 } });
const analyze = { kind: 'analyze', instructions: 'what stands out' };

let server: OpenAiServer;
let own: OwnService;
beforeAll(async () => {
  server = await openAiServer();
  own = await ownService({ MODEL: server.spec, PRICES: prices, MODEL_API_KEY: KEY });
});
afterAll(async () => {
  await own.stop();
  await server.close();
});
afterEach(() => {
  Object.assign(server, { trouble: {}, habit: undefined, asked: [] });
});

/** A run of one step over no records, ended, and its log. */
async function analyzed(service = own, config = {}) {
  const home = await service.home({ companies: 0 });
  const { body } = await when.createsPlanRun(home, [analyze], { config });
  const run = await then.ended(home, body.id);
  const log = await when.readsLog(home, body.id);
  const dataOf = (type: string) =>
    log.filter((event) => event.event_type === type).map(({ data }) => Object(data));
  return { run, dataOf, home };
}

const asksQuery = async () => when.createsQueryRun(await own.home(), 'Which companies are in Berlin?');

/** The lines of the functions' logs with this message. */
function logged(message: string): Record<string, unknown>[] {
  const folder = join(own.dataDir, 'logs');
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes(`"${message}"`))
    .map((line) => JSON.parse(line));
}

test.each(Object.entries(formatHabits))('an endpoint that %s answers a query', async (_, habit) => {
  const other = await openAiServer();
  const service = await ownService({ MODEL: other.spec, PRICES: prices });
  other.habit = habit;
  const home = await service.home();
  const { body } = await when.createsQueryRun(home, 'Which companies are in Berlin?');
  expect(await then.ended(home, body.id)).toMatchObject({ status: 'succeeded', message: 'There are 5.' });
  await service.stop();
  await other.close();
});

describe('a refusal', () => {
  test.each(Object.entries(refusalHabits))(
    'of %s fails the step with the words of the provider',
    async (_, habit) => {
      const { status, words } = habit;
      server.habit = refuses(status, words);
      const { run, dataOf } = await analyzed();
      const error = {
        code: 'model_refused',
        type: 'internal',
        details: {
          ...{ step_index: 0, cause: 'refused', model: 'test', status_code: status },
          provider: { status_code: status, message: words },
          ...('reason' in habit && { reason: habit.reason }),
        },
      };
      expect(run).toMatchObject({ status: 'failed', errors: [error], usage: { calls: 0, cost_usd: 0 } });
      expect(dataOf('step.failed')).toMatchObject([{ error }]);
      expect(dataOf('step.retrying')).toEqual([]);
    },
  );
  test('of a query is a 500 that is not to be repeated, with the same details', async () => {
    server.habit = refuses(404, 'The model `x` does not exist');
    const reply = await asksQuery();
    expectRefusal(reply, 500, 'model_refused');
    expect(reply.headers.get('retry-after')).toBeNull();
    expect(reply.body.error.details).toEqual({
      ...{ cause: 'refused', model: 'test', status_code: 404 },
      provider: { status_code: 404, message: 'The model `x` does not exist' },
    });
  });
  test('leaves a line in the log, without a prompt and without the key', async () => {
    server.habit = refuses(418, `No credit left for the key ${KEY}`);
    await analyzed();
    const lines = await until('the line', async () => {
      const found = logged('model call failed').filter(({ status }) => status === 418);
      return found.length > 0 ? found : undefined;
    });
    expect(lines[0]).toMatchObject({
      ...{ level: 'WARN', model: 'test', task: 'analyze', cause: 'refused', status: 418 },
      provider: 'No credit left for the key …',
    });
    expect(JSON.stringify(lines)).not.toMatch(/pk-live|what stands out/);
  });
});

describe('a step whose answer is', () => {
  test.each(Object.entries(answerHabits))('%s, twice, says why', async (_, { cause, body }) => {
    server.habit = () => ({ body });
    const { run } = await analyzed();
    expect(run).toMatchObject({
      status: 'failed',
      usage: { calls: 2 },
      errors: [
        {
          ...{ code: 'model_answer_unusable', type: 'internal' },
          details: {
            step_index: 0,
            cause,
            provider: { status_code: 200, message: expect.stringMatching(/\S/) },
          },
        },
      ],
    });
  });
  test('between thoughts and prose shows none of them', async () => {
    server.habit = (_, usual) => ({
      body: completion(`<think>Secret thoughts.</think> Here you are: ${usual} I hope it helps.`),
    });
    const { run } = await analyzed();
    expect(run).toMatchObject({ status: 'succeeded', message: 'Text.', usage: { calls: 1 } });
    expect(JSON.stringify(run)).not.toMatch(/Secret|Here you are|hope/);
  });
});

test('a query whose answer stays unusable is a 500 that is not to be repeated', async () => {
  server.habit = () => ({ body: answerHabits.filtered.body });
  const reply = await asksQuery();
  expectRefusal(reply, 500, 'model_answer_unusable');
  expect(reply.body.error.details).toMatchObject({ cause: 'filtered', provider: { status_code: 200 } });
  expect(reply.headers.get('retry-after')).toBeNull();
  expect(server.asked).toHaveLength(2);
});

test('an item of a transform that the model refuses fails alone, with the words of the provider', async () => {
  server.trouble.transform = [{ status: 403 }];
  const home = await own.home({ companies: 3 });
  const step = { kind: 'transform', instructions: 'Shout', params: { output_fields: ['loud'] } };
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, step]);
  expect(await then.ended(home, body.id)).toMatchObject({
    status: 'succeeded',
    errors: [
      {
        code: 'model_refused',
        details: {
          ...{ step_index: 1, item_index: expect.any(Number), cause: 'refused' },
          provider: { status_code: 403, message: 'trouble' },
        },
      },
    ],
  });
});

describe('trouble that passes', () => {
  test('in a 200 is tried again, as the log shows, and costs nothing', async () => {
    const troubles = [{ body: JSON.stringify({ error: { code: 502, message: 'Upstream is busy' } }) }];
    server.habit = () => troubles.shift();
    const { run, dataOf } = await analyzed();
    expect(run).toMatchObject({ status: 'succeeded', usage: { calls: 1 } });
    expect(dataOf('step.retrying')).toMatchObject([
      {
        attempt: 1,
        error: {
          code: 'model_unavailable',
          details: { cause: 'away', provider: { status_code: 502, message: 'Upstream is busy' } },
        },
      },
    ]);
  });
  test('is waited out as long as the provider asks', async () => {
    const troubles = [refuses(429, 'Slow down', { 'retry-after-ms': '40' })];
    server.habit = (request, usual) => troubles.shift()?.(request, usual);
    const { run, dataOf } = await analyzed();
    expect(run.status).toBe('succeeded');
    expect(dataOf('step.retrying')).toMatchObject([{ delay_ms: 40 }]);
  });
  test('for longer than a call waits for it ends the tries', async () => {
    const other = await openAiServer();
    other.habit = refuses(429, 'Come back in an hour', { 'retry-after': '3600' });
    const service = await ownService({ MODEL: other.spec, PRICES: prices });
    const { run, dataOf, home } = await analyzed(service, { model_wait_seconds: 0 });
    expect(run).toMatchObject({
      status: 'failed',
      resumable: true,
      errors: [{ code: 'model_unavailable', details: { cause: 'away', provider: { status_code: 429 } } }],
    });
    expect(dataOf('step.retrying')).toEqual([]);
    // At most a quarter of an hour is waited for.
    const query = await when.createsQueryRun(home, 'Which companies are in Berlin?');
    expectRefusal(query, 503, 'model_unavailable');
    expect(Number(query.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    expect(Number(query.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(other.asked).toHaveLength(1);
    await service.stop();
    await other.close();
  });
});

test('reasoning that a provider tells apart from the output is counted and paid', async () => {
  const usage = {
    ...{ prompt_tokens: 10_120, completion_tokens: 1499, total_tokens: 14_428 },
    completion_tokens_details: { reasoning_tokens: 2809 },
  };
  server.habit = (_, usual) => ({ body: completion(usual, { usage }) });
  const { run } = await analyzed();
  expect(run.usage).toMatchObject({
    ...{ input_tokens: 10_120, output_tokens: 1499, thinking_tokens: 2809 },
    cost_usd: (10_120 * 1 + 4308 * 4) / 1e6,
  });
});

// rules.md: models 20, waits. A run whose model comes back, slowly: the calls of its step wait for the one that tries.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { refuses } from '../support/provider-habits.ts';
import { until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const price = { input: 1, cached_input: 0.1, output: 4 };

let chat: OpenAiServer;
let vectors: OpenAiServer;
let own: OwnService;
beforeAll(async () => {
  chat = await openAiServer('chat');
  vectors = await openAiServer('vectors');
  const PRICES = JSON.stringify({ chat: price, vectors: price });
  own = await ownService({ MODEL: chat.spec, EMBEDDING_MODEL: vectors.spec, PRICES });
});
afterAll(async () => {
  await own.stop();
  await chat.close();
  await vectors.close();
});

/** The run, ended: a wait lasts longer than other tests look. */
const ended = (home: Home, id: string) =>
  until(
    'the end of the run',
    async () => {
      const run = await when.readsRun(home, id);
      return ['pending', 'paused', 'running'].includes(run.status) ? undefined : run;
    },
    90_000,
  );

async function startsAndStops(home: Home, id: string) {
  const types = await then.eventTypes(home, id);
  return types.filter((type) => type === 'run.paused' || type === 'run.started');
}

test('one call tries a slow model, the others wait for it: one pause, one start, each item asked for once', async () => {
  let answers = 3;
  let failures = 0;
  const asked: string[] = [];
  chat.habit = (request, usual) => {
    answers -= 1;
    if (answers < 0) {
      failures += 1;
      return refuses(503, 'Down', { 'retry-after': '21' })(request, usual);
    }
    asked.push(/Company \d/.exec(JSON.stringify(request))?.[0] ?? '');
    return undefined;
  };
  const home = await own.home({ companies: 8 });
  const transform = { kind: 'transform', instructions: 'sum up', params: { output_fields: ['summary'] } };
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, transform]);
  await until('the run waits', async () =>
    (await when.readsRun(home, body.id)).status === 'paused' ? true : undefined,
  );
  const failed = failures;
  // It comes back, and takes longer than a run waits for the call of another one.
  answers = Number.POSITIVE_INFINITY;
  Object.assign(chat, { delay_ms: 6000, most_at_once: 0 });
  const most: number[] = [];
  const { habit } = chat;
  chat.habit = (request, usual) => {
    most.push(chat.most_at_once);
    return habit?.(request, usual);
  };
  expect(await ended(home, body.id)).toMatchObject({ status: 'succeeded', usage: { calls: 8 } });
  expect([failures, most[0]]).toEqual([failed, 1]);
  expect(asked.toSorted()).toEqual(Array.from({ length: 8 }, (_, i) => `Company ${i}`));
  expect(await startsAndStops(home, body.id)).toEqual(['run.started', 'run.paused', 'run.started']);
}, 120_000);

test('a search by meaning waits for the embedding model, as other calls do', async () => {
  const home = await own.home({ companies: 3 });
  vectors.vector_trouble = [503, 503, 503];
  const search = { kind: 'vector_search', params: { query: 'Company 1', limit: 3 } };
  const { body } = await when.createsPlanRun(home, [search]);
  const run = await ended(home, body.id);
  expect(run).toMatchObject({ status: 'succeeded', steps: [{ items_out: 3 }], usage: { calls: 1 } });
  expect(await startsAndStops(home, body.id)).toEqual(['run.started', 'run.paused', 'run.started']);
}, 120_000);

test('a query waits before its first step when the model goes away between understanding and planning', async () => {
  Object.assign(chat, { habit: undefined, delay_ms: 0, trouble: { plan: Array(3).fill({ status: 503 }) } });
  const home = await own.home({ companies: 3 });
  const { status, body } = await when.createsQueryRun(home, 'companies in Berlin');
  expect(status).toBe(202);
  const waiting = await until(
    'the run waits',
    async () => (await when.readsRun(home, body.id)).waiting ?? undefined,
  );
  expect(waiting).toMatchObject({ reason: 'model_unavailable' });
  expect(await ended(home, body.id)).toMatchObject({ status: 'succeeded' });
  const tasks = chat.asked.map(({ task }) => task);
  expect(tasks.filter((task) => task === 'understand')).toHaveLength(1);
  expect(await startsAndStops(home, body.id)).toEqual(['run.started', 'run.paused', 'run.started']);
}, 120_000);

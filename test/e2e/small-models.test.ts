// rules.md: models 14, models 15. Runs over more than a model can take at once.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { demoEntities } from '../../functions/admin/demo-records.ts';
import type { Home } from '../support/given.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

/** Three characters a token of the context that is assumed where none is set, less the output. */
const PROMPT_MAX = (32_768 - 4096) * 3;

let server: OpenAiServer;
let own: OwnService;
let home: Home;
beforeAll(async () => {
  server = await openAiServer();
  const PRICES = JSON.stringify({ test: { input: 1, cached_input: 0.1, output: 4 } });
  own = await ownService({ MODEL: server.spec, PRICES });
  home = await own.home({ companies: 0 });
  await own.admin({ command: 'entity.import', workspace_id: home.workspace_id, entities: demoEntities() });
  const memos = Array.from({ length: 200 }, (_, i) => ({
    ...{
      type: 'memo',
      name: `Memo ${i}`,
      fields: { text: `About ${i}. ${'Something was said of it. '.repeat(60)}` },
    },
  }));
  await own.admin({ command: 'entity.import', workspace_id: home.workspace_id, entities: memos });
});
afterAll(async () => {
  await own.stop();
  await server.close();
});
afterEach(() => {
  Object.assign(server, { trouble: {}, asked: [] });
});
const tooLong = () => server.asked.filter(({ characters }) => characters > PROMPT_MAX);

test('a query is understood, planned and filtered, and no prompt is too long', async () => {
  const body = { input_type: 'query', query: 'Which companies are in Berlin?' };
  const created = await call('POST', '/runs', { ...home, body });
  expect(created.status).toBe(202);
  const run = await then.ended(home, created.body.id);
  expect(run.status).toBe('succeeded');
  expect(run.steps).toMatchObject([{ items_out: 24 }, { items_out: 4 }, {}]);
  expect(tooLong()).toEqual([]);
});
test('200 memos are analyzed, all of them, and no call is too long', async () => {
  const steps = [
    { kind: 'fetch', params: { source: 'memo', limit: 200 } },
    { kind: 'analyze', instructions: 'What stands out?' },
  ];
  const { body } = await when.createsPlanRun(home, steps);
  const run = await then.ended(home, body.id);
  expect(run).toMatchObject({ status: 'succeeded', warnings: [] });
  const read = server.asked.flatMap(({ data }) => data.items.map(({ name }: { name: string }) => name));
  expect(new Set(read).size).toBe(200);
  expect(tooLong()).toEqual([]);
  expect(run.usage.calls).toBe(server.asked.length);
});
test('a refusal for length halves the input once', async () => {
  const refusal = { status: 400, words: "This model's maximum context length is 32768 tokens." };
  server.trouble.filter = [refusal];
  const steps = [
    { kind: 'fetch', params: { source: 'company', where: { field: 'city', op: '=', value: 'Berlin' } } },
    { kind: 'filter', instructions: 'in Berlin' },
  ];
  const { body } = await when.createsPlanRun(home, steps);
  expect(await then.ended(home, body.id)).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(server.asked.map(({ data }) => data.items.length)).toEqual([4, 2, 2]);
  server.trouble.filter = [refusal, refusal];
  const again = await when.createsPlanRun(home, steps);
  expect(await then.ended(home, again.body.id)).toMatchObject({
    status: 'failed',
    errors: [{ code: 'model_refused', details: { reason: 'input_too_long' } }],
  });
});
test('a provider that counts far fewer tokens than were sent has cut the prompt: the run says so', async () => {
  server.trouble.filter = [{ usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } }];
  const steps = [
    { kind: 'fetch', params: { source: 'company', where: { field: 'city', op: '=', value: 'Berlin' } } },
    { kind: 'filter', instructions: 'in Berlin' },
  ];
  const { body } = await when.createsPlanRun(home, steps);
  expect(await then.ended(home, body.id)).toMatchObject({
    status: 'succeeded',
    warnings: [{ code: 'input_shortened', step_index: 1, details: { by: 'provider' } }],
  });
});

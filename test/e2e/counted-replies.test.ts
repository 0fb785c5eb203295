// rules.md: usage 1, usage 8. Every reply of a model is counted on the run and the day, whatever becomes of it.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { completion, type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

/** 600 tokens at 1.00, 400 at 0.10, 300 at 4.00 per million. */
const COST_OF_A_REPLY = 0.00184;

let server: OpenAiServer;
let own: OwnService;
beforeAll(async () => {
  server = await openAiServer();
  const PRICES = JSON.stringify({ test: { input: 1, cached_input: 0.1, output: 4 } });
  own = await ownService({ MODEL: server.spec, PRICES });
});
afterAll(async () => {
  await own.stop();
  await server.close();
});
afterEach(() => {
  Object.assign(server, { trouble: {}, asked: [] });
});

const analyze = { kind: 'analyze', instructions: 'what stands out' };
const transforms = (...output_fields: string[]) => [
  when.fetchCompanies,
  { kind: 'transform', instructions: 'Each', params: { output_fields, limit: 1 } },
  { kind: 'reconstitute', instructions: 'Name them.' },
];
const values = (field: string, json: string) => `{"values":[{"field":"${field}","value":${json}}]}`;

/** Runs a plan in a new workspace; returns the ended run, and the day's totals. */
async function spends(steps: Record<string, unknown>[]) {
  const home = await own.home();
  const { body } = await when.createsPlanRun(home, steps);
  const run = await then.ended(home, body.id);
  const { cost_today_usd } = Object(
    await own.admin({ command: 'workspace.show', workspace_id: home.workspace_id }),
  );
  return { run, cost_today_usd };
}

/** The fields that the last step's model call got of its first item. */
function fieldsSeen(): object {
  const seen = server.asked.find(({ task }) => task === 'reconstitute')?.data.items[0].fields;
  return Object(seen);
}

test.each(['__proto__', 'constructor', 'toString'])(
  '%s is a name of a field like any other',
  async (name) => {
    const { run, cost_today_usd } = await spends(transforms(name));
    expect(run).toMatchObject({ status: 'succeeded', usage: { calls: 2, cost_usd: 2 * COST_OF_A_REPLY } });
    expect(Object.getOwnPropertyDescriptor(fieldsSeen(), name)?.value).toMatch(/!$/);
    expect(cost_today_usd).toBe(2 * COST_OF_A_REPLY);
  },
);

test.each([
  ['a number above 2^53 as the double it was read as', '1e17', 1e17],
  ['a lone surrogate as U+FFFD', '"a\\ud800b"', 'a\ufffdb'],
])('keeps %s', async (_, json, kept) => {
  server.trouble.transform = [{ says: values('f', json) }];
  const { run } = await spends(transforms('f'));
  expect(run).toMatchObject({ status: 'succeeded', usage: { calls: 2 } });
  expect(fieldsSeen()).toMatchObject({ f: kept });
});

test.each(['1e126', '1e200', '1e-131', '1e999'])(
  'the number %s is asked for once more, then the item fails',
  async (number) => {
    server.trouble.transform = Array.from({ length: 2 }, () => ({ says: values('f', number) }));
    const { run, cost_today_usd } = await spends(transforms('f'));
    expect(run).toMatchObject({
      status: 'failed',
      errors: [{ code: 'model_answer_unusable' }],
      usage: { calls: 2, unpriced_calls: 0, cost_usd: 2 * COST_OF_A_REPLY },
    });
    expect(server.asked).toHaveLength(2);
    expect(cost_today_usd).toBe(2 * COST_OF_A_REPLY);
  },
);

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const tool = { tool_calls: [{ id: 't', type: 'function', function: { name: 'x', arguments: '{}' } }] };

test.each([
  ['cut off with text', completion('{"findings":"a', { finish_reason: 'length' })],
  ['cut off without text', completion(null, { finish_reason: 'length' })],
  ['a refusal', completion(null, { finish_reason: 'content_filter' })],
  ['tool calls', completion(null, { finish_reason: 'tool_calls', message: tool })],
  ['no choices', completion('', { choices: [] })],
  ['nested too deep', completion(`{"findings":${deep}}`)],
  ['not the JSON asked for', completion('Acme stands out.')],
])('a reply that is %s counts with its usage', async (_, body) => {
  server.trouble.analyze = [{ body }, { body }];
  const { run, cost_today_usd } = await spends([analyze]);
  const replies = server.asked.length;
  expect(replies).toBeLessThanOrEqual(2);
  expect(run).toMatchObject({
    status: 'failed',
    errors: [{ code: 'model_answer_unusable' }],
    usage: { calls: replies, unpriced_calls: 0, cost_usd: replies * COST_OF_A_REPLY },
  });
  expect(cost_today_usd).toBe(replies * COST_OF_A_REPLY);
});

test.each([
  [
    'usage as text',
    completion('{"findings":"a"}', { usage: { prompt_tokens: '9', completion_tokens: '9' } }),
  ],
  ['negative usage', completion('{"findings":"a"}', { usage: { prompt_tokens: -1, completion_tokens: 1 } })],
  ['no usage', completion('{"findings":"a"}', { usage: null })],
  ['no JSON', '<html>'],
])('a reply with %s is an unpriced call', async (_, body) => {
  server.trouble.analyze = [{ body }, { body }];
  const { run } = await spends([analyze]);
  expect(run.usage).toMatchObject({
    calls: server.asked.length,
    unpriced_calls: server.asked.length,
    cost_usd: 0,
  });
  expect(run.errors.map(({ code }: { code: string }) => code)).not.toContain('internal_error');
});

test('a query whose reading has a lone surrogate is understood', async () => {
  server.trouble.understand = [
    {
      says: '{"verdict":"clear","interpretation":"a\\udc00","reason":null,"question":null,"candidate_ids":[]}',
    },
  ];
  const home = await own.home();
  const { status, body } = await when.createsQueryRun(home, 'Which companies are in Berlin?');
  expect(status).toBe(202);
  expect(await then.ended(home, body.id)).toMatchObject({ status: 'succeeded' });
});

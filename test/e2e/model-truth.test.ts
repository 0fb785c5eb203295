// rules.md: query 5, query 6, query 7, steps 15, steps 16, calls 1. Nothing is invented by a provider's model either.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import { emptyStep } from '../support/task-answers.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let server: OpenAiServer;
let own: OwnService;
let home: Home;
beforeAll(async () => {
  server = await openAiServer();
  const PRICES = JSON.stringify({ test: { input: 1, cached_input: 0.1, output: 4 } });
  own = await ownService({ MODEL: server.spec, PRICES });
  home = await own.home();
});
afterAll(async () => {
  await own.stop();
  await server.close();
});
afterEach(() => {
  Object.assign(server, { trouble: {}, asked: [] });
});

const answers = { ...emptyStep, kind: 'reconstitute', title: 'Answer', instructions: 'Name them.' };
const fetches = (params: object) => ({ ...emptyStep, kind: 'fetch', title: 'Fetch', ...params });
const planned = (...steps: object[]) => ({ says: JSON.stringify({ title: 'Companies', steps }) });
const isIn = (city: string) => [{ not: false, any_of: [{ field: 'city', op: '=', value: city }] }];

async function ran(config = {}) {
  const { key, access } = home;
  const query = 'Which companies are in Berlin?';
  const { body } = await call('POST', '/runs', { key, access, body: { input_type: 'query', query, config } });
  return then.ended(home, body.id);
}
const understood = (...not_understood: string[]) => ({
  says: JSON.stringify({
    ...{ interpretation: 'Companies.', not_understood, verdict: 'clear', question: null, candidate_ids: [] },
  }),
});
const writes = (message: string) => ({
  says: JSON.stringify({ message, texts: { text_1: 'T.' }, table_title: 'T' }),
});
const asked = (task: string) => server.asked.filter((one) => one.task === task).length;

test('query 6: a plan that reads nothing is asked for once more, then the run fails', async () => {
  server.trouble.plan = [planned(answers), planned(answers)];
  const run = await ran();
  expect(asked('plan')).toBe(2);
  expect(run.status).toBe('failed');
  expect(run.errors).toMatchObject([{ code: 'query_ambiguous', details: { reason: 'not_understood' } }]);
  expect(asked('reconstitute')).toBe(0);
});

test('query 6: an unknown type is refused, and the second plan may do', async () => {
  server.trouble.plan = [planned(fetches({ entity_types: ['firm'] }), answers)];
  const run = await ran();
  expect(asked('plan')).toBe(2);
  expect(run.status).toBe('succeeded');
});

test('query 7: another spelling of a value is set right, and a warning says so', async () => {
  server.trouble.plan = [planned(fetches({ entity_types: ['company'], where: isIn('BERLIN') }), answers)];
  const run = await ran();
  expect(run.steps[0].items_out).toBeGreaterThan(0);
  expect(run.warnings).toContainEqual(
    expect.objectContaining({
      code: 'assumed_interpretation',
      step_index: 0,
      details: { field: 'city', value: 'BERLIN', taken: 'Berlin' },
    }),
  );
});

test('query 7, steps 15: a value that no record has is named, and the service answers over nothing itself', async () => {
  server.trouble.plan = [planned(fetches({ entity_types: ['company'], where: isIn('Berlim') }), answers)];
  const run = await ran();
  expect(run.status).toBe('succeeded');
  expect(run.warnings).toContainEqual(
    expect.objectContaining({ details: { field: 'city', value: 'Berlim', nearest: 'Berlin' } }),
  );
  expect(asked('reconstitute')).toBe(0);
  expect(run.message).toContain('nothing was found');
});

test('query 5: what was not understood comes first, once, whoever writes the message', async () => {
  const all = fetches({ entity_types: ['company'] });
  const none = fetches({ entity_types: ['company'], where: isIn('Nowhere') });
  const ways = [
    {
      steps: [all, answers],
      said: writes('There are 5.'),
      message: /^Not understood: Which\. There are 5\.$/,
    },
    { steps: [all, answers], said: writes('- One\n- Two'), message: /^Not understood: Which\.\n\n- One/ },
    {
      ...{ steps: [all, answers], said: writes('Not understood: Which. There are 5.') },
      message: /^Not understood: Which\. There are 5\.$/,
    },
    { steps: [none, answers], message: /^Not understood: Which\. Companies: nothing was found\./ },
    { steps: [all], message: /^Not understood: Which\. Companies: \d+ items: / },
  ];
  for (const { steps, said, message } of ways) {
    server.trouble = {
      understand: [understood('Which')],
      plan: [planned(...steps)],
      ...(said && { reconstitute: [said] }),
    };
    expect((await ran()).message).toMatch(message);
  }
});

test('steps 15: findings over nothing are not asked for, and not asked about', async () => {
  const nowhere = { field: 'city', op: '=', value: 'Nowhere' };
  const fetch = { kind: 'fetch', params: { source: 'companies', where: nowhere } };
  const steps = [fetch, { kind: 'analyze', instructions: 'What stands out?' }, when.answer];
  const { body } = await when.createsPlanRun(home, steps);
  const run = await then.ended(home, body.id);
  expect(run.status).toBe('succeeded');
  expect(server.asked).toEqual([]);
  expect(run.message).toContain('nothing to analyze');
  expect(run.usage.calls).toBe(0);
});

test('steps 16: numbers and names that no item has are in a warning', async () => {
  const says = JSON.stringify({
    message: 'Forthouse Ventures earned 999 million, and they are in Berlin.',
    texts: { text_1: 'It began in 1842.' },
    table_title: 'T',
  });
  server.trouble.reconstitute = [{ says }];
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, when.answer]);
  const run = await then.ended(home, body.id);
  expect(run.warnings).toContainEqual(
    expect.objectContaining({
      code: 'message_unverified',
      step_index: 1,
      details: { numbers: ['999', '1842'], names: ['Forthouse Ventures'] },
    }),
  );
});

test('calls 1: what the provider was sent and said is kept, the failed request and its repair too', async () => {
  server.trouble.filter = [{ says: 'no JSON at all' }];
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, when.keepBerlin], {
    config: { keep_calls: true },
  });
  const run = await then.ended(home, body.id);
  const { key, access } = home;
  const { data } = (await call('GET', `/runs/${run.id}/calls`, { key, access })).body;
  expect(data).toMatchObject([
    { step_index: 1, task: 'filter', model: 'test', outcome: 'unusable', answer: 'no JSON at all' },
    { step_index: 1, task: 'filter', model: 'test', outcome: 'repaired' },
  ]);
  expect(data[1].messages.map(({ role }: { role: string }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ]);
  expect(data[0].usage.input_tokens + data[1].usage.input_tokens).toBe(run.usage.input_tokens);
});

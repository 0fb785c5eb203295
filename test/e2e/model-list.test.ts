// rules.md: models 19, models 20, models 21. Calls go to the first model, and to the next one while it is away.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { refuses } from '../support/provider-habits.ts';
import { expectRefusal } from '../support/refusal.ts';
import { until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const price = { input: 1, cached_input: 0.1, output: 4 };

let first: OpenAiServer;
let second: OpenAiServer;
let own: OwnService;
beforeAll(async () => {
  first = await openAiServer('first');
  second = await openAiServer('second');
  const PRICES = JSON.stringify({ first: price, second: price });
  own = await ownService({ MODEL: `${first.spec},${second.spec}`, PRICES });
});
afterAll(async () => {
  await own.stop();
  await first.close();
  await second.close();
});
afterEach(() => {
  for (const server of [first, second]) Object.assign(server, { habit: undefined, asked: [] });
});

/** Down for longer than this test looks at what is done meanwhile. */
const down = refuses(503, 'Down', { 'retry-after': '21' });
const transform = { kind: 'transform', instructions: 'sum up', params: { output_fields: ['summary'] } };

/** The ended run of a transform of eight records. */
async function transformed() {
  const home = await own.home({ companies: 8 });
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, transform]);
  return then.ended(home, body.id);
}

/** The records that a model was asked for. */
const itemsOf = ({ asked }: OpenAiServer) => asked.map(({ data }) => String(data.item.name));

test('a refusal of the first is final: the next one is not asked', async () => {
  first.habit = refuses(404, 'no such model');
  const home = await own.home();
  expectRefusal(await when.createsQueryRun(home, 'Which are in Oslo?'), 500, 'model_refused');
  expect(second.asked).toEqual([]);
});

test('a step goes on at the next one, and asks for nothing that the first has answered', async () => {
  let answers = 3;
  const answered: string[] = [];
  first.habit = (request, usual) => {
    answers -= 1;
    if (answers < 0) return down(request, usual);
    answered.push(/Company \d/.exec(JSON.stringify(request))?.[0] ?? '');
    return undefined;
  };
  const run = await transformed();
  expect(run).toMatchObject({ status: 'succeeded', errors: [], usage: { calls: 8 } });
  expect(answered).toHaveLength(3);
  expect([...answered, ...itemsOf(second)].toSorted()).toEqual(
    Array.from({ length: 8 }, (_, i) => `Company ${i}`),
  );
  // All know now that it is away.
  first.asked = [];
  expect((await transformed()).status).toBe('succeeded');
  expect(first.asked).toEqual([]);
  // With none left a query is refused without a call.
  second.habit = refuses(429, 'Later', { 'retry-after': '90' });
  const home = await own.home();
  expectRefusal(await when.createsQueryRun(home, 'Which are in Oslo?'), 503, 'model_unavailable');
  for (const server of [first, second]) Object.assign(server, { habit: undefined, asked: [] });
  const refusal = await when.createsQueryRun(home, 'Which are in Berlin?');
  expectRefusal(refusal, 503, 'model_unavailable');
  // The first may be tried sooner than the second.
  expect(Number(refusal.headers.get('retry-after'))).toBeLessThanOrEqual(21);
  expect([first.asked, second.asked]).toEqual([[], []]);
  const created = await until(
    'the first is back',
    async () => {
      const reply = await when.createsQueryRun(home, 'Which are in Berlin?');
      return reply.status === 503 ? undefined : reply;
    },
    60_000,
  );
  expect([created.status, first.asked.length > 0, second.asked.length]).toEqual([202, true, 0]);
});

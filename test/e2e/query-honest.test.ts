// rules.md: query 5. What a query says and no step uses is named, and a message claims no more than was judged.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
  await given.companies(home.workspace_id);
});

const asks = (query: string, config?: Record<string, unknown>) =>
  call('POST', '/runs', { key: home.key, body: { input_type: 'query', query, ...(config && { config }) } });

async function answered(query: string, config?: Record<string, unknown>) {
  const created = await asks(query, config);
  expect(created.status).toBe(202);
  return then.ended(home, created.body.id);
}

const partly = (words: string[]) => ({
  code: 'query_partly_understood',
  message: `Not understood, and in no step: ${words.join(', ')}.`,
  details: { words },
});

test('the run goes on with what is understood, and names the rest from the understanding on', async () => {
  const query = 'Which companies in Berlin are really profitable?';
  expect((await asks(query)).body.warnings).toEqual([partly(['profitable'])]);
  const run = await answered(query);
  expect(run).toMatchObject({ status: 'succeeded', warnings: [partly(['profitable'])] });
  const [, understood] = await when.readsLog(home, run.id);
  expect(understood).toMatchObject({ event_type: 'run.pre_validation', data: { warnings: run.warnings } });
});

test('where only a place is understood, strict mode refuses with the words, else it runs with the warning', async () => {
  const query = 'What is the nice weather in Berlin?';
  const words = ['nice', 'weather'];
  expectRefusal(await asks(query), 422, 'query_ambiguous', {
    param: 'query',
    details: { reason: 'not_understood', words },
  });
  expect(await answered(query, { strict_mode: false })).toMatchObject({
    status: 'succeeded',
    warnings: [partly(words)],
  });
});

test.each([
  ['The second largest company by revenue', ['second']],
  ['What is the weather in Berlin tomorrow?', ['weather', 'tomorrow']],
  ['Companies in Berlin and their people', ['people']],
])('query 9: a word that the answer depends on is refused in either mode: %s', async (query, words) => {
  for (const strict_mode of [true, false])
    expectRefusal(await asks(query, { strict_mode }), 422, 'query_ambiguous', {
      param: 'query',
      details: { reason: 'not_understood', words },
    });
});

test('a request about a record by its name leaves no word', async () => {
  const run = await answered('Tell me about Acme');
  expect(run).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(run.message).toContain('Acme');
});

test('at most 20 words are named', async () => {
  const many = Array.from({ length: 30 }, (_, i) => `qw${i}x`);
  const { error } = (await asks(many.join(' '))).body;
  expect(error.details.words).toEqual(many.slice(0, 20));
});

test('of nothing found the message says what was read, and by what', async () => {
  const { message } = await answered('companies with a revenue over 5000 million');
  expect(message).toMatch(
    /^No records were found\.\n\n\d+ records of type company were read; there is none where revenue/,
  );
});

test('what was not understood comes first in the message, before any figure', async () => {
  const asked = ['Which companies in Berlin are really profitable?', 'How many companies are profitable?'];
  for (const query of asked)
    expect((await answered(query)).message).toMatch(/^Not understood: profitable\. \S/);
  const run = await answered('What is the nice weather in Berlin?', { strict_mode: false });
  expect(run.message).toMatch(/^Not understood: nice, weather\. \S/);
});

test('a top of a field with other values too is of its numbers, and says how many records have none', async () => {
  const own = await given.workspace();
  const ratings = [5, 'Not yet rated', 6, undefined, 3, 'Not yet rated'];
  await given.entities(
    own.workspace_id,
    ratings.map((rating, i) => ({
      ...{ type: 'restaurant', name: `R${i}` },
      fields: { town: 'North', ...(rating !== undefined && { rating }) },
    })),
  );
  const body = { input_type: 'query', query: 'Top 2 restaurants by rating' };
  const created = await call('POST', '/runs', { key: own.key, body });
  const run = await then.ended(own, created.body.id);
  expect(run.message).toMatch(/R2.*R0/s);
  expect(run.message).toContain('3 records have no number in rating and are not among them.');
  const { understood_as } = (await call('GET', `/runs/${run.id}?include=plan`, { key: own.key })).body;
  expect(understood_as).toContain('rating is a number');
});

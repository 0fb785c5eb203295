// rules.md: sources 11. A model that obeys the text of a record cannot send a question to a source that it does not name.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { type LiveSource, liveSource } from '../support/live-source.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import { emptyStep } from '../support/task-answers.ts';
import * as then from '../support/then.ts';

let model: OpenAiServer;
let own: OwnService;
let source: LiveSource;
let home: Home;
beforeAll(async () => {
  model = await openAiServer();
  own = await ownService({
    MODEL: model.spec,
    PRICES: JSON.stringify({ test: { input: 1, cached_input: 0.1, output: 4 } }),
    MODEL_API_KEY: 'key-1',
  });
  source = await liveSource(() => ({ items: [{ name: 'Ada' }] }));
  home = await own.home();
  const { workspace_id } = home;
  const file = {
    name: 'payroll',
    kind: 'http',
    url: source.url,
    description: 'Salaries of all employees',
  } as const;
  await own.admin({ command: 'source.create', workspace_id, source: file });
});
afterAll(async () => {
  await own.stop();
  await model.close();
  source.close();
});

/** A run of the query whose model plans to send a secret to the source. */
async function obeyed(query: string) {
  model.asked = [];
  const steps = [{ ...emptyStep, kind: 'fetch', title: 'Fetch', source: 'payroll', query: 'secret' }];
  model.trouble.plan = [{ says: JSON.stringify({ title: 'Obeyed', steps }) }];
  const { key, access } = home;
  const { body } = await call('POST', '/runs', { key, access, body: { input_type: 'query', query } });
  return then.ended(home, body.id);
}

const shown = () =>
  model.asked
    .filter(({ task }) => task === 'understand' || task === 'plan')
    .map(({ data }) => data.shape.sources);

test('a source that the query does not name is in no prompt and is not read', async () => {
  expect(await obeyed('Which companies are in Berlin?')).toMatchObject({ status: 'succeeded' });
  // The plan that reads it is refused, and the next one does without.
  expect(shown()).toEqual([undefined, undefined, undefined]);
  expect(source.asked).toEqual([]);
});

test('one that it names is shown and read', async () => {
  expect(await obeyed('Which employees have high salaries?')).toMatchObject({ status: 'succeeded' });
  expect(shown()).toMatchObject([[{ name: 'payroll' }], [{ name: 'payroll' }]]);
  expect(source.asked).toHaveLength(1);
});

// rules.md: vectors. Vectors know their model, and follow when it comes back.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const price = { input: 0, cached_input: 0, output: 0 };
const PRICES = JSON.stringify({ offline: price, e: price, f: price });
const AWAY = Array.from({ length: 30 }, () => 503);

let server: OpenAiServer;
let own: OwnService;
let env: Record<string, string>;
beforeEach(async () => {
  server = await openAiServer();
  env = { PRICES };
  own = await ownService(env);
});
afterEach(async () => {
  await own.stop();
  await server.close();
});

const address = () => server.spec.slice(server.spec.indexOf('@') + 1);
/** The service starts again with another embedding model. */
async function choosesEmbedding(model: string): Promise<void> {
  env.EMBEDDING_MODEL = `openai:${model}@${address()}`;
  await own.restart();
}
const sweeps = () => own.runtime.lambda.invoke('Sweep', '{}');
const shows = ({ workspace_id }: Home) => own.admin({ command: 'vector.show', workspace_id });

async function searches(home: Home) {
  const access = { base_url: own.runtime.base_url, site_url: own.runtime.site_url };
  const step = { kind: 'vector_search', params: { query: 'Company 3', limit: 3 } };
  const { body } = await when.createsPlanRun({ ...home, access }, [step]);
  const run = await then.ended({ ...home, access }, body.id);
  return { run, found: run.steps[0].items_out, warnings: run.warnings };
}

test('after a change of the model a search says that vectors are outdated, and they are made again', async () => {
  const home = await own.home({ companies: 10 });
  expect(await searches(home)).toMatchObject({ found: 3, warnings: [] });
  expect(await shows(home)).toEqual({
    ...{ model: 'offline', dimensions: 256, vectors: 10, outdated: 0, rebuilding: false },
  });
  await choosesEmbedding('e');
  const { found, warnings } = await searches(home);
  expect(found).toBe(0);
  expect(warnings).toMatchObject([
    { code: 'vectors_outdated', step_index: 0, details: { outdated: 10, model: 'e' } },
  ]);
  await sweeps();
  expect(await shows(home)).toEqual({
    ...{ model: 'e', dimensions: 2, vectors: 10, outdated: 0, rebuilding: false },
  });
  expect(await searches(home)).toMatchObject({ found: 3, warnings: [] });
});

test('a run of the simulated model that searches by the vectors of a real one has the usage of both (rules.md: usage 11)', async () => {
  await choosesEmbedding('e');
  const home = await own.home({ companies: 10 });
  await sweeps();
  const steps = [
    { kind: 'vector_search', params: { query: 'Company 3', limit: 3 } },
    { kind: 'analyze', instructions: 'what stands out' },
  ];
  const { body } = await when.createsPlanRun(home, steps);
  const { usage } = await then.ended(home, body.id);
  expect(usage).toMatchObject({ calls: 2, unpriced_calls: 0 });
  expect(usage).not.toHaveProperty('simulated');
  expect(usage.models).toMatchObject([
    { model: 'e', calls: 1, output_tokens: 0 },
    { model: 'offline', calls: 1, output_tokens: usage.output_tokens },
  ]);
});

test('without a search too', async () => {
  const home = await own.home({ companies: 10 });
  await choosesEmbedding('e');
  await sweeps();
  await sweeps();
  expect(await shows(home)).toMatchObject({ model: 'e', vectors: 10, outdated: 0, rebuilding: false });
});

test('vectors of a model of the same length, and of the same model of another length, are not compared', async () => {
  const home = await own.home({ companies: 10 });
  await choosesEmbedding('e');
  await sweeps();
  await sweeps();
  await choosesEmbedding('f');
  expect((await searches(home)).warnings).toMatchObject([{ details: { outdated: 10, model: 'f' } }]);
  await sweeps();
  server.dimensions = 4;
  expect((await searches(home)).warnings).toMatchObject([{ details: { outdated: 10, model: 'f' } }]);
  await sweeps();
  expect(await shows(home)).toMatchObject({ model: 'f', dimensions: 4, vectors: 10, outdated: 0 });
});

test('while the embedding model is away records are saved and found by their words; their vectors follow', {
  timeout: 120_000,
}, async () => {
  await choosesEmbedding('e');
  const home = await own.home({ companies: 0 });
  server.vector_trouble = [...AWAY];
  const entities = [{ type: 'company', name: 'Acme Robots', fields: { city: 'Oslo' } }];
  const { workspace_id } = home;
  expect(await own.admin({ command: 'entity.import', workspace_id, entities })).toMatchObject({
    imported: 1,
  });
  const { body } = await call('GET', '/entities?query=robots', { key: home.key, access: home.access });
  expect(body.data).toMatchObject([{ entity_name: 'Acme Robots' }]);
  expect(await shows(home)).toMatchObject({ vectors: 0, outdated: 1, rebuilding: true });
  // Three calls have found out.
  expect(server.vector_trouble).toHaveLength(AWAY.length - 3);
  await own.admin({
    command: 'entity.import',
    workspace_id,
    entities: [{ type: 'company', name: 'Basalt' }],
  });
  expect(server.vector_trouble).toHaveLength(AWAY.length - 3);
  server.vector_trouble = [];
  // The sweep waits for the time at which it may be tried.
  await sweeps();
  expect(await shows(home)).toMatchObject({ vectors: 2, outdated: 0, rebuilding: false });
  expect(await searches(home)).toMatchObject({ found: 2, warnings: [] });
});

test('one refusal for too many calls ends neither a search nor an import', async () => {
  await choosesEmbedding('e');
  server.vector_trouble = [429];
  const home = await own.home({ companies: 3 });
  expect(await shows(home)).toMatchObject({ vectors: 3, outdated: 0 });
  server.vector_trouble = [503, 429];
  const { run, found } = await searches(home);
  expect([run.status, found]).toEqual(['succeeded', 3]);
});

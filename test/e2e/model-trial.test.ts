// `admin model check` also tries the model with questions whose answers are known (rules.md: models 18).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quickTrials } from '#domain/evaluation/quick.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';

let server: OpenAiServer;
let own: OwnService;
beforeAll(async () => {
  server = await openAiServer();
  const prices = { test: { input: 1, cached_input: 0.1, output: 4 } };
  own = await ownService({ MODEL: server.spec, MODEL_API_KEY: 'key-1', PRICES: JSON.stringify(prices) });
});
afterAll(async () => {
  await own.stop();
  await server.close();
});

const answers = quickTrials().reduce((sum, trial) => sum + trial.answers, 0);

test('a check tries a provider’s model, and sums up what it got right in numbers and a sentence', async () => {
  const { endpoints, quick } = await own.admin({ command: 'model.check' });
  expect(endpoints).toMatchObject([{ name: 'test', answers: true }]);
  const { right, honest, wrong, unusable, says } = quick;
  expect(right + honest + wrong + unusable).toBe(answers);
  // It keeps what is in Berlin, whatever it is asked.
  expect(wrong).toBeGreaterThan(right);
  expect(says).toMatch(/^It .*filters \(\d+ of 56\)/);
});

test('the trial is left out on request, and when no endpoint answers', async () => {
  const before = server.asked.length;
  expect(await own.admin({ command: 'model.check', quick: false })).not.toHaveProperty('quick');
  expect(server.asked.length - before).toBeLessThan(5);
  server.refuses = new Set(['json_schema', 'json_object', undefined]);
  expect(await own.admin({ command: 'model.check' })).not.toHaveProperty('quick');
});

// The offline model as a whole.
import { expect, test, vi } from 'vitest';
import { createModel } from '#models/create-model.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { ask, companies, embed } from './given.ts';

vi.mock('#models/ai-sdk/providers.ts', () => {
  throw new Error('a provider was loaded');
});

const input = { instructions: 'Keep Berlin', items: companies };

test('the same input gives the same output and usage', async () => {
  const call = () => ask(offlineModel(), 'filter', input);
  expect(await call()).toEqual(await call());
});
test('usage counts four characters as a token, without cache and thinking', async () => {
  const { output, usages } = await ask(offlineModel(), 'filter', input);
  expect(usages).toEqual([
    {
      input_tokens: Math.ceil(JSON.stringify(input).length / 4),
      cached_input_tokens: 0,
      output_tokens: Math.ceil(JSON.stringify(output).length / 4),
      thinking_tokens: 0,
    },
  ]);
});
test('the offline setting never loads a provider', async () => {
  const model = createModel('offline');
  await expect(ask(model, 'filter', input)).resolves.toBeDefined();
  await expect(embed(model, ['a'])).resolves.toBeDefined();
});
test('a provider that cannot be set up is a transient failure', async () => {
  const call = ask(createModel('openai:m@http://127.0.0.1:1/v1'), 'filter', input);
  await expect(call).rejects.toMatchObject({ name: 'ModelError', transient: true });
});

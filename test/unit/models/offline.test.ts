// The offline model as a whole.
import { expect, test, vi } from 'vitest';
import { createModel } from '#models/create-model.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { companies, firstCall, noLimit } from './given.ts';

vi.mock('#models/ai-sdk/providers.ts', () => {
  throw new Error('a provider was loaded');
});

const input = { instructions: 'Keep Berlin', items: companies };

test('the same input gives the same output and usage', async () => {
  const call = () => offlineModel().call('filter', input, firstCall, noLimit());
  expect(await call()).toEqual(await call());
});
test('usage counts four characters as a token, without cache and thinking', async () => {
  const { output, usages } = await offlineModel().call('filter', input, firstCall, noLimit());
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
  await expect(model.call('filter', input, firstCall, noLimit())).resolves.toBeDefined();
  await expect(model.embed(['a'], noLimit())).resolves.toBeDefined();
});
test('a provider that cannot be set up is a failure that may pass', async () => {
  const call = createModel('openai:m@http://127.0.0.1:1/v1').call('filter', input, firstCall, noLimit());
  await expect(call).rejects.toMatchObject({ name: 'ModelError', transient: true });
});

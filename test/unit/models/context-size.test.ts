// rules.md: models 10. How much fits in a call, by what an endpoint tells.
import { expect, test } from 'vitest';
import { contextIn, contextSize } from '#models/context-size.ts';
import { endpointOf } from '#models/endpoint.ts';
import { ModelError } from '#models/model.ts';

const endpoint = endpointOf({ provider: 'openai', model: 'm', base_url: 'http://h/v1' }, 'MODEL_API_KEY');
const tooLong = (message: string) =>
  new ModelError('The model refused the call', {
    cause: 'refused',
    reason: 'input_too_long',
    provider: { message },
  });

test.each([
  ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 8192],
  ['Requested tokens (14955) exceed context window of 8192', 8192],
  ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
  ['prompt is too long: maximum of 200,000 tokens', 200_000],
  ['the input is too long', undefined],
])('of "%s" it is %s', (words, tokens) => {
  expect(contextIn(words)).toBe(tokens);
});

test('a setting counts, then what the endpoint tells, then 32,768', async () => {
  const stated = async () => 16_000;
  const limits = async (setting: number | undefined, ask: () => Promise<number | undefined>) =>
    (
      await contextSize(
        { ...endpoint, ...(setting !== undefined && { context_tokens: setting }) },
        ask,
      ).limits()
    ).context_tokens;
  expect(await limits(8000, stated)).toBe(8000);
  expect(await limits(undefined, stated)).toBe(16_000);
  expect(await limits(undefined, async () => undefined)).toBe(32_768);
  expect(await limits(undefined, () => Promise.reject(new Error('away')))).toBe(32_768);
});

test('a refusal for length that names the context counts from then on', async () => {
  const size = contextSize(endpoint, async () => undefined);
  expect(() => size.learn(tooLong('maximum context length is 4096 tokens'))).toThrow('refused');
  expect(await size.limits()).toEqual({ context_tokens: 4096, max_output_tokens: 1024 });
  expect(() => size.learn(tooLong('too long'))).toThrow('refused');
  expect((await size.limits()).context_tokens).toBe(4096);
});

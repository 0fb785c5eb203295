// Embeddings over the real client and a server that speaks the OpenAI-compatible protocol.
import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '#contract/json.ts';
import { createModel } from '#models/create-model.ts';
import { embed } from './given.ts';
import { type Answer, type Provider, provider } from './wire.ts';

let server: Provider | undefined;
afterEach(async () => {
  await server?.close();
});

describe('embeddings', () => {
  const embedded = (n: number, usage: Json = { prompt_tokens: 7, total_tokens: 7 }): Answer => ({
    status: 200,
    body: {
      object: 'list',
      model: 'e',
      data: Array.from({ length: n }, (_, index) => ({ object: 'embedding', index, embedding: [index, 1] })),
      usage,
    },
  });
  async function embedder(...answers: Answer[]) {
    server = await provider(...answers);
    return createModel('offline', { EMBEDDING_MODEL: `openai:e@${server.url}/v1` });
  }
  test('go to the embedding model of the settings and are counted', async () => {
    const model = await embedder(embedded(2));
    expect(model.embeddingName).toBe('e');
    const reply = await embed(model, ['a', 'b']);
    expect(reply.vectors).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(reply.usages).toEqual([
      { input_tokens: 7, cached_input_tokens: 0, output_tokens: 0, thinking_tokens: 0 },
    ]);
    expect(server?.received[0]).toMatchObject({ path: '/v1/embeddings' });
    expect(server?.received[0]?.headers.authorization).toBeUndefined();
  });
  test('without usage count as unpriced', async () => {
    const model = await embedder(embedded(1, null));
    expect((await embed(model, ['a'])).usages).toEqual([null]);
  });
  test('that are throttled are transient', async () => {
    const model = await embedder({ status: 429, body: { error: { message: 'busy' } } });
    await expect(embed(model, ['a'])).rejects.toMatchObject({
      name: 'ModelError',
      transient: true,
    });
  });
  test('of no text make no call', async () => {
    const model = await embedder(embedded(0));
    expect(await embed(model, [])).toEqual({ vectors: [], usages: [] });
    expect(server?.received).toEqual([]);
  });
});

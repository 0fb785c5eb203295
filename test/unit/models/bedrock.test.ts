// The AI SDK path over the real client and a server that speaks Bedrock's Converse.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Json } from '#contract/json.ts';
import { createModel } from '#models/create-model.ts';
import { ask, companies, embed, noLimit } from './given.ts';
import { type Answer, type Provider, provider } from './wire.ts';

let server: Provider | undefined;
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
});

const verdicts = { verdicts: [{ index: 0, keep: true, score: 3 }] };
const USAGE = {
  inputTokens: 10,
  outputTokens: 5,
  totalTokens: 21,
  cacheReadInputTokens: 4,
  cacheWriteInputTokens: 2,
};
const COUNTED = { input_tokens: 16, cached_input_tokens: 4, output_tokens: 5, thinking_tokens: 0 };

function converse(input: Json, usage: Json | undefined = USAGE): Answer {
  const content = [{ toolUse: { toolUseId: 't1', name: 'json', input } }];
  return {
    status: 200,
    body: {
      output: { message: { role: 'assistant', content } },
      stopReason: 'tool_use',
      metrics: { latencyMs: 1 },
      ...(usage !== undefined && { usage }),
    },
  };
}

async function filterWith(answers: Answer[], signal = noLimit()) {
  server = await provider(...answers);
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', server.url);
  const model = createModel('bedrock:amazon.nova-micro-v1:0');
  expect(model.name).toBe('amazon.nova-micro-v1:0');
  return ask(model, 'filter', { instructions: 'Keep Berlin', items: companies.slice(0, 1) }, { signal });
}

describe('Bedrock', () => {
  test('is told up to where prompts are the same: after the instructions, and after the data', async () => {
    await filterWith([converse(verdicts)]);
    const { system, messages } = JSON.parse(server?.received[0]?.body ?? '');
    const mark = { cachePoint: { type: 'default' } };
    expect(system).toEqual([{ text: expect.stringContaining('data') }, mark]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { text: expect.stringMatching(/^<data>[\s\S]*<\/data>\n*$/) },
          mark,
          { text: expect.stringMatching(/^<request>/) },
        ],
      },
    ]);
  });

  test('is called once, signed, by the model id', async () => {
    const reply = await filterWith([converse(verdicts)]);
    expect(reply.output.verdicts).toEqual([{ keep: true, score: 1 }]);
    expect(server?.received).toHaveLength(1);
    expect(decodeURIComponent(server?.received[0]?.path ?? '')).toBe(
      '/model/amazon.nova-micro-v1:0/converse',
    );
    expect(server?.received[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//);
  });
  test('counts cache reads and writes as input, reads as cached', async () => {
    expect((await filterWith([converse(verdicts)])).usages).toEqual([COUNTED]);
  });
  test('repairs an answer that does not fit, and reports both physical calls', async () => {
    const reply = await filterWith([converse({ verdicts: [] }), converse(verdicts)]);
    expect(reply.usages).toEqual([COUNTED, COUNTED]);
  });
  test.each([429, 500, 503])('is transient with status %i', async (status) => {
    const answer = { status, body: { message: 'ThrottlingException' } };
    await expect(filterWith([answer])).rejects.toMatchObject({
      name: 'ModelError',
      transient: true,
      usages: [],
    });
    expect(server?.received).toHaveLength(1);
  });
  test.each([400, 403, 404, 424])('is final with status %i', async (status) => {
    await expect(filterWith([{ status, body: { message: 'no' } }])).rejects.toMatchObject({
      transient: false,
    });
  });
  test('that does not answer in time is transient', async () => {
    await expect(filterWith(['hang'], AbortSignal.timeout(50))).rejects.toMatchObject({ transient: true });
  });
  test('that cuts the connection is transient', async () => {
    await expect(filterWith(['drop'])).rejects.toMatchObject({ name: 'ModelError', transient: true });
  });
});

test('Bedrock embeddings: one call per text of Titan, each counted', async () => {
  server = await provider({ status: 200, body: { embedding: [1, 2], inputTextTokenCount: 3 } });
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', server.url);
  const model = createModel('offline', { EMBEDDING_MODEL: 'bedrock:amazon.titan-embed-text-v2:0' });
  const { vectors, usages } = await embed(model, ['a', 'b', 'c']);
  expect(vectors).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  expect(usages.map((usage) => usage?.input_tokens)).toEqual([3, 3, 3]);
  expect(server.received).toHaveLength(3);
});

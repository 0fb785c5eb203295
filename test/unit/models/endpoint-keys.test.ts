// rules.md: models 2. A key goes to its own endpoint and to no other address.
import { afterEach, describe, expect, test } from 'vitest';
import { createModel } from '#models/create-model.ts';
import { endpointOf } from '#models/endpoint.ts';
import { type KeyEnv, keyOf } from '#models/endpoint-keys.ts';
import { ask, companies, embed } from './given.ts';
import { type Provider, provider, said } from './wire.ts';

const servers: Provider[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
async function serving(...answers: Parameters<typeof provider>) {
  const server = await provider(...answers);
  servers.push(server);
  return server;
}

const one = { instructions: 'Keep Berlin', items: companies.slice(0, 1) };
const verdict = said({ verdicts: [{ index: 0, keep: true, score: 1 }] });
const vector = {
  status: 200,
  body: { object: 'list', data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } },
};
const keys = { MODEL_API_KEY: 'of-chat', EMBEDDING_API_KEY: 'of-embedding', OPENAI_API_KEY: 'of-openai' };
const sent = ({ received }: Provider) => received.map(({ headers }) => headers.authorization);

describe('a stranger', () => {
  test('over plain http never sees the key of OpenAI', async () => {
    const [chat, embedding] = [await serving(verdict), await serving(vector)];
    const env = { OPENAI_API_KEY: 'of-openai', EMBEDDING_MODEL: `openai:e@${embedding.url}/v1` };
    const model = createModel(`openai:m@${chat.url}/v1`, env);
    await ask(model, 'filter', one);
    await embed(model, ['a']);
    expect([sent(chat), sent(embedding)]).toEqual([[undefined], [undefined]]);
  });
  test.each([301, 302, 307, 308])('to whom a reply with status %i points is not asked', async (status) => {
    const stranger = await serving(verdict);
    const headers = { location: `${stranger.url}/v1/chat/completions` };
    const chat = await serving({ status, body: '', headers });
    const model = createModel(`openai:m@${chat.url}/v1`, keys);
    await expect(ask(model, 'filter', one)).rejects.toMatchObject({
      name: 'ModelError',
      transient: false,
      message: expect.stringContaining('redirects'),
    });
    expect([sent(chat), sent(stranger)]).toEqual([['Bearer of-chat'], []]);
  });
});

test('model and embedding each get their own key', async () => {
  const [chat, embedding] = [await serving(verdict), await serving(vector)];
  const model = createModel(`openai:m@${chat.url}/v1`, {
    ...keys,
    EMBEDDING_MODEL: `openai:e@${embedding.url}/v1`,
  });
  await ask(model, 'filter', one);
  await embed(model, ['a']);
  expect([sent(chat), sent(embedding)]).toEqual([['Bearer of-chat'], ['Bearer of-embedding']]);
});

describe('the key of', () => {
  const noSecret = () => Promise.reject(new Error('no secret'));
  const at = (base_url: string) => endpointOf({ provider: 'openai', model: 'm', base_url }, 'MODEL_API_KEY');
  const keyAt = (base_url: string, env: KeyEnv) => keyOf(at(base_url), env, noSecret);

  test.each([
    ['https://api.openai.com/v1', 'of-openai'],
    ['http://api.openai.com/v1', undefined],
    ['https://api.openai.com.evil.example/v1', undefined],
    ['https://api.openai.com:8443/v1', undefined],
    ['https://api.openai.com@evil.example/v1', undefined],
  ])('OpenAI goes to %s: %s', async (url, key) => {
    expect(await keyAt(url, { OPENAI_API_KEY: 'of-openai' })).toBe(key);
  });
  test('a setting comes before that of OpenAI', async () => {
    expect(await keyAt('https://api.openai.com/v1', keys)).toBe('of-chat');
  });

  const secret = (text: string, more: KeyEnv = {}) => ({
    of: (name: 'MODEL_API_KEY' | 'EMBEDDING_API_KEY') =>
      keyOf(
        endpointOf({ provider: 'openai', model: 'm', base_url: 'https://models.example/v1' }, name),
        { MODEL_API_KEY_SECRET_ARN: 'arn:key', ...more },
        async () => text,
      ),
  });
  test('a secret with one field an endpoint is that field', async () => {
    const { of } = secret(JSON.stringify({ MODEL_API_KEY: 'a', EMBEDDING_API_KEY: 'b' }));
    expect([await of('MODEL_API_KEY'), await of('EMBEDDING_API_KEY')]).toEqual(['a', 'b']);
  });
  test('a secret that is one key is that of the model, and of an embedding at the same host', async () => {
    const other = secret('a');
    const same = secret('a', { ONE_MODEL_HOST: 'true' });
    expect([await other.of('MODEL_API_KEY'), await other.of('EMBEDDING_API_KEY')]).toEqual(['a', undefined]);
    expect(await same.of('EMBEDDING_API_KEY')).toBe('a');
  });
});

// rules.md: clients 3. What is no key is not sent, and a lost connection says why.
import { expect, test } from 'vitest';
import { type ClientOptions, RunService } from '../../clients/sdk/index.ts';
import { BASE_URL, envelope } from './fake-service.ts';

/** A client whose requests get this answer, and the headers that it sends. */
function client(answer: () => Promise<Response>, options: Partial<ClientOptions>) {
  const sent: Headers[] = [];
  const fetcher: typeof fetch = (_, init) => {
    sent.push(new Headers(init?.headers));
    return answer();
  };
  return { sent, service: new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch: fetcher, ...options }) };
}

const ok = async () => new Response(JSON.stringify(envelope()));

test('an error of a lost connection says the address and every cause, without the query', async () => {
  const refusedBy = new Error('connect ECONNREFUSED 127.0.0.1:1');
  const both = Object.assign(new AggregateError([refusedBy]), { code: 'ECONNREFUSED', message: '' });
  for (const [cause, words] of [
    [refusedBy, refusedBy.message],
    [both, 'ECONNREFUSED'],
  ] as const) {
    const gone = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const { entities } = client(gone, { maxRetries: 0 }).service;
    const error = await entities.search({ query: 'secret' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: `GET ${BASE_URL}/entities: fetch failed: ${words}` });
  }
});

test('a key is trimmed; one with a character that no key has is refused before anything is sent', async () => {
  const { service, sent } = client(ok, { apiKey: '\ufeff sk_1\n' });
  await service.runs.get('1');
  expect(sent[0]?.get('authorization')).toBe('Bearer sk_1');
  for (const [apiKey, name] of [
    ['sk\u200b_1', 'U+200B'],
    ['Bearer sk_1', 'U+0020'],
    ['"sk_1"', 'U+0022'],
  ] as const)
    expect(() => client(ok, { apiKey })).toThrow(
      new TypeError(`The API key has a character that no key has: ${name}.`),
    );
});

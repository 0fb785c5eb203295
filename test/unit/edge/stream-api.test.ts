// The edge of streamed routes, on Lambda's own terms.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import type { StreamReader } from '#domain/events/limit-streams.ts';
import { lambdaContext, urlEvent } from '../../support/gateway-events.ts';
import { type Answer, response } from './lambda-stream.ts';

// Whether a token is good is tested with the tokens.
vi.mock('#domain/events/token.ts', () => ({ checkEventToken: async () => 'w' }));
Object.assign(process.env, { SITE_URL: 'http://127.0.0.1', POWERTOOLS_LOG_LEVEL: 'SILENT' });
const { api } = await import('#edge/api.ts');
const { byKeyWithCosts } = await import('#edge/bearer-key.ts');
const { edge } = await import('#edge/edge.ts');
const { renderError } = await import('#edge/render-error.ts');
const { reply } = await import('#edge/replies.ts');
const { router } = await import('#edge/router.ts');
const { byKeyOrToken } = await import('#edge/stream-reader.ts');
const { streamed } = await import('#edge/streamed.ts');
const { fail } = await import('#contract/errors.ts');
const { log } = await import('#platform/log.ts');

const run = '0b0f3f8e-6a0e-4f5e-9d55-0a3b2c1d4e5f';

/** The event of a function URL, with a request id. */
const event = (path: string, query = '', method = 'GET') =>
  urlEvent(path, { query, method, headers: { 'x-request-id': 'r-1' } });

type Invoke = (event: APIGatewayProxyEventV2, output: Answer['output'], context: object) => Promise<void>;
type Handler = Parameters<typeof api<'StreamEvents', { reader: StreamReader }>>[2];

const lambdaOf = (handle: Handler) =>
  streamed(
    router<'Stream'>({ StreamEvents: api('StreamEvents', byKeyOrToken, handle) }),
  ) as unknown as Invoke;

async function asks(handle: Handler, sent = event(`/api/v1/runs/${run}/events/stream`)): Promise<Answer> {
  const answer = response();
  await lambdaOf(handle)(sent, answer.output, {});
  return answer;
}

const nothing: Handler = async () => ({ status: 204, body: undefined });

test('a reply without a body still sends its status', async () => {
  const answer = await asks(nothing);
  expect(answer.head?.statusCode).toBe(204);
  expect(answer.body).toBe('');
});

test('what fails before the first frame is the envelope, readable from any origin', async () => {
  const answer = await asks(async () => {
    throw fail('auth_invalid');
  });
  expect(answer.head).toMatchObject({
    statusCode: 401,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'X-Request-Id': 'r-1',
    },
  });
  expect(JSON.parse(answer.body).error).toMatchObject({ code: 'auth_invalid', request_id: 'r-1' });
});

test('an answer is sent before the work that follows it is done, and the invocation lasts as long as that', async () => {
  const answer = response();
  let finish = () => {};
  const unfinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stack = edge(renderError).handler(async () => ({ ...reply(200, { done: 1 }), unfinished }));
  const invoke = streamed(stack) as unknown as Invoke;
  let over = false;
  const invoked = invoke(event('/'), answer.output, {}).then(() => {
    over = true;
  });
  await vi.waitFor(() => expect(answer.body).toBe('{"done":1}'));
  expect([answer.output.writableEnded, over]).toEqual([true, false]);
  finish();
  await invoked;
});

test('a route that may take long sends status, headers and body', async () => {
  const answer = response();
  const stack = api('CreateRun', byKeyWithCosts, async () => {
    throw new Error('nobody called');
  });
  const invoke = streamed(stack) as unknown as Invoke;
  await invoke(event('/api/v1/runs', '', 'POST'), answer.output, lambdaContext());
  expect(answer.head?.statusCode).toBe(401);
  expect(JSON.parse(answer.body).error.code).toBe('auth_missing');
});

test.each([
  ['another path', event('/anything')],
  ['a longer path', event(`/x/api/v1/runs/${run}/events/stream`)],
  ['another method', event(`/api/v1/runs/${run}/events/stream`, '', 'POST')],
])('a function URL asked for %s answers 404 not_found', async (_, sent) => {
  const answer = await asks(nothing, sent);
  expect(answer.head?.statusCode).toBe(404);
  expect(JSON.parse(answer.body).error.code).toBe('not_found');
});

test('a function URL takes the query parameters of its route, one value each, and no others', async () => {
  const path = `/api/v1/runs/${run}/events/stream`;
  let seen: unknown;
  const look: Handler = async ({ query, params }) => {
    seen = { ...query, ...params };
    return { status: 204, body: undefined };
  };
  await asks(look, event(path, 'event_token=a%2Bb'));
  expect(seen).toEqual({ event_token: 'a+b', id: run });
  for (const name of ['constructor', '__proto__'])
    expect(JSON.parse((await asks(look, event(path, `event_token=a&${name}=2`))).body).error).toMatchObject({
      code: 'schema_validation_failed',
      param: name,
    });
  const twice = await asks(look, event(path, 'event_token=a&event_token=b'));
  expect(JSON.parse(twice.body).error).toMatchObject({
    code: 'schema_validation_failed',
    param: 'event_token',
  });
});

test('pieces are taken no faster than the reader takes them', async () => {
  const answer = response(true);
  let made = 0;
  const many: Handler = async () => ({
    status: 200,
    stream: (async function* () {
      for (made = 1; made <= 100; made += 1) yield 'x'.repeat(64);
    })(),
  });
  const invoke = lambdaOf(many);
  const done = invoke(event(`/api/v1/runs/${run}/events/stream`), answer.output, {});
  await expect.poll(() => made).toBeGreaterThan(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(1);
  while (!answer.output.writableFinished) {
    answer.take();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  expect(answer.body.length).toBe(6400);
});

test('a stream without bytes sends its head (rules.md: exports 8)', async () => {
  const answer = await asks(async () => ({
    status: 200,
    headers: { 'X-Own': 'own' },
    stream: (async function* () {})(),
  }));
  expect(answer.head).toMatchObject({ statusCode: 200, headers: { 'X-Own': 'own' } });
  expect([answer.body, answer.output.writableFinished]).toEqual(['', true]);
});

test('a head leaves before the first byte of its stream is there (rules.md: exports 8)', async () => {
  const answer = response();
  const { promise, resolve } = Promise.withResolvers<void>();
  const late: Handler = async () => ({
    status: 200,
    headers: {},
    stream: (async function* () {
      await promise;
      yield 'late';
    })(),
  });
  const invoke = lambdaOf(late);
  const done = invoke(event(`/api/v1/runs/${run}/events/stream`), answer.output, {});
  await vi.waitFor(() => expect(answer.head?.statusCode).toBe(200));
  expect(answer.body).toBe('');
  resolve();
  await done;
  expect(answer.body).toBe('late');
});

test('a reply that fails before its head is logged (rules.md: exports 8)', async () => {
  const logged = vi.spyOn(log, 'error');
  const broken = streamed(async () => {
    throw new Error('no reply at all');
  }) as unknown as Invoke;
  const answer = response();
  await expect(broken(event('/'), answer.output, lambdaContext())).rejects.toThrow('no reply at all');
  expect(answer.head).toBeUndefined();
  expect(logged).toHaveBeenCalledWith('reply failed before its head', {
    error: expect.objectContaining({ message: 'no reply at all' }),
  });
  logged.mockRestore();
});

test('a failure in mid-stream is the failure of the invocation, so that the connection breaks and the client resumes', async () => {
  const broken: Handler = async () => ({
    status: 200,
    headers: {},
    stream: (async function* () {
      yield ':\n\n';
      throw new Error('table unreachable');
    })(),
  });
  await expect(asks(broken)).rejects.toThrow('table unreachable');
});

test('an environment is free with the last byte of a reply, whatever timers are left', async () => {
  const context = { callbackWaitsForEmptyEventLoop: true };
  await (streamed(edge(renderError).handler(() => reply(200, {}))) as unknown as Invoke)(
    event('/api/v1/runs', '', 'POST'),
    response().output,
    context,
  );
  expect(context.callbackWaitsForEmptyEventLoop).toBe(false);
});

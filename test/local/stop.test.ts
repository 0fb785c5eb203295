// The clean stop: requests in progress finish, new ones are asked to retry, and nothing fails because of it (rules.md:
// local 9).
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Started, startFixture } from './fixture/start.ts';

let started: Started;
beforeEach(async () => {
  started = await startFixture();
});
afterEach(() => started.end());

async function get(path: string, agent: Agent): Promise<IncomingMessage> {
  const request = httpRequest(`${started.runtime.base_url}${path}`, { agent }).end();
  const [response] = await once(request, 'response');
  return response;
}

/** Its status, the headers that a client acts on, and the error's code. */
async function summary(response: IncomingMessage) {
  const { code } = JSON.parse(await text(response)).error ?? {};
  return { status: response.statusCode, connection: response.headers.connection, code };
}

/** One connection, opened by a first request. */
async function keptConnection(): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await text(await get('/things/1', agent));
  return agent;
}

test('a request in flight is answered, one on an open connection is asked to retry, and a new one is not accepted', async () => {
  const kept = await keptConnection();
  const inHand = get('/things/1?mode=second', new Agent({ keepAlive: true }));
  await expect.poll(() => started.runtime.lambda.counts().Http).toBe(2);
  const stopped = started.runtime.stop();
  expect(await summary(await get('/things/1', kept))).toEqual({
    status: 503,
    connection: 'close',
    code: 'service_unavailable',
  });
  await expect(get('/things/1', new Agent())).rejects.toThrow('ECONNREFUSED');
  expect(await summary(await inHand)).toMatchObject({ status: 201, connection: 'close' });
  await stopped;
});

test('a request that outlasts the stop is asked to retry', async () => {
  const inHand = get('/things/1?mode=slow', new Agent());
  await expect.poll(() => started.runtime.lambda.counts().Http).toBe(1);
  const begunAt = Date.now();
  const stopped = started.runtime.stop();
  expect(await summary(await inHand)).toMatchObject({ status: 503, code: 'service_unavailable' });
  await stopped;
  expect(Date.now() - begunAt).toBeLessThan(5_000);
});

test('an event stream ends as one that has come to its end', async () => {
  const response = await get('/streams?mode=endless', new Agent());
  // Its head may have come alone.
  await once(response, 'readable');
  const body = text(response);
  await started.runtime.stop();
  expect(await body).toMatch(/^first\n(tick\n)*$/);
  expect(response.complete).toBe(true);
});

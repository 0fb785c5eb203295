// rules.md: local 13. Request bodies take bounded time and memory at the gateway, from any sender.
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { bodyReader } from '../../lib/local/api-gateway/bodies.ts';
import { type Started, startFixture } from './fixture/start.ts';

const MB = 1024 * 1024;
const LIMIT = 4.5 * MB;

let started: Started;
beforeAll(async () => {
  started = await startFixture();
});
afterAll(() => started.end());
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a POST with a body of this length, of which nothing is sent yet. */
function post(length: number) {
  const { hostname, port } = new URL(started.runtime.site_url);
  const socket = connect(Number(port), hostname);
  const reply = { text: '' };
  socket.setEncoding('utf8').on('data', (part) => {
    reply.text += part;
  });
  socket.on('error', () => {});
  socket.write(`POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, reply };
}

test('a body that is longer than the limit is answered 413 before it is read, and the connection closes', async () => {
  const { socket, reply } = post(LIMIT + 1);
  await once(socket, 'close');
  expect(reply.text).toMatch(/^HTTP\/1\.1 413 .*"payload_too_large"/s);
});

test('a body that is longer than functions read is not waited for, and nothing of it remains', async () => {
  const { outcome, sends } = arriving(bodyReader(LIMIT, MB), { 'content-length': String(MB + 1) });
  expect(await outcome).toBe(0);
  await sends(MB + 1);
});

test('a body that is not whole 20 s after its head is answered 408, and the connection closes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, reply } = post(10);
  socket.write('half');
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { interval: 1 });
  await vi.advanceTimersByTimeAsync(19_000);
  expect(reply.text).toBe('');
  await vi.advanceTimersByTimeAsync(1000);
  await vi.waitFor(() => expect(reply.text).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s), { interval: 1 });
  // The sender has two more seconds to end.
  await vi.advanceTimersByTimeAsync(2000);
  await once(socket, 'close');
});

/** A request whose body arrives as the test decides. */
function arriving(read: ReturnType<typeof bodyReader>, headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  const response = new ServerResponse(request);
  const body = read(request, response);
  return {
    outcome: body.then(
      (bytes) => bytes.length,
      (error) => error.answer.status,
    ),
    async sends(bytes: number) {
      request.push(Buffer.alloc(bytes));
      await new Promise((resolve) => setImmediate(resolve));
    },
    ends: () => request.push(null),
    isAnswered: () => response.emit('close'),
  };
}

test('the oldest incomplete bodies make room for new ones, and large ones never block a small one', async () => {
  const read = bodyReader(LIMIT, LIMIT);
  const slow = Array.from({ length: 17 }, () => arriving(read));
  for (const one of slow) await one.sends(4 * MB);
  const [oldest, ...others] = slow;
  expect(await oldest?.outcome).toBe(504);
  const small = arriving(read);
  await small.sends(10_000);
  small.ends();
  expect(await small.outcome).toBe(10_000);
  for (const one of others) one.ends();
  expect(await Promise.all(others.map(({ outcome }) => outcome))).toEqual(others.map(() => 4 * MB));
});

test('whole bodies keep their room until they are answered, and leave it then', async () => {
  const read = bodyReader(LIMIT, LIMIT);
  const whole = Array.from({ length: 16 }, () => arriving(read));
  for (const one of whole) {
    await one.sends(4 * MB);
    one.ends();
    expect(await one.outcome).toBe(4 * MB);
  }
  const next = async () => {
    const one = arriving(read);
    await one.sends(2 * MB);
    one.ends();
    return one.outcome;
  };
  expect(await next()).toBe(504);
  whole[0]?.isAnswered();
  expect(await next()).toBe(2 * MB);
});

test('a client that leaves takes its body with it', async () => {
  const read = bodyReader(LIMIT, LIMIT);
  const requests = Array.from({ length: 30 }, () => arriving(read));
  for (const one of requests) {
    await one.sends(4 * MB);
    one.isAnswered();
  }
  for (const one of requests.slice(0, 8)) one.ends();
  expect(await Promise.all(requests.slice(0, 8).map(({ outcome }) => outcome))).toEqual(
    Array(8).fill(4 * MB),
  );
});

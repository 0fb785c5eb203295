// rules.md: local 19. The key of the demo workspace goes to the console's own page on this machine, and nowhere else.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { isForDemoKey } from '../../lib/local/api-gateway/demo-key.ts';
import { isOfThisUser, usersIn } from '../../lib/local/api-gateway/from-this-machine.ts';
import { isLoopback } from '../../lib/local/host-check.ts';
import { type Started, startFixture } from './fixture/start.ts';

let started: Started;
beforeAll(async () => {
  started = await startFixture(() => {}, { demoKey: () => 'sk_demo' });
});
afterAll(() => started.end());

const byConsole = { 'sec-fetch-site': 'same-origin' };

async function ask(path: string, headers: Record<string, string>, method = 'POST') {
  const request = httpRequest(`${started.runtime.site_url}${path}`, { method, headers }).end();
  const [response] = await once(request, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test.each(['/console/demo-key', '/api/console/demo-key'])('the console gets it at %s', async (path) => {
  const { status, headers, body } = await ask(path, byConsole);
  expect([status, JSON.parse(body)]).toEqual([200, { api_key: 'sk_demo' }]);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test.each([
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 'POST'],
  ['a page of another port', { 'sec-fetch-site': 'same-site' }, 'POST'],
  ['an address that was typed', { 'sec-fetch-site': 'none' }, 'POST'],
  ['a program that is no browser', {}, 'POST'],
  ['a proxy', { ...byConsole, 'x-forwarded-for': '10.0.0.1' }, 'POST'],
  ['a link or an image', byConsole, 'GET'],
  ['a page under a rebound name', { ...byConsole, host: 'evil.example' }, 'POST'],
])('%s does not get it', async (_, headers, method) => {
  const { status, body } = await ask('/console/demo-key', headers, method);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body).not.toContain('sk_demo');
});

test('another machine does not get it, however it asks', () => {
  const from = (remoteAddress: string) =>
    isForDemoKey({
      method: 'POST',
      url: '/console/demo-key',
      headers: byConsole,
      socket: { remoteAddress },
    } as never);
  expect(from('192.0.2.7')).toBe(false);
  expect(from('::ffff:192.0.2.7')).toBe(false);
});

test('a service without a demo workspace has no such page', async () => {
  const without = await startFixture();
  onTestFinished(() => without.end());
  const answer = await fetch(`${without.runtime.site_url}/console/demo-key`, {
    method: 'POST',
    headers: byConsole,
  });
  expect(answer.status).toBeGreaterThanOrEqual(400);
});

test('the other end of a connection is seen to be of this user', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [IncomingMessage['socket']];
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  expect(isOfThisUser(socket)).toBe(true);
  // The kernel knows no such connection.
  if (process.platform === 'linux') expect(isOfThisUser({ remotePort: 1, localPort: 1 })).toBe(false);
});

test('the table of the kernel says whose a connection is', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2253 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
   1: 0100007F:D431 0100007F:2253 01 00000000:00000000 00:00000000 00000000  1001        0 2 1
   2: 0200007F:D431 0100007F:2253 01 00000000:00000000 00:00000000 00000000  1000        0 3 1
`;
  expect(usersIn(table, 0xd431, 0x2253)).toEqual([1001, 1000]);
  expect(usersIn(table, 0x2253, 0xd431)).toEqual([]);
  expect(usersIn('', 1, 2)).toEqual([]);
});

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.0.2.1', false],
])('a service that listens on %s is on loopback: %s', (host, is) => {
  expect(isLoopback(host)).toBe(is);
});

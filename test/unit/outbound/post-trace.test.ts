// rules.md: traces 4. What becomes of a trace by what its collector answers.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { postTrace } from '#outbound/post-trace.ts';

let server: Server;
const paths: (string | undefined)[] = [];
afterEach(() => {
  server.close();
  paths.length = 0;
});

async function collector(status: number): Promise<string> {
  server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(status, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${Object(server.address()).port}`;
}

test.each([
  [200, 'done'],
  [204, 'done'],
  [302, 'refused'],
  [400, 'refused'],
  [404, 'refused'],
  [429, 'later'],
  [503, 'later'],
])('%d: %s', async (status, outcome) => {
  expect(await postTrace(`${await collector(status)}/own/path`, {})).toBe(outcome);
  expect(paths).toEqual(['/own/path']);
});

test('a collector that does not answer is asked again later', async () => {
  const address = await collector(200);
  server.close();
  expect(await postTrace(address, {})).toBe('later');
});

test('a bare address is that of a collector, whose traces have their own path', async () => {
  expect(await postTrace(await collector(200), {})).toBe('done');
  expect(paths).toEqual(['/v1/traces']);
});

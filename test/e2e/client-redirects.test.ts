// A service that redirects its clients elsewhere: neither the key nor a body gets there.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConnectionError, RunService } from '../../clients/sdk/index.ts';
import { hasPython, python } from '../support/python.ts';

const STATUSES = [301, 302, 303, 307, 308];
const servers: Server[] = [];
/** What came to the other address. */
const elsewhere: string[] = [];
let status = 302;
let baseUrl = '';

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

beforeAll(async () => {
  const other = createServer((request, response) => {
    elsewhere.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  const front = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { location: `${address}${request.url}` }).end();
  });
  const address = await listening(other);
  baseUrl = `${await listening(front)}/api/v1`;
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});
beforeEach(() => {
  elsewhere.length = 0;
});

test.each(STATUSES)('the TypeScript client follows no redirect by %i (rules.md: clients 2)', async (by) => {
  status = by;
  const { runs, monitors, keys } = new RunService({ apiKey: 'sk', baseUrl });
  const calls = [
    runs.get('1'),
    runs.create({ input_type: 'query', query: 'q' }),
    monitors.update('1', { name: 'n' }),
    keys.revoke('1'),
    runs.watch('1').done(),
  ];
  for (const outcome of await Promise.allSettled(calls))
    expect(outcome).toEqual({ status: 'rejected', reason: expect.any(ConnectionError) });
  expect(elsewhere).toEqual([]);
});

test.runIf(hasPython).each(STATUSES)(
  'the Python client follows no redirect by %i (rules.md: clients 2)',
  async (by) => {
    status = by;
    const program = `
from run_service import Client, ConnectionError
with Client("sk", "${baseUrl}") as client:
    for call in (
        lambda: client.runs.get("1"),
        lambda: client.runs.create({"input_type": "query", "query": "q"}),
        lambda: client.monitors.update("1", name="n"),
        lambda: client.keys.revoke("1"),
        lambda: client.runs.watch("1").done(),
    ):
        try:
            call()
        except ConnectionError as error:
            print(error)
`;
    const said = await python(['-c', program]);
    expect(said.trim().split('\n')).toEqual(Array(5).fill(`HTTP ${by}: a redirect, which is not followed`));
    expect(elsewhere).toEqual([]);
  },
);

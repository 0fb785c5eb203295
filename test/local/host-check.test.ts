// The Host check: no name that a web page elsewhere rebinds to this machine reaches a server on it (rules.md: local 8).
import { once } from 'node:events';
import { request as httpRequest, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isForThisHost } from '../../lib/local/host-check.ts';
import { type Started, startFixture } from './fixture/start.ts';

let started: Started;
beforeAll(async () => {
  started = await startFixture();
});
afterAll(() => started.end());

/** A request with any Host header. */
async function ask(url: string, Host: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = httpRequest(url, { method, headers: { ...headers, Host } }).end();
  const [response] = await once(request, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test.each(['localhost', '127.0.0.1', '[::1]', 'localhost:1', 'LOCALHOST:8787', '127.0.0.1:99'])(
  'a request for %s is served',
  async (host) => {
    expect((await ask(`${started.runtime.base_url}/things/1`, host)).status).toBe(201);
  },
);

test.each([
  'evil.example',
  'evil.example:8787',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.1',
])('a request for "%s" is misdirected, on the API, on the pages and on function URLs', async (host) => {
  const { base_url, site_url } = started.runtime;
  for (const url of [`${base_url}/things/1`, `${site_url}/health`, `${site_url}/function-url/Stream/`]) {
    const { status, headers, body } = await ask(url, host);
    expect(status).toBe(421);
    expect(JSON.parse(body).error).toEqual({
      code: 'misdirected_request',
      type: 'invalid_request',
      message: 'The request is for another host.',
      doc_url: `${site_url}/docs/errors#misdirected_request`,
      request_id: headers['x-request-id'],
    });
  }
});

test('an address that a request came to is served there, and nowhere else, again and again', () => {
  const asks = (localAddress: string) =>
    isForThisHost(
      Object.assign(new IncomingMessage(new Socket()), {
        headers: { host: '192.0.2.1:8787' },
        socket: { localAddress },
      }),
      '0.0.0.0',
    );
  for (let i = 0; i < 3; i += 1) {
    expect(asks('192.0.2.1')).toBe(true);
    expect(asks('::ffff:192.0.2.1')).toBe(true);
    expect(asks('192.0.2.2')).toBe(false);
  }
});

test('the endpoint of the functions refuses other hosts too, and gives no page leave to ask', async () => {
  const { lambda_endpoint: url, access_key_id } = started.runtime.operator;
  const authorization = `AWS4-HMAC-SHA256 Credential=${access_key_id}/20260101/us-east-1/dynamodb/aws4_request`;
  const misdirected = await ask(url, 'evil.example', { authorization });
  expect([misdirected.status, JSON.parse(misdirected.body).__type]).toEqual([421, 'MisdirectedRequest']);
  const asking = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
  const preflight = await ask(url, new URL(url).host, asking, 'OPTIONS');
  expect(preflight.status).toBe(403);
  expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
});

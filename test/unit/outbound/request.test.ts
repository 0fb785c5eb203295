// One request to every kind of server: its outcome, and that nothing delays it beyond the deadline.
import { once } from 'node:events';
import { connect as openPlain, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exchange } from '#outbound/exchange.ts';
import { OutboundError } from '#outbound/failure.ts';
import { createOutbound, type OutboundRequest } from '#outbound/request.ts';
import { answering, anywhere, type Receiver, receiver, repeating, response } from './receivers.ts';

const { send } = createOutbound({ policy: anywhere });
const post = { method: 'POST', headers: { 'X-Test': 'yes' }, body: '{"a":1}', timeoutMs: 5_000 } as const;
const pull = { method: 'GET', headers: {}, timeoutMs: 5_000, readBodyBytes: 1_000 } as const;
const shortly = 150;

function to(server: Receiver, request: Omit<OutboundRequest, 'url'> = post) {
  return send({ ...request, url: server.url });
}

test('the request arrives byte by byte, with Host, the given headers and one connection', async () => {
  let seen = '';
  const server = await receiver((socket, head) => {
    seen = head;
    socket.write(response(200));
  });
  const body = '{"text":"ü\\u0000", "spaced":  1}';
  const outcome = await to(server, { ...post, body });
  expect(outcome).toEqual({ kind: 'response', status: 200, duration_ms: expect.any(Number) });
  const [head = '', sent = ''] = seen.split('\r\n\r\n');
  expect(Buffer.from(sent, 'latin1').toString()).toBe(body);
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'POST /cb HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'X-Test: yes',
      'connection: close',
    ]),
  );
});

describe('the status line decides', () => {
  test.each([200, 201, 204, 301, 302, 303, 307, 308, 400, 401, 404, 408, 410, 429, 500, 502, 503, 504])(
    '%i',
    async (status) => {
      const server = await receiver(answering(response(status, '', ['Location: http://169.254.169.254/'])));
      expect(await to(server)).toMatchObject({ kind: 'response', status });
      await server.closed;
      expect(server.connections()).toBe(1);
    },
  );
});

test('a body that never ends is not read and the connection is closed', async () => {
  const server = await receiver(repeating('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(10_000)));
  expect(await to(server)).toMatchObject({ kind: 'response', status: 200 });
  await server.closed;
});

test('early hints before the answer do not matter', async () => {
  const server = await receiver(answering(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${response(500)}`));
  expect(await to(server)).toMatchObject({ kind: 'response', status: 500 });
});

test('an unrequested Continue is ignored', async () => {
  const server = await receiver(answering(`HTTP/1.1 100 Continue\r\n\r\n${response(202)}`));
  expect(await to(server)).toMatchObject({ kind: 'response', status: 202 });
});

test('an offer to upgrade with an answer is not an upgrade', async () => {
  const offer = response(200, '', ['Upgrade: h2,h2c', 'Connection: Upgrade, close']);
  expect(await to(await receiver(answering(offer)))).toMatchObject({ kind: 'response', status: 200 });
});

test('an answer to a body that was not read whole counts', async () => {
  const server = await receiver((socket) => {
    socket.write(response(413), () => socket.resetAndDestroy());
  });
  const outcome = await to(server, { ...post, body: 'x'.repeat(300_000) });
  expect(outcome).toMatchObject({ kind: 'response', status: 413 });
});

test('a reset after the headers leaves the status standing', async () => {
  const server = await receiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', () => socket.resetAndDestroy());
  });
  expect(await to(server)).toMatchObject({ kind: 'response', status: 200 });
});

describe('a server that gives no answer is a failure by its code', () => {
  test('refused', async () => {
    expect(await send({ ...post, url: 'http://127.0.0.1:1/' })).toMatchObject({
      kind: 'failed',
      error: 'ECONNREFUSED',
    });
  });

  test('reset before the headers', async () => {
    const server = await receiver((socket) => void socket.resetAndDestroy());
    expect(await to(server)).toMatchObject({ kind: 'failed', error: 'ECONNRESET' });
    expect(server.connections()).toBe(1);
  });

  test('closed without an answer, and not asked again', async () => {
    const server = await receiver((socket) => void socket.end());
    expect(await to(server, pull)).toMatchObject({ kind: 'failed', error: 'UND_ERR_SOCKET' });
    expect(server.connections()).toBe(1);
  });

  test('no HTTP at all', async () => {
    const server = await receiver(answering('SSH-2.0-OpenSSH_9.9\r\n'));
    expect(await to(server)).toMatchObject({ kind: 'failed', error: 'invalid_http' });
  });

  test('an unrequested switch of protocols', async () => {
    const server = await receiver(answering('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'));
    expect(await to(server)).toMatchObject({ kind: 'failed', error: 'UND_ERR_SOCKET' });
  });

  test.each(['000', '099', '101', '20', '1000'])('a status that no answer can have: %s', async (status) => {
    const server = await receiver(answering(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
    expect(await to(server)).toMatchObject({ kind: 'failed', error: 'invalid_http' });
  });

  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2'],
    ['a line break without its first half', 'X: y\nContent-Length: 2'],
    ['a folded header', 'X: y\r\n z\r\nContent-Length: 2'],
    ['a space before the colon', 'X : y\r\nContent-Length: 2'],
  ])('a head that two readers could understand in two ways: %s', async (_case, headers) => {
    const server = await receiver(answering(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\nok`));
    expect(await to(server)).toMatchObject({ kind: 'failed', error: 'invalid_http' });
  });

  test('a connection that was closed before the request', async () => {
    const closed = new Socket().destroy();
    const asked = exchange(closed, new URL('http://hooks.example.com/'), post);
    await expect(asked).rejects.toMatchObject({ code: 'connection_closed' });
  });

  test('headers without end', async () => {
    const server = await receiver(repeating('HTTP/1.1 200 OK\r\n', `X-More: ${'x'.repeat(5_000)}\r\n`));
    expect(await to(server)).toMatchObject({ kind: 'failed', error: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  test('a name that does not resolve', async () => {
    const lost = createOutbound({ lookup: () => Promise.reject(new OutboundError('ENOTFOUND')) });
    const outcome = await lost.send({ ...post, url: 'https://gone.example/' });
    expect(outcome).toMatchObject({ kind: 'failed', error: 'ENOTFOUND' });
  });

  test('a name without addresses', async () => {
    const empty = createOutbound({ lookup: async () => [] });
    expect(await empty.send({ ...post, url: 'https://gone.example/' })).toMatchObject({ error: 'ENOTFOUND' });
  });

  test('a header that cannot be sent', async () => {
    const server = await receiver(answering(response(200)));
    const outcome = await to(server, { ...post, headers: { 'X-Test': 'a\r\nb: c' } });
    expect(outcome).toMatchObject({ kind: 'failed', error: 'UND_ERR_INVALID_ARG' });
  });

  test('an error without a code reveals nothing of its text', async () => {
    const broken = createOutbound({ lookup: () => Promise.reject(new Error('secret inside')) });
    expect(await broken.send({ ...post, url: 'https://a.example/' })).toMatchObject({
      kind: 'failed',
      error: 'unknown',
    });
  });
});

describe('the deadline is one for all and cuts', () => {
  const timeout = { kind: 'failed', error: 'timeout' };

  test('a resolver that hangs', async () => {
    const stuck = createOutbound({ lookup: () => new Promise(() => undefined) });
    expect(await stuck.send({ ...post, url: 'https://a.example/', timeoutMs: shortly })).toMatchObject(
      timeout,
    );
  });

  test('a TLS handshake that hangs', async () => {
    const server = await receiver(() => undefined);
    const outcome = await send({ ...post, url: server.url.replace('http:', 'https:'), timeoutMs: shortly });
    expect(outcome).toMatchObject(timeout);
    await server.closed;
  });

  test('a signal that fires ends the request, and the connection', async () => {
    const caller = new AbortController();
    const server = await receiver(() => caller.abort());
    const outcome = await to(server, { ...post, signal: caller.signal });
    expect(outcome).toMatchObject({ kind: 'failed', error: 'aborted' });
    await server.closed;
  });

  test('a server that is silent', async () => {
    const server = await receiver(() => undefined);
    expect(await to(server, { ...post, timeoutMs: shortly })).toMatchObject(timeout);
    await server.closed;
  });

  test('headers dripped byte by byte', async () => {
    const server = await receiver(repeating('HTTP/1.1 200 OK\r\nX-Drip: ', 'x'));
    expect(await to(server, { ...post, timeoutMs: shortly })).toMatchObject(timeout);
    await server.closed;
  });

  test('a body dripped to a reader', async () => {
    const server = await receiver(repeating('HTTP/1.1 200 OK\r\n\r\n', 'x'));
    expect(await to(server, { ...pull, timeoutMs: shortly })).toMatchObject(timeout);
    await server.closed;
  });

  test('interim answers dripped', async () => {
    const server = await receiver(answering('HTTP/1.1 102 Processing\r\n\r\n'));
    expect(await to(server, { ...post, timeoutMs: shortly })).toMatchObject(timeout);
    await server.closed;
  });
});

test('a flood of interim answers is cut before the deadline', async () => {
  const server = await receiver(answering('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000) + response(200)));
  expect(await to(server)).toMatchObject({ kind: 'failed', error: 'too_many_informational' });
  await server.closed;
});

describe('pull mode', () => {
  test('reads the body up to the limit and asks for no encoding', async () => {
    let seen = '';
    const server = await receiver((socket, head) => {
      seen = head;
      socket.write(response(200, 'x'.repeat(1_000)));
    });
    const outcome = await to(server, pull);
    expect(outcome).toMatchObject({ kind: 'response', status: 200, body: Buffer.from('x'.repeat(1_000)) });
    expect(seen).toContain('accept-encoding: identity');
  });

  test('gives up at the first byte over the limit, whatever length was declared', async () => {
    const server = await receiver(answering(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_001)}`));
    expect(await to(server, pull)).toMatchObject({ kind: 'failed', error: 'body_too_large' });
    await server.closed;
  });

  test('does not unpack a compressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000)).toString('latin1');
    const server = await receiver((socket) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
      socket.write(head + bomb, 'latin1');
    });
    expect(await to(server, pull)).toMatchObject({ kind: 'failed', error: 'content_encoding' });
  });

  test('a body shorter than declared is a failure', async () => {
    const server = await receiver(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort'),
    );
    expect(await to(server, pull)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/^UND_ERR_/),
    });
  });
});

describe('a body in pull mode ends where HTTP defines it', () => {
  test.each([
    ['after its length, whatever follows', 'Content-Length: 2\r\n\r\nokHTTP/1.1 500 X\r\n\r\n'],
    [
      'after its length, whatever follows a last answer',
      'Connection: close\r\nContent-Length: 2\r\n\r\nokno',
    ],
    ['with the last chunk', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n'],
    ['with the connection', '\r\nok'],
  ])('%s', async (_case, rest) => {
    const server = await receiver((socket) => void socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    expect(await to(server, pull)).toMatchObject({ kind: 'response', body: Buffer.from('ok') });
  });

  test.each([
    ['a chunk that never came', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n', 'UND_ERR_SOCKET'],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n', 'invalid_http'],
  ])('and is a failure without that end: %s', async (_case, rest, error) => {
    const server = await receiver((socket) => void socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    expect(await to(server, pull)).toMatchObject({ kind: 'failed', error });
  });

  test('a reset is not such an end', async () => {
    const server = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nhalf', () => socket.resetAndDestroy());
    });
    expect(await to(server, pull)).toMatchObject({ kind: 'failed', error: 'ECONNRESET' });
  });
});

test('a connection that ended up elsewhere gets no request', async () => {
  let asked = false;
  const elsewhere = await receiver(() => {
    asked = true;
  });
  const connect = async () => {
    const socket = openPlain(elsewhere.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const lookup = async () => ['93.184.216.34'];
  const { send } = createOutbound({ connect, lookup });
  const outcome = await send({ ...post, url: 'https://hooks.example.com/' });
  expect(outcome).toMatchObject({ kind: 'failed', error: 'address_mismatch' });
  await elsewhere.closed;
  expect(asked).toBe(false);
});

test('the second of two addresses is used when the first refuses', async () => {
  const server = await receiver(answering(response(200)), '127.0.0.3');
  const { send } = createOutbound({ policy: anywhere, lookup: async () => ['::1', '127.0.0.3'] });
  const outcome = await send({ ...post, url: `http://hooks.example.com:${server.port}/` });
  expect(outcome).toMatchObject({ kind: 'response', status: 200 });
});

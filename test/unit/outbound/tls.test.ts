// TLS to a checked address: the name is what is verified and sent, never the address.
import { createServer, type TlsOptions } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { createConnect } from '#outbound/connect.ts';
import { createOutbound } from '#outbound/request.ts';
import { expired, good, key } from './certificates.ts';
import { anywhere, listening, response } from './receivers.ts';

const post = { method: 'POST', headers: {}, body: '{}', timeoutMs: 5_000 } as const;

/** A TLS server on loopback that notes the name it was asked for and the request it got. */
async function secureReceiver(options: TlsOptions) {
  const seen = { servername: '', request: '' };
  const noteName: TlsOptions['SNICallback'] = (servername, callback) => {
    seen.servername = servername;
    callback(null);
  };
  const server = createServer({ key, SNICallback: noteName, ...options }, (socket) => {
    socket.on('data', (chunk) => {
      seen.request += chunk;
      socket.write(response(200));
    });
    socket.on('error', () => undefined);
  });
  return { port: await listening(server, '127.0.0.1', 0), seen };
}

function trusting(ca?: string) {
  const lookup = async () => ['127.0.0.1'];
  return createOutbound({ policy: anywhere, lookup, connect: createConnect(ca === undefined ? {} : { ca }) });
}

test('the name goes into SNI, Host and the check of the certificate', async () => {
  const { port, seen } = await secureReceiver({ cert: good });
  const outcome = await trusting(good).send({ ...post, url: `https://hooks.example.com.:${port}/cb` });
  expect(outcome).toMatchObject({ kind: 'response', status: 200 });
  expect(seen.servername).toBe('hooks.example.com');
  expect(seen.request).toContain(`host: hooks.example.com.:${port}`);
});

test('a certificate for an address serves a URL with that address', async () => {
  const { port, seen } = await secureReceiver({ cert: good });
  const outcome = await trusting(good).send({ ...post, url: `https://127.0.0.1:${port}/cb` });
  expect(outcome).toMatchObject({ kind: 'response', status: 200 });
  expect(seen.servername).toBe('');
});

describe('no request is sent over a connection that cannot be trusted', () => {
  test.each([
    ['a certificate nobody vouches for', good, undefined, 'hooks.example.com', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['an expired certificate', expired, expired, 'hooks.example.com', 'CERT_HAS_EXPIRED'],
    ['a certificate for another name', good, good, 'other.example.com', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('%s', async (_case, cert, ca, host, error) => {
    const { port, seen } = await secureReceiver({ cert });
    const outcome = await trusting(ca).send({ ...post, url: `https://${host}:${port}/cb` });
    expect(outcome).toMatchObject({ kind: 'failed', error });
    expect(seen.request).toBe('');
  });

  test('an old version of TLS', async () => {
    const { port } = await secureReceiver({ cert: good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
    const outcome = await trusting(good).send({ ...post, url: `https://hooks.example.com:${port}/cb` });
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringMatching(/^ERR_SSL_|ECONNRESET/) });
  });
});

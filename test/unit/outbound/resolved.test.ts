// Resolved names: every address counts, and only checked addresses are called.
import { describe, expect, test } from 'vitest';
import { addressPolicy } from '#outbound/address-policy.ts';
import type { Target } from '#outbound/connect.ts';
import { OutboundError } from '#outbound/failure.ts';
import { checkResolved, type Lookup, lookupAll } from '#outbound/foreign-url.ts';
import { createOutbound } from '#outbound/request.ts';
import { answering, anywhere, receiver, response } from './receivers.ts';
import { accepted, refused } from './url-spellings.ts';

const url = new URL('https://hooks.example.com/cb');
const post = { method: 'POST', headers: {}, body: '{}', timeoutMs: 5_000 } as const;
const publicV4 = '93.184.216.34';
const publicV6 = '2606:4700:4700::1111';

/** A connector that notes where it is sent and goes nowhere. */
function notedConnector() {
  const targets: Target[] = [];
  const connect = async (target: Target) => {
    targets.push(target);
    throw new OutboundError('ECONNREFUSED');
  };
  return { targets, connect };
}

/** Answers each look-up with the next list, the last one for ever. */
function flipping(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  const lookup: Lookup = async () => answers[Math.min(asked++, answers.length - 1)] ?? [];
  return { lookup, asked: () => asked };
}

const inward: readonly (readonly string[])[] = [
  [publicV4, '10.0.0.5'],
  ['10.0.0.5', publicV4],
  [publicV6, publicV4, '127.0.0.1'],
  ['::1'],
  ['::ffff:10.0.0.1'],
  ['::ffff:8.8.8.8'],
  ['64:ff9b::a9fe:a9fe'],
  ['0.0.0.0'],
  ['100.100.100.200'],
  ['10.1.2.3'],
  ['fe80::1%eth0'],
  ['2606:4700:4700::1111%eth0'],
  ['169.254.169.254'],
  ['0x7f.1'],
  ['not an address'],
];

describe('a name with one inward address is refused', () => {
  test.each(inward)('%j %j %j', async (...addresses) => {
    const answer = addresses.filter((address) => address !== undefined);
    expect(await checkResolved(url, async () => answer)).toEqual({ ok: false, reason: 'private_address' });
  });
});

test('a name with public addresses only is accepted', async () => {
  expect(await checkResolved(url, async () => [publicV4, publicV6])).toEqual({ ok: true, url });
});

test('a name that does not resolve is accepted, to be judged again at delivery', async () => {
  const lookup = () => Promise.reject(new OutboundError('ENOTFOUND'));
  expect(await checkResolved(url, lookup)).toEqual({ ok: true, url });
});

test('a resolver that never answers does not block the caller', async () => {
  expect(await checkResolved(url, () => new Promise(() => undefined))).toEqual({ ok: true, url });
});

test('an address in the URL is judged without asking a resolver', async () => {
  const { lookup, asked } = flipping([publicV4]);
  expect(await checkResolved(new URL('https://10.0.0.1/'), lookup)).toMatchObject({ ok: false });
  expect(asked()).toBe(0);
});

test('the system resolver is asked for all addresses', async () => {
  expect(await lookupAll('127.0.0.1')).toEqual(['127.0.0.1']);
});

test('at delivery every refused spelling is blocked before any look-up or connection', async () => {
  const { targets, connect } = notedConnector();
  const { lookup, asked } = flipping([publicV4]);
  const { send } = createOutbound({ lookup, connect });
  for (const [reason, spellings] of Object.entries(refused)) {
    for (const raw of spellings) {
      expect(await send({ ...post, url: raw })).toMatchObject({ kind: 'blocked', reason });
    }
  }
  expect(asked()).toBe(0);
  expect(targets).toEqual([]);
});

test('at delivery every accepted spelling is connected to at public addresses', async () => {
  const { targets, connect } = notedConnector();
  const { send } = createOutbound({ lookup: async () => [publicV4, publicV6], connect });
  for (const raw of accepted) await send({ ...post, url: raw });
  expect(targets).toHaveLength(accepted.length);
  const addresses = targets.flatMap((target) => target.addresses);
  expect(addresses.filter((address) => !addressPolicy.allowsAddress(address, address))).toEqual([]);
});

test('spellings of loopback reach no listener there', async () => {
  const v4 = await receiver(answering(response(200)));
  const v6 = await receiver(answering(response(200)), '::1', v4.port);
  const { send } = createOutbound();
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.1',
    '127。0。0。1',
    '[::1]',
    '[::ffff:7f00:1]',
    '0',
    'localhost',
  ];
  for (const host of hosts) {
    expect(await send({ ...post, url: `https://${host}:${v4.port}/` })).toMatchObject({ kind: 'blocked' });
  }
  expect([v4.connections(), v6.connections()]).toEqual([0, 0]);
});

test('a name that is public at creation and inward at delivery is blocked, 200 times over', async () => {
  const v4 = await receiver(answering(response(200)));
  const v6 = await receiver(answering(response(200)), '::1', v4.port);
  const here = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.2', '0.0.0.0', '::'];
  const target = `https://hooks.example.com:${v4.port}/cb`;
  for (let flip = 0; flip < 200; flip += 1) {
    const bad = here[flip % here.length] ?? '::1';
    const { lookup } = flipping([publicV4], flip % 2 === 0 ? [bad] : [publicV6, bad]);
    expect(await checkResolved(new URL(target), lookup)).toMatchObject({ ok: true });
    const outcome = await createOutbound({ lookup }).send({ ...post, url: target });
    expect(outcome).toMatchObject({ kind: 'blocked', reason: 'private_address' });
  }
  expect([v4.connections(), v6.connections()]).toEqual([0, 0]);
});

test('a name that turns inward right after the check is still called at the checked address, 200 times over', async () => {
  // 127.0.0.2 plays the public address, 127.0.0.1 and ::1 the inside.
  const outside = await receiver((socket) => void socket.end(response(204)), '127.0.0.2');
  const v4 = await receiver(answering(response(200)), '127.0.0.1', outside.port);
  const v6 = await receiver(answering(response(200)), '::1', outside.port);
  const policy = { ...anywhere, allowsAddress: (address: string) => address === '127.0.0.2' };
  for (let flip = 0; flip < 200; flip += 1) {
    const { lookup, asked } = flipping(['127.0.0.2'], [flip % 2 === 0 ? '127.0.0.1' : '::1']);
    const { send } = createOutbound({ lookup, policy });
    const outcome = await send({ ...post, url: `http://hooks.example.com:${outside.port}/cb` });
    expect(outcome).toMatchObject({ kind: 'response', status: 204 });
    expect(asked()).toBe(1);
  }
  expect([outside.connections(), v4.connections(), v6.connections()]).toEqual([200, 0, 0]);
});

test('the connector gets the checked addresses and the name, and is asked once', async () => {
  const { targets, connect } = notedConnector();
  const { send } = createOutbound({ lookup: async () => [publicV4, publicV6], connect });
  await send({ ...post, url: 'https://Hooks.Example.com.:8443/cb' });
  expect(targets).toEqual([
    { secure: true, host: 'hooks.example.com', port: 8443, addresses: [publicV4, publicV6] },
  ]);
});

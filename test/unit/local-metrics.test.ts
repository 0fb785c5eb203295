// rules.md: local 16. Who may read the metrics.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isForMetrics } from '../../lib/local/api-gateway/metrics-page.ts';

function asked(remoteAddress: string, more: Partial<IncomingMessage> = {}): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  return Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/metrics', ...more });
}

test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
  'a program on this machine: %s',
  (address) => {
    expect(isForMetrics(asked(address))).toBe(true);
    expect(isForMetrics(asked(address, { url: '/metrics/x' }))).toBe(false);
    expect(isForMetrics(asked(address, { method: 'POST' }))).toBe(false);
  },
);

test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-port', 'via', 'x-real-ip', 'cf-connecting-ip'])(
  'nor one behind a proxy that sends %s',
  (name) => {
    expect(isForMetrics(asked('127.0.0.1', { headers: { [name]: '' } }))).toBe(false);
    expect(isForMetrics(asked('127.0.0.1', { headers: { host: '127.0.0.1' } }))).toBe(true);
  },
);

test.each(['192.168.1.7', '::2', '::ffff:10.0.0.1', '', '127.0.0.1.example'])('no other: %j', (address) => {
  expect(isForMetrics(asked(address))).toBe(false);
});

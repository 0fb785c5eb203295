// What `--allow-local-callbacks` adds to the public rules, and that it adds no more.
import { expect, test } from 'vitest';
import { checkResolved, checkUrl } from '#outbound/foreign-url.ts';
import { loopbackToo } from '../../../lib/local/cli/loopback-address-policy.ts';
import { accepted, refused } from './url-spellings.ts';

function judge(raw: string): string {
  const verdict = checkUrl(raw, loopbackToo);
  return verdict.ok ? 'accepted' : verdict.reason;
}

const here = [
  '127.0.0.1:3000/cb',
  '127.255.0.1/',
  '127.1/',
  '[::1]:3000/',
  'localhost:3000/cb',
  'LOCALHOST./',
];

test.each(here)('http and https on loopback are accepted: %s', (rest) => {
  expect(judge(`http://${rest}`)).toBe('accepted');
  expect(judge(`https://${rest}`)).toBe('accepted');
});

test.each([
  ['http://hooks.example.com/', 'not_https'],
  ['http://10.0.0.1/', 'not_https'],
  ['http://[::ffff:127.0.0.1]/', 'not_https'],
  ['ftp://127.0.0.1/', 'not_https'],
  ['http://user@127.0.0.1/', 'invalid_url'],
  ['http://127.0.0.1:0/', 'invalid_url'],
  ['http:127.0.0.1/', 'invalid_url'],
  ['https://10.0.0.1/', 'private_address'],
  ['https://[::ffff:127.0.0.1]/', 'private_address'],
  ['https://0.0.0.0/', 'private_address'],
  ['https://169.254.169.254/', 'private_address'],
  ['https://printer.local/', 'private_address'],
])('nothing else is: %s', (raw, reason) => {
  expect(judge(raw)).toBe(reason);
});

test('public URLs stay accepted and all others stay refused', () => {
  expect(accepted.filter((raw) => judge(raw) !== 'accepted')).toEqual([]);
  const nowAccepted = Object.values(refused)
    .flat()
    .filter((raw) => judge(raw) === 'accepted')
    .map((raw) => new URL(raw).hostname.replace(/\.$/, ''));
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
  expect(nowAccepted.filter((host) => !loopback.test(host))).toEqual([]);
});

test('localhost may resolve to loopback only', async () => {
  const url = new URL('http://localhost:3000/');
  expect(await checkResolved(url, async () => ['127.0.0.1', '::1'], loopbackToo)).toMatchObject({ ok: true });
  expect(await checkResolved(url, async () => ['10.0.0.1'], loopbackToo)).toMatchObject({ ok: false });
});

test('a public name that resolves to loopback stays refused', async () => {
  const url = new URL('https://localtest.me/');
  expect(await checkResolved(url, async () => ['127.0.0.1'], loopbackToo)).toMatchObject({ ok: false });
});

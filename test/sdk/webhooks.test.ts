// Verifying webhooks: what the service signs is believed, anything else is refused with its reason.
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fixtures,
  type SignatureHeader,
  secretOf,
  sign,
  type VerifyOptions,
  verify,
  WebhookError,
} from '../../clients/sdk/index.ts';
import { webhookHeaders } from '../../functions/domain/webhooks/sign.ts';
import recorded from './deliveries.json' with { type: 'json' };

const apiKey = 'sk_key';
const secretHex = await secretOf(apiKey);
const body = JSON.stringify({ event_id: 'evt_1', run_id: 'ü' });
const T = 1_800_000_000;
const headers = webhookHeaders(
  { eventId: 'evt_1', apiVersion: '2026-11-20', traceparent: '' },
  { secretsHex: [secretHex], body: Buffer.from(body), timestampSeconds: T },
);
const own = headers['X-Service-Signature'] ?? '';
const { 'X-Service-Signature': _, ...standard } = headers;
const now = T * 1000;

const reasonOf = (text: string | Uint8Array, header: SignatureHeader, options: VerifyOptions = { now }) =>
  verify(text, header, { apiKey }, options).then(
    () => 'accepted',
    (error) => (error instanceof WebhookError ? error.reason : String(error)),
  );

test('a delivery is accepted by either form of header, from text or bytes, by key or secret', async () => {
  const parsed = JSON.parse(body);
  const forms = [
    own,
    headers,
    new Headers(headers),
    standard,
    new Headers(standard),
    { 'x-service-signature': [own] },
  ];
  for (const header of forms)
    for (const key of [{ apiKey }, { secret: secretHex }, [{ apiKey: 'new' }, { apiKey }]])
      for (const text of [body, new TextEncoder().encode(body)])
        expect(await verify(text, header, key, { now })).toEqual(parsed);
});

test('a signed body has the headers that the service sends, and is believed', async () => {
  for (const key of [{ apiKey }, { secret: secretHex }]) {
    const signed = await sign(body, key, { now });
    const traceparent = signed.traceparent ?? '';
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(signed).toEqual({ ...headers, 'X-Service-Api-Version': '', traceparent });
    expect(await verify(body, new Headers(signed), { apiKey }, { now })).toEqual(JSON.parse(body));
  }
  expect(await reasonOf(`${body} `, await sign(body, { apiKey }, { now }))).toBe('mismatch');
});

test('a fixture is signed as its delivery', async () => {
  const sent = JSON.stringify(fixtures.webhooks['run.failed']);
  const signed = await sign(sent, { apiKey });
  const { event_id, api_version, run_id } = fixtures.webhooks['run.failed'];
  expect(signed).toMatchObject({ 'X-Service-Event-Id': event_id, 'X-Service-Api-Version': api_version });
  expect(signed.traceparent).toContain(run_id.replaceAll('-', ''));
  expect(await verify(sent, signed, { apiKey })).toEqual(fixtures.webhooks['run.failed']);
});

test.each(['', 'no JSON', '[]', 'null', '{"event_id":7}'])('any text can be signed: %s', async (text) => {
  const signed = await sign(text, { apiKey }, { now });
  expect(signed['webhook-id']).toBe('evt_test');
  expect(signed.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(await reasonOf(text, signed)).toMatch(/^accepted$|^SyntaxError/);
});

test.each([[{ apiKey: undefined }], [{ apiKey: ' ' }], [{ secret: '' }]])(
  'nothing is signed with a key that is not set: %j',
  async (key) => {
    await expect(sign(body, key)).rejects.toThrow(TypeError);
    await expect(sign(body, { apiKey }, { now: Number.NaN })).rejects.toThrow(TypeError);
  },
);

test('the recorded deliveries, which other clients verify too, are signed as the service signs', () => {
  const { secret, event_id, timestamp_seconds, headers: signed, cases } = recorded;
  const [first] = cases;
  const delivery = {
    secretsHex: [secret] as const,
    body: Buffer.from(first?.body ?? ''),
    timestampSeconds: timestamp_seconds,
  };
  const { traceparent } = signed;
  expect(signed).toEqual(
    webhookHeaders({ eventId: event_id, apiVersion: '2026-11-20', traceparent }, delivery),
  );
});

test.each(recorded.cases)('a recorded delivery with $what: $expected', async (one) => {
  const keys = one.api_keys.map((key) => ({ apiKey: key }));
  const at = { now: (recorded.timestamp_seconds + one.seconds_later) * 1000 };
  const verdict = verify(one.body, one.header, keys, at).then(
    () => 'accepted',
    ({ reason }) => reason,
  );
  expect(await verdict).toBe(one.expected);
});

test('one flipped bit of body, signature or time is refused', async () => {
  const flipped = (text: string, bit: number) => {
    const bytes = Buffer.from(text);
    const at = Math.floor(bit / 8) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
    return bytes;
  };
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 10_000 }), async (bit) => {
      expect(await reasonOf(flipped(body, bit), own)).toBe('mismatch');
      expect(['mismatch', 'malformed']).toContain(await reasonOf(body, flipped(own, bit).toString('latin1')));
      const signature = flipped(headers['webhook-signature'] ?? '', bit).toString('latin1');
      const other = { ...standard, 'webhook-signature': signature };
      // The last base64 character has unused bits.
      const same = Buffer.from(signature.slice(3), 'base64').equals(
        Buffer.from((headers['webhook-signature'] ?? '').slice(3), 'base64'),
      );
      expect(['mismatch', 'malformed', ...(same ? ['accepted'] : [])]).toContain(await reasonOf(body, other));
      const id = flipped(standard['webhook-id'] ?? '', bit).toString('latin1');
      expect(await reasonOf(body, { ...standard, 'webhook-id': id })).toBe('mismatch');
    }),
    { numRuns: 100 },
  );
  expect(await verify(body, own, { apiKey: 'other' }, { now }).catch((error) => error.reason)).toBe(
    'mismatch',
  );
});

/** What anyone can sign who knows that a key is not set. */
const forgedFor = (secret: string) => {
  const delivery = { secretsHex: [secret] as const, body: Buffer.from(body), timestampSeconds: T };
  return webhookHeaders({ eventId: 'evt_1', apiVersion: '2026-11-20', traceparent: '' }, delivery);
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const unset: [string, unknown][] = [
  ['absent', undefined],
  ['null', null],
  ['an empty list', []],
  ['no text', { apiKey: 42 }],
  ['without a key', {}],
  ...[undefined, null, '', ' ', '\t\n', '\u00a0'].flatMap((one): [string, unknown][] => [
    [`the key ${JSON.stringify(one)}`, { apiKey: one }],
    [`the secret ${JSON.stringify(one)}`, { secret: one }],
    [`the key ${JSON.stringify(one)} behind a right one`, [{ apiKey }, { apiKey: one }]],
    [`the secret ${JSON.stringify(one)} before a right one`, [{ secret: one }, { apiKey }]],
  ]),
];

test.each(unset)(
  '%s is a mistake of the caller, whatever the header (rules.md: clients 1)',
  async (_, key) => {
    const forged = ['', 'null', 'undefined', ' '].map((text) => forgedFor(sha256(text)));
    for (const header of [undefined, 'malformed', own, forgedFor('x'), ...forged]) {
      // Callers without types are those that this happens to.
      const verdict = verify(body, header, key as Parameters<typeof verify>[2], { now });
      await expect(verdict).rejects.toThrow(TypeError);
    }
  },
);

test.each([undefined, null, '', ' '])('%j has no secret', async (key) => {
  await expect(secretOf(key as string)).rejects.toThrow(TypeError);
});

const noNumbers = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  '',
  '300',
  {},
  [],
  true,
  new Date(now),
  new Date('?'),
];

test.each(noNumbers)('%s is neither a tolerance nor a time (rules.md: clients 1)', async (value) => {
  for (const header of [undefined, own])
    for (const options of [{ now, toleranceSeconds: value }, { now: value }])
      await expect(verify(body, header, { apiKey }, options as VerifyOptions)).rejects.toThrow(TypeError);
});

test('a signature is believed for five minutes, either way', async () => {
  expect(await reasonOf(body, own, { now: now + 300_000 })).toBe('accepted');
  expect(await reasonOf(body, own, { now: now + 301_000 })).toBe('too_old');
  expect(await reasonOf(body, own, { now: now - 301_000 })).toBe('too_old');
  expect(await reasonOf(body, standard, { now: now + 301_000 })).toBe('too_old');
  expect(await reasonOf(body, own, { now: now + 900_000, toleranceSeconds: 900 })).toBe('accepted');
  expect(await reasonOf(body, own, {})).toBe('too_old');
});

test.each([[null], [undefined], [''], [{}], [new Headers()]])('%s is not a header', async (header) => {
  expect(await reasonOf(body, header)).toBe('no_header');
});

test.each([
  ['v1=00'],
  [`${own},v1=00`],
  [`t=,${own}`],
  [own.toUpperCase()],
  [{ ...standard, 'webhook-id': '' }],
])('%s is malformed', async (header) => {
  expect(await reasonOf(body, header)).toBe('malformed');
});

// Signatures of deliveries, checked against known vectors and by verifiers that others wrote.
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  signWebhook,
  standardWebhooksHeaders,
  standardWebhooksSecret,
  webhookHeaders,
} from '#domain/webhooks/sign.ts';
import { sha256Hex } from '#platform/crypto.ts';

const secretHex = sha256Hex('sk_test_vector_0001');
const secretsHex: [string] = [secretHex];
const vector = '{"event_id":"evt_1","event_type":"run.succeeded"}';
const body = '{"event_id":"evt_ÄÖ","n": 1.0}';
const event = { eventId: 'evt_01ABC', apiVersion: '2026-11-20', traceparent: '00-1-2-01' };

function now() {
  return { secretsHex, body, timestampSeconds: Math.floor(Date.now() / 1000) };
}

test('the secret and the signature are those of the known vector', () => {
  expect(secretHex).toBe('44a8f96e056c53b23c860dcb77c5feab398ffd6225675c468b04332aeb41f00c');
  expect(signWebhook({ secretsHex, body: vector, timestampSeconds: 1_700_000_000 })).toBe(
    't=1700000000,v1=7dead28c968f54a56ee54a91f0370148152dfbec10785bbe353c49bc590175b8',
  );
});

test('bytes and the text they encode have the same signature', () => {
  const signing = now();
  expect(signWebhook({ ...signing, body: Buffer.from(body) })).toBe(signWebhook(signing));
});

test('bytes that are not UTF-8 are signed unchanged', () => {
  const signatures = [0xff, 0xfe].map((byte) =>
    signWebhook({ ...now(), body: Buffer.from([byte]), timestampSeconds: 1 }),
  );
  expect(new Set(signatures).size).toBe(2);
});

test('the verifier of the stripe package accepts X-Service-Signature', () => {
  const { webhooks } = new Stripe('sk_test_unused');
  expect(webhooks.constructEvent(body, signWebhook(now()), secretHex)).toEqual(JSON.parse(body));
});

test('the verifier of the stripe package rejects another body, secret or time', () => {
  const { webhooks } = new Stripe('sk_test_unused');
  const header = signWebhook(now());
  const late = signWebhook({ ...now(), timestampSeconds: now().timestampSeconds - 301 });
  expect(() => webhooks.constructEvent(`${body} `, header, secretHex)).toThrow();
  expect(() => webhooks.constructEvent(body, header, sha256Hex('another key'))).toThrow();
  expect(() => webhooks.constructEvent(body, late, secretHex)).toThrow();
});

test('the standardwebhooks package accepts the Standard Webhooks headers', () => {
  const headers = standardWebhooksHeaders(event.eventId, now());
  expect(new Webhook(standardWebhooksSecret(secretHex)).verify(body, headers)).toEqual(JSON.parse(body));
});

test('the standardwebhooks package rejects another body, id or secret', () => {
  const headers = standardWebhooksHeaders(event.eventId, now());
  const verifier = new Webhook(standardWebhooksSecret(secretHex));
  const other = new Webhook(standardWebhooksSecret(sha256Hex('another key')));
  expect(() => verifier.verify(`${body} `, headers)).toThrow();
  expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'evt_02' })).toThrow();
  expect(() => other.verify(body, headers)).toThrow();
});

test('a delivery has its own headers and those of Standard Webhooks', () => {
  const signing = now();
  const standard = standardWebhooksHeaders(event.eventId, signing);
  expect(webhookHeaders(event, signing)).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1',
    'X-Service-Signature': signWebhook(signing),
    'X-Service-Event-Id': 'evt_01ABC',
    traceparent: '00-1-2-01',
    'X-Service-Api-Version': '2026-11-20',
    ...standard,
  });
  expect(standard).toMatchObject({
    'webhook-id': 'evt_01ABC',
    'webhook-timestamp': String(signing.timestampSeconds),
  });
});

test('every attempt is signed for its own time, with the same event id', () => {
  const first = webhookHeaders(event, { ...now(), timestampSeconds: 1_700_000_000 });
  const second = webhookHeaders(event, { ...now(), timestampSeconds: 1_700_000_030 });
  expect(second['X-Service-Signature']).toMatch(/^t=1700000030,v1=[0-9a-f]{64}$/);
  expect(second['X-Service-Signature']).not.toBe(first['X-Service-Signature']);
  expect(second['webhook-id']).toBe(first['webhook-id']);
});

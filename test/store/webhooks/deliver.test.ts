// Attempts: what is posted, what is recorded, and what follows.
import { beforeEach, expect, test, vi } from 'vitest';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { signWebhook } from '#domain/webhooks/sign.ts';
import type { Outcome } from '#outbound/request.ts';
import { newId } from '#platform/ids.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { duePartition, failedDeliveries } from '#store/table/table-keys.ts';
import { revoke } from '#store/workspaces/api-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { handler } from '../../../functions/jobs/deliver-webhook.ts';
import { breakKeys, breakQueue, enqueued } from '../../support/fakes.ts';
import { actor, caller } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';
import {
  blocked,
  body,
  type Due,
  messageOf,
  newDelivery,
  placeOf,
  receiver,
  refused,
  replaceNeighbours,
  secretHex,
  status,
} from './deliveries.ts';

let due: Due;
useTable();
beforeEach(async () => {
  replaceNeighbours();
  due = await newDelivery();
});

const log = async () => deliveries.get(placeOf(due));
const attempt = (n: number, ...outcomes: Outcome[]) =>
  deliverAttempt(messageOf(due, n), receiver(...outcomes));

test('the exact bytes are posted with all headers, signed for this attempt', async () => {
  const post = receiver(status(200));
  expect(await deliverAttempt(messageOf(due, 1), post)).toBe('done');
  const [request] = post.posts;
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://hooks.example.com/cb',
    body,
    timeoutMs: 10_000,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'service-webhook/1',
      'X-Service-Event-Id': due.event_id,
      'webhook-id': due.event_id,
    },
  });
  expect(request).not.toHaveProperty('readBodyBytes');
  const signature = request?.headers['X-Service-Signature'] ?? '';
  const timestampSeconds = Number(/^t=(\d+),/.exec(signature)?.[1]);
  expect(Math.abs(timestampSeconds - Date.now() / 1000)).toBeLessThan(60);
  expect(signature).toBe(signWebhook({ secretsHex: [secretHex], body, timestampSeconds }));
});

test('a run is signed for with the secret of its key, even if that was revoked', async () => {
  await revoke(due.key_id, actor);
  expect(await attempt(1, status(200))).toBe('done');
  expect((await log())?.status).toBe('delivered');
});

test.each([
  ['200', status(200)],
  ['204', status(204)],
])('%s is delivered, and nothing follows', async (_, outcome) => {
  await attempt(1, outcome);
  expect(await log()).toMatchObject({ status: 'delivered', attempts: [{ duration_ms: 5 }] });
  expect(enqueued()).toEqual([]);
});

test.each([
  ['301', status(301), { status_code: 301 }],
  ['400', status(400), { status_code: 400 }],
  ['410', status(410), { status_code: 410 }],
  ['a blocked address', blocked, { error: 'blocked: private_address' }],
])('%s has failed for good', async (_, outcome, entry) => {
  await attempt(1, outcome);
  const delivery = await log();
  expect(delivery).toMatchObject({ status: 'failed', attempts: [entry] });
  // The sweep does not look there.
  expect(delivery?.due_pk).toBe(failedDeliveries(due.workspace_id));
  expect(enqueued()).toEqual([]);
});

test.each([
  ['408', status(408), { status_code: 408 }],
  ['429', status(429), { status_code: 429 }],
  ['503', status(503), { status_code: 503 }],
  ['no connection', refused, { error: 'ECONNREFUSED' }],
])('%s is tried again', async (_, outcome, entry) => {
  await attempt(1, outcome);
  expect(await log()).toMatchObject({ status: 'pending', attempts: [entry], next_attempt: 2 });
  expect(enqueued()).toEqual([{ message: messageOf(due, 2), delay: 30 }]);
});

test('three attempts are made, 30 seconds and 2 minutes apart, then the delivery has failed', async () => {
  for (const n of [1, 2, 3]) expect(await attempt(n, status(500))).toBe('done');
  expect(enqueued().map(({ delay }) => delay)).toEqual([30, 120]);
  const delivery = await log();
  expect(delivery).toMatchObject({ status: 'failed' });
  expect(delivery?.attempts).toHaveLength(3);
});

test('a message that comes twice is posted once', async () => {
  const post = receiver(status(200));
  await deliverAttempt(messageOf(due, 1), post);
  expect(await deliverAttempt(messageOf(due, 1), post)).toBe('done');
  expect(post.posts).toHaveLength(1);
});

test('an old message does nothing once its attempt was made', async () => {
  await attempt(1, status(500));
  const post = receiver(status(200));
  expect(await deliverAttempt(messageOf(due, 1), post)).toBe('done');
  expect(post.posts).toEqual([]);
});

test('of many messages for one attempt one is posted and the others stay', async () => {
  const post = receiver(status(500));
  const results = await Promise.all(Array.from({ length: 8 }, () => deliverAttempt(messageOf(due, 1), post)));
  expect(post.posts).toHaveLength(1);
  expect(results).toContain('done');
});

test('a message whose attempt is in progress stays in the queue', async () => {
  await deliveries.claimAttempt(placeOf(due), 1, Date.now(), 30_000);
  expect(await attempt(1, status(200))).toBe('busy');
});

test('a crash between POST and record posts the same event again under a later claim', async () => {
  await deliveries.claimAttempt(placeOf(due), 1, Date.now() - 31_000, 30_000);
  const post = receiver(status(200));
  expect(await deliverAttempt(messageOf(due, 1), post)).toBe('done');
  expect(post.posts[0]?.headers['X-Service-Event-Id']).toBe(due.event_id);
  expect((await log())?.attempts).toHaveLength(1);
});

test('when the next attempt cannot be put on the queue it stays due for the sweep', async () => {
  breakQueue();
  await expect(attempt(1, status(500))).rejects.toThrow('queue unreachable');
  const delivery = await log();
  const due_pk = duePartition('DELIVERY', due.run_id);
  expect(delivery).toMatchObject({ status: 'pending', next_attempt: 2, due_pk });
  expect(delivery?.due_at).toBeGreaterThan(Date.now() + 30_000);
});

test('when the secret cannot be opened nothing is posted, and the attempt is not used up', async () => {
  vi.resetModules();
  breakKeys();
  const fresh = await import('#domain/webhooks/deliver.ts');
  const post = receiver(status(200));
  await expect(fresh.deliverAttempt(messageOf(due, 1), post)).rejects.toThrow('keys unreachable');
  expect(post.posts).toEqual([]);
  expect(await log()).toMatchObject({ status: 'pending', next_attempt: 1, attempts: [] });
});

test('unreadable messages and unknown deliveries of a batch come back, the rest is done', async () => {
  await attempt(1, status(200));
  const { workspace } = await caller();
  await workspaces.create({ ...workspace, workspace_id: due.workspace_id }, undefined);
  const bodies = [
    JSON.stringify(messageOf(due, 1)),
    'nonsense',
    JSON.stringify({ ...messageOf(due, 1), attempt: 0 }),
    JSON.stringify({ ...messageOf(due, 1), event_id: 'evt_unknown' }),
    // Its workspace was purged.
    JSON.stringify({ ...messageOf(due, 1), workspace_id: newId() }),
  ];
  const records = bodies.map((text, i) => ({
    messageId: `m${i}`,
    body: text,
    receiptHandle: '',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: 'us-east-1',
  }));
  expect(await handler({ Records: records })).toEqual({
    batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }, { itemIdentifier: 'm3' }],
  });
});

// rules.md: webhooks. Deliveries over HTTP, against customers' servers of every kind.
import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { type CustomerServer, customer, type Received, status } from './webhook-receiver.ts';

const secretOf = (apiKey: string) => createHash('sha256').update(apiKey).digest('hex');
type Steps = Record<string, unknown>[];
const quick: Steps = [{ kind: 'inject_context', params: { text: 'x' } }];
const failing: Steps = [{ kind: 'analyze', instructions: '[[fail]]' }];
const slow: Steps = [{ kind: 'analyze', instructions: '[[delay:2500]]' }];

async function creates(
  home: given.Home,
  server: Pick<CustomerServer, 'url'>,
  steps = quick,
): Promise<string> {
  const reply = await when.createsPlanRun(home, steps, { callback_url: server.url });
  expect(reply.status).toBe(202);
  return reply.body.id;
}

async function deliveries(home: given.Home, runId: string) {
  return (await call('GET', `/runs/${runId}/webhook-deliveries`, { key: home.key })).body.data;
}

/** The run's one delivery, once it shows `attempts` attempts. */
function attempted(home: given.Home, runId: string, attempts = 1, withinMs?: number) {
  const look = async () => {
    const [delivery] = await deliveries(home, runId);
    return delivery?.attempts.length >= attempts ? delivery : undefined;
  };
  return until(`attempt ${attempts} for ${runId}`, look, withinMs);
}

function posted(server: CustomerServer, n = 1): Promise<Received> {
  return until(`post ${n}`, async () => server.received[n - 1]);
}

/** Verifies with code we did not write; throws when the signature is wrong. */
function verify(post: Received, apiKey: string): void {
  const secret = secretOf(apiKey);
  new Stripe('sk_test_x').webhooks.constructEvent(
    post.body,
    post.headers['x-service-signature'] ?? '',
    secret,
  );
  new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).verify(post.body, post.headers);
}

test('a succeeded run is reported by a signed POST whose body and headers are the documented ones', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const id = await creates(home, server);
  const run = await then.ended(home, id);
  const post = await posted(server);
  verify(post, home.key);
  const last = (await when.readsLog(home, id)).at(-1);
  expect(post.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'service-webhook/1',
    'x-service-event-id': last?.event_id,
    'x-service-api-version': run.api_version,
  });
  expect(JSON.parse(post.body.toString())).toEqual({
    event_id: last?.event_id,
    event_type: 'run.succeeded',
    occurred_at: Math.floor(Number(last?.occurred_at) / 1000),
    api_version: run.api_version,
    run_id: id,
    workspace_id: home.workspace_id,
    data: {
      id,
      object: 'run',
      status: 'succeeded',
      created_at: run.created_at,
      completed_at: run.completed_at,
    },
  });
  expect(await attempted(home, id)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
  expect(server.received).toHaveLength(1);
});

test('a failed run is reported as run.failed', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const id = await creates(home, server, failing);
  const post = await posted(server);
  verify(post, home.key);
  expect(JSON.parse(post.body.toString())).toMatchObject({
    event_type: 'run.failed',
    run_id: id,
    data: { status: 'failed' },
  });
});

test('a canceled run and a run without a callback URL are not reported', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const canceled = await creates(home, server, slow);
  await call('POST', `/runs/${canceled}/cancel`, { key: home.key });
  const plain = (await when.createsPlanRun(home, quick)).body.id;
  await Promise.all([then.ended(home, canceled), then.ended(home, plain)]);
  expect([await deliveries(home, canceled), await deliveries(home, plain)]).toEqual([[], []]);
  expect(server.received).toEqual([]);
});

test.each([
  ['204', status(204), { status: 'delivered', attempts: [{ status_code: 204 }] }],
  [
    '301',
    status(301, { location: 'http://127.0.0.1:1/' }),
    { status: 'failed', attempts: [{ status_code: 301 }] },
  ],
  ['400', status(400), { status: 'failed', attempts: [{ status_code: 400 }] }],
  ['404', status(404), { status: 'failed', attempts: [{ status_code: 404 }] }],
  ['408', status(408), { status: 'pending', attempts: [{ status_code: 408 }] }],
  ['429', status(429), { status: 'pending', attempts: [{ status_code: 429 }] }],
  ['500', status(500), { status: 'pending', attempts: [{ status_code: 500 }] }],
  ['503', status(503), { status: 'pending', attempts: [{ status_code: 503 }] }],
] as const)(
  'a receiver that answers %s is classed as documented (rules.md: webhooks 3)',
  async (_, answer, expected) => {
    const [home, server] = await Promise.all([given.workspace(), customer(answer)]);
    expect(await attempted(home, await creates(home, server))).toMatchObject(expected);
  },
);

test('a receiver that resets the connection is tried again', async () => {
  const [home, server] = await Promise.all([
    given.workspace(),
    customer((_, socket) => socket.resetAndDestroy()),
  ]);
  const delivery = await attempted(home, await creates(home, server));
  expect(delivery).toMatchObject({ status: 'pending', attempts: [{ error: expect.any(String) }] });
});

test('a receiver that refuses the connection is tried again', async () => {
  const home = await given.workspace();
  const delivery = await attempted(home, await creates(home, { url: 'http://127.0.0.1:1/hook' }));
  expect(delivery).toMatchObject({ status: 'pending', attempts: [{ error: 'ECONNREFUSED' }] });
});

test('a receiver that floods with 1xx answers is tried again', async () => {
  const flood = (_: unknown, socket: { write(text: string): unknown }) =>
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000));
  const [home, server] = await Promise.all([given.workspace(), customer(flood)]);
  const delivery = await attempted(home, await creates(home, server));
  expect(delivery).toMatchObject({ status: 'pending', attempts: [{ error: 'too_many_informational' }] });
});

test('a receiver whose body never ends has answered with its status', async () => {
  const endless = (response: { writeHead(code: number): { write(text: string): unknown } }) =>
    response.writeHead(200).write('and so on');
  const [home, server] = await Promise.all([given.workspace(), customer(endless)]);
  expect(await attempted(home, await creates(home, server))).toMatchObject({ status: 'delivered' });
});

test('redirects are not followed', async () => {
  const [home, canary] = await Promise.all([given.workspace(), customer(status(200))]);
  const answers = [301, 302, 303, 307, 308].map((code) => customer(status(code, { location: canary.url })));
  const runs = (await Promise.all(answers)).map((server) => creates(home, server));
  for (const run of await Promise.all(runs))
    expect(await attempted(home, run)).toMatchObject({ status: 'failed' });
  expect(canary.received).toEqual([]);
});

test.concurrent('a receiver that sends nothing, or drips its headers, is given up after ten seconds', async () => {
  const drip = (
    _: unknown,
    socket: { write(text: string): unknown; once(event: 'close', end: () => void): unknown },
  ) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
    const timer = setInterval(() => socket.write('a'), 200);
    socket.once('close', () => clearInterval(timer));
  };
  const home = await given.workspace();
  const servers = [await customer(() => {}), await customer(drip)];
  const runs = await Promise.all(servers.map((server) => creates(home, server)));
  for (const run of runs)
    expect(await attempted(home, run)).toMatchObject({ status: 'pending', attempts: [{ error: 'timeout' }] });
});

test.concurrent('the second attempt comes 30 seconds after the first, with the same event, the same bytes and a fresh signature', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(500), status(200))]);
  const id = await creates(home, server);
  const delivery = await attempted(home, id, 2, 45_000);
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [{ status_code: 500 }, { status_code: 200 }],
  });
  const [first, second] = [await posted(server, 1), await posted(server, 2)];
  for (const post of [first, second]) verify(post, home.key);
  expect(second.body).toEqual(first.body);
  expect(second.headers['x-service-event-id']).toBe(first.headers['x-service-event-id']);
  expect(second.headers['x-service-signature']).not.toBe(first.headers['x-service-signature']);
  expect(second.at - first.at).toBeGreaterThanOrEqual(30_000);
  expect(second.at - first.at).toBeLessThan(32_000);
});

test('deliveries are signed with the secret of the creating key, also after it was revoked', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const { key, key_id } = await given.key(home.workspace_id, 'all');
  await creates({ ...home, key }, server, slow);
  await admin({ command: 'key.revoke', key_id });
  verify(await posted(server), key);
});

test('the end of a resumed run is a separate delivery, signed with the key that created the run', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const id = await creates(home, server, [{ kind: 'analyze', instructions: '[[fail-once]]' }]);
  const first = await posted(server, 1);
  await then.ended(home, id);
  const other = await given.key(home.workspace_id, 'all');
  expect((await call('POST', `/runs/${id}/resume`, { key: other.key })).status).toBe(202);
  const second = await posted(server, 2);
  verify(second, home.key);
  expect(second.headers['x-service-event-id']).not.toBe(first.headers['x-service-event-id']);
  const list = await until('both deliveries', async () => {
    const all = await deliveries(home, id);
    return all.every((one: { status: string }) => one.status === 'delivered') ? all : undefined;
  });
  expect(list.map((one: { event_type: string }) => one.event_type)).toEqual(['run.failed', 'run.succeeded']);
});

test('redeliver makes one more attempt with the same event', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(404), status(200))]);
  const id = await creates(home, server);
  const { event_id } = await attempted(home, id);
  const path = `/runs/${id}/webhook-deliveries/${event_id}/redeliver`;
  const reply = await call('POST', path, { key: home.key });
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({ event_id, status: 'pending', attempts: [{ status_code: 404 }] });
  expect(await attempted(home, id, 2)).toMatchObject({ status: 'delivered' });
  expect((await posted(server, 2)).headers['x-service-event-id']).toBe(event_id);
});

test('the delivery log needs runs:read, redelivery runs:create, and foreign runs are not found', async () => {
  const [home, stranger, server] = await Promise.all([
    given.workspace(),
    given.workspace(),
    customer(status(200)),
  ]);
  const id = await creates(home, server);
  const { event_id } = await attempted(home, id);
  const list = `/runs/${id}/webhook-deliveries`;
  const [reader, creator] = [
    await given.key(home.workspace_id, ['runs:read']),
    await given.key(home.workspace_id, ['runs:create']),
  ];
  expect((await call('GET', list, { key: reader.key })).status).toBe(200);
  for (const [method, path, key, code] of [
    ['GET', list, creator.key, 'forbidden_feature'],
    ['POST', `${list}/${event_id}/redeliver`, reader.key, 'forbidden_feature'],
    ['GET', list, stranger.key, 'run_not_found'],
    ['POST', `${list}/${event_id}/redeliver`, stranger.key, 'run_not_found'],
    ['POST', `${list}/evt_none/redeliver`, home.key, 'delivery_not_found'],
  ] as const)
    expect((await call(method, path, { key })).body.error.code).toBe(code);
});

test('an administrator sees the same delivery log', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const id = await creates(home, server);
  const delivery = await attempted(home, id);
  const answer = await admin({ command: 'delivery.list', run_id: id });
  const { url: _, ...shown } = delivery;
  expect(answer.deliveries).toMatchObject([shown]);
});

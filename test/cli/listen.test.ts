// `webhooks listen`: what the service would deliver, forwarded to the given address; nothing is lost when it is
// killed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { verify } from '../../clients/sdk/index.ts';
import { standardWebhooksSecret } from '../../functions/domain/webhooks/sign.ts';
import { customer, status } from '../e2e/webhook-receiver.ts';
import * as given from '../support/given.ts';
import { isPosix } from '../support/platform.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { envOf, runs } from './terminal.ts';

const failing = { kind: 'analyze', instructions: '[[fail-once]]' };

/** `runs webhooks listen` as a process that can be killed; resolves when it listens. */
async function listener(home: given.Home, url: string) {
  const args = [resolve('clients/cli/runs.ts'), 'webhooks', 'listen', '--forward', url];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...envOf(home) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((listening) => {
    child.stderr.on('data', (said) => String(said).includes('forwarding') && listening());
  });
  return async (signal: 'SIGKILL' | 'SIGINT') => {
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = await exit;
    return code as number | null;
  };
}

test('a forwarded webhook is the delivery of the service, byte for byte, and verifiers of deliveries accept it', async () => {
  const home = await given.workspace();
  const [real, forwarded] = await Promise.all([customer(status(200)), customer(status(200))]);
  const { body: run } = await when.createsPlanRun(home, [{ kind: 'fetch' }], { callback_url: real.url });
  const done = await runs(['webhooks', 'listen', '--forward', forwarded.url, '--run', run.id, '--json'], {
    home,
  });
  expect(done.code).toBe(0);
  const delivered = await until('the delivery', async () => real.received[0]);
  const [request] = forwarded.received;
  if (!request) throw new Error('nothing was forwarded');
  expect(request.body.equals(delivered.body)).toBe(true);
  const names = (headers: Record<string, string>) =>
    Object.keys(headers)
      .filter((name) => /^(x-service|webhook|content-type|user-agent)/.test(name))
      .sort();
  expect(names(request.headers)).toEqual(names(delivered.headers));
  for (const name of [
    'x-service-event-id',
    'x-service-api-version',
    'webhook-id',
    'user-agent',
    'content-type',
  ])
    expect(request.headers[name]).toBe(delivered.headers[name]);
  const secret = createHash('sha256').update(home.key).digest('hex');
  const body = request.body.toString();
  new Stripe('sk_test_x').webhooks.constructEvent(body, request.headers['x-service-signature'] ?? '', secret);
  new Webhook(standardWebhooksSecret(secret)).verify(body, request.headers);
  expect(await verify(body, request.headers, { apiKey: home.key })).toMatchObject({ run_id: run.id });
  expect(JSON.parse(done.out)).toMatchObject({ status_code: 200, body });
});

test('a listener that is killed and started again has forwarded every end, those of resumed runs too', async () => {
  const home = await given.workspace();
  const receiver = await customer(status(200));
  const { body: early } = await when.createsPlanRun(home, [failing]);
  await then.ended(home, early.id);
  const kill = await listener(home, receiver.url);
  const first = await Promise.all([1, 2, 3].map(() => when.createsPlanRun(home, [{ kind: 'fetch' }])));
  await until('a forwarded webhook', async () => receiver.received[0]);
  expect(await kill('SIGKILL')).toBe(null);
  const second = await Promise.all([1, 2].map(() => when.createsPlanRun(home, [failing])));
  for (const { body } of second) await then.ended(home, body.id);
  await when.resumes(home, second[0]?.body.id);
  await when.resumes(home, early.id);
  const ids = [...first, ...second].map(({ body }) => body.id);
  const stop = await listener(home, receiver.url);
  const due: string[] = [];
  for (const id of [...ids, early.id]) {
    await then.ended(home, id);
    const ends = (await when.readsLog(home, id)).filter(({ event_type }) =>
      /^run\.(succeeded|failed)$/.test(`${event_type}`),
    );
    // Runs that ended before the listener started are not forwarded.
    due.push(...ends.slice(id === early.id ? 1 : 0).map(({ event_id }) => `${event_id}`));
  }
  expect(due).toHaveLength(3 + 2 + 1 + 1);
  const forwardedIds = () =>
    [...new Set(receiver.received.map(({ headers }) => headers['x-service-event-id']))].sort();
  await expect.poll(forwardedIds).toEqual(due.sort());
  const code = await stop('SIGINT');
  if (isPosix) expect(code).toBe(130);
});

test('a listener goes on when a run is resumed, and when one that it knows is deleted', async () => {
  const home = await given.workspace();
  const receiver = await customer(status(200));
  const stop = await listener(home, receiver.url);
  const types = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).event_type);
  const [resumed, deleted] = await Promise.all([1, 2].map(() => when.createsPlanRun(home, [failing])));
  await expect.poll(types).toEqual(['run.failed', 'run.failed']);
  await call('DELETE', `/runs/${deleted?.body.id}`, home);
  await when.resumes(home, resumed?.body.id);
  await expect.poll(types).toEqual(['run.failed', 'run.failed', 'run.succeeded']);
  await when.createsPlanRun(home, [{ kind: 'fetch' }]);
  await expect.poll(types).toHaveLength(4);
  await stop('SIGINT');
});

test('a receiver that answers with an error is tried again, one that is redirected is not followed', async () => {
  const home = await given.workspace();
  const elsewhere = await customer(status(200));
  const receiver = await customer(status(503), status(302, { location: elsewhere.url }));
  const { body: run } = await when.createsPlanRun(home, [{ kind: 'fetch' }]);
  const { out } = await runs(['webhooks', 'listen', '--forward', receiver.url, '--run', run.id], { home });
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/).at(-1)),
  ).toEqual(['503', '302']);
  const [one, two] = receiver.received;
  expect(one?.headers['x-service-event-id']).toBe(two?.headers['x-service-event-id']);
  expect(elsewhere.received).toEqual([]);
});

test('deliveries are listed with their attempts, and repeated on request', async () => {
  const home = await given.workspace();
  const receiver = await customer(status(200));
  const { body: run } = await when.createsPlanRun(home, [{ kind: 'fetch' }], { callback_url: receiver.url });
  await until('the delivery', async () => receiver.received[0]);
  const listed = await until('its entry', async () => {
    const { out } = await runs(['webhooks', 'list', run.id, '--json'], { home });
    const [delivery] = JSON.parse(out).data;
    return delivery?.status === 'delivered' ? delivery : undefined;
  });
  expect(await runs(['webhooks', 'redeliver', run.id, listed.event_id], { home })).toMatchObject({
    code: 0,
    out: expect.stringContaining(listed.event_id),
  });
  await until('the second request', async () => receiver.received[1]);
  expect((await runs(['webhooks', 'list', run.id], { home })).out).toContain('run.succeeded');
});

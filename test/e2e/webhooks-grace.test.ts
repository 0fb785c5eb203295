// rules.md: webhooks 6. While a key is in its grace, both secrets sign the deliveries of its runs.
import { createHash } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { verify } from '../../clients/sdk/index.ts';
import * as given from '../support/given.ts';
import { admin, call, until } from '../support/service.ts';
import * as when from '../support/when.ts';
import { type CustomerServer, customer, type Received, status } from './webhook-receiver.ts';

const quick = [{ kind: 'inject_context', params: { text: 'x' } }];
const secretOf = (apiKey: string) => createHash('sha256').update(apiKey).digest('hex');
const whsec = (apiKey: string) => `whsec_${Buffer.from(secretOf(apiKey)).toString('base64')}`;

const posted = (server: CustomerServer, n: number): Promise<Received> =>
  until(`post ${n}`, async () => server.received[n - 1]);

async function accepts(post: Received, apiKey: string): Promise<boolean> {
  const body = post.body.toString();
  const verdicts = await Promise.allSettled([
    (async () => new StandardWebhook(whsec(apiKey)).verify(body, post.headers))(),
    (async () => new SvixWebhook(whsec(apiKey)).verify(body, post.headers))(),
    verify(body, post.headers, { apiKey }),
  ]);
  const accepted = verdicts.map((verdict) => verdict.status === 'fulfilled');
  expect(new Set(accepted).size, JSON.stringify(accepted)).toBe(1);
  return accepted[0] === true;
}

const signatures = (post: Received) => post.headers['webhook-signature']?.split(' ') ?? [];
const serviceSignature = (post: Received, apiKey: string) =>
  new Stripe('sk_test_x').webhooks.constructEvent(
    post.body,
    post.headers['x-service-signature'] ?? '',
    secretOf(apiKey),
  );

const rotates = async (home: given.Home, id: string, grace_seconds: number) =>
  (await call('POST', `/keys/${id}/rotate`, { key: home.key, body: { grace_seconds } })).body;

const maintenance = (verb: 'start' | 'end', { workspace_id }: given.Home) =>
  admin({ command: `maintenance.${verb}`, workspace_id });

test('runs from before and after a rotation, and redeliveries, carry the signatures of both keys', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const old = await given.key(home.workspace_id, 'all');
  const runs = async (key: string) =>
    (await when.createsPlanRun({ key }, quick, { callback_url: server.url })).body.id;

  const first = await runs(old.key);
  const before = await posted(server, 1);
  expect(signatures(before)).toHaveLength(1);
  await maintenance('start', home);
  await runs(old.key);
  const next = await rotates(home, old.key_id, 3600);
  expect(await accepts(before, next.api_key)).toBe(false);
  await maintenance('end', home);
  await posted(server, 2);
  await runs(old.key);
  await posted(server, 3);
  const eventId = before.headers['x-service-event-id'];
  await call('POST', `/runs/${first}/webhook-deliveries/${eventId}/redeliver`, { key: home.key });
  await posted(server, 4);
  for (const post of server.received.slice(1)) {
    expect(signatures(post)).toHaveLength(2);
    expect(await accepts(post, old.key)).toBe(true);
    expect(await accepts(post, next.api_key)).toBe(true);
    expect(await accepts(post, home.key)).toBe(false);
    serviceSignature(post, old.key);
    expect(() => serviceSignature(post, next.api_key)).toThrow();
  }

  await runs(next.api_key);
  const own = await posted(server, 5);
  expect(signatures(own)).toHaveLength(1);
  serviceSignature(own, next.api_key);
});

test('when the grace is over, the key that created the run signs alone', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const old = await given.key(home.workspace_id, 'all');
  await maintenance('start', home);
  await when.createsPlanRun({ key: old.key }, quick, { callback_url: server.url });
  const next = await rotates(home, old.key_id, 0);
  await maintenance('end', home);
  const post = await posted(server, 1);
  expect(signatures(post)).toHaveLength(1);
  expect([await accepts(post, old.key), await accepts(post, next.api_key)]).toEqual([true, false]);
});

// rules.md: webhooks 9, webhooks 10, traces 5. Receivers and collectors that hang keep nobody else waiting, and nothing is lost.
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../../functions/contract/limits.ts';
import * as given from '../support/given.ts';
import { ownService } from '../support/own-service.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

const quick = [{ kind: 'inject_context', params: { text: 'x' } }];
const RUNS = limits.delivery_slots_per_workspace + 10;

/** Runs that are reported to the address; a workspace has a hundred in flight at most. */
async function reports(home: given.Home, url: string, runs: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < runs) {
    const some = Array.from({ length: Math.min(20, runs - ids.length) }, () =>
      when.createsPlanRun(home, quick, { callback_url: url }),
    );
    const created = (await Promise.all(some)).map(({ body }) => String(body.id));
    await Promise.all(created.map((id) => then.ended(home, id)));
    ids.push(...created);
  }
  return ids;
}

test('receivers that hang hold half of the slots, a neighbour is served meanwhile, and what waited comes later', async () => {
  const hanging: ServerResponse[] = [];
  let most = 0;
  let isOpen = false;
  const receiver = await customer((response) => {
    if (isOpen) return void response.end();
    hanging.push(response);
    most = Math.max(most, hanging.filter((one) => !one.destroyed && !one.writableEnded).length);
  });
  const noisy = await given.workspace();
  const neighbour = await given.workspace();
  const quiet = await customer(status(200));
  const ids = await reports(noisy, receiver.url, RUNS);
  await until(
    'a full share',
    async () => hanging.length >= limits.delivery_slots_per_workspace || undefined,
    30_000,
  );
  const closed = () => hanging.filter(({ destroyed }) => destroyed).length;
  const before = closed();
  await reports(neighbour, quiet.url, 5);
  await until('the deliveries of the neighbour', async () => quiet.received.length === 5 || undefined);
  // None of them waited for one that hangs to be given up.
  expect(closed()).toBe(before);
  expect(most).toBeLessThanOrEqual(limits.delivery_slots_per_workspace);
  isOpen = true;
  for (const response of hanging) response.end();
  const reported = () => new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).run_id));
  await until('a post for each run', async () => reported().size === ids.length || undefined, 60_000);
});

test('failed deliveries that are redelivered together come one after the other, and all of them', async () => {
  const home = await given.workspace();
  const refusing = await customer(status(410));
  const ids = await reports(home, refusing.url, 30);
  const failed = async () => {
    const query = `status=failed&limit=100`;
    const { data } = (await call('GET', `/webhook-deliveries?${query}`, { key: home.key })).body;
    return data.length === ids.length || undefined;
  };
  await until('all failed', failed, 30_000);
  const body = { status: 'failed' };
  const askedAt = Date.now();
  const reply = await call('POST', '/webhook-deliveries/redeliver', { key: home.key, body });
  expect(reply.body).toEqual({ redelivered: ids.length, has_more: false });
  await until('all again', async () => refusing.received.length >= 2 * ids.length || undefined, 30_000);
  const again = refusing.received.slice(ids.length).map(({ at }) => at);
  // The last of them has its place behind all others.
  const spacing = 1000 / limits.redeliveries_per_second;
  expect(Math.max(...again) - askedAt).toBeGreaterThanOrEqual((ids.length - 1) * spacing);
  expect(refusing.received).toHaveLength(2 * ids.length);
});

test('a redelivery that is asked for at once is accepted, rests, and comes', async () => {
  const home = await given.workspace();
  const receiver = await customer(status(410), status(200));
  const [id] = await reports(home, receiver.url, 1);
  const deliveryOf = async () =>
    (await call('GET', `/runs/${id}/webhook-deliveries`, { key: home.key })).body.data[0];
  const { event_id } = await until('the failure', async () => {
    const delivery = await deliveryOf();
    return delivery?.status === 'failed' ? delivery : undefined;
  });
  const path = `/runs/${id}/webhook-deliveries/${event_id}/redeliver`;
  for (let n = 0; n < 3; n += 1)
    expect(await call('POST', path, { key: home.key })).toMatchObject({
      status: 202,
      body: { status: 'pending' },
    });
  await until('the delivery', async () => (await deliveryOf()).status === 'delivered' || undefined);
  const [first, second, ...others] = receiver.received.map(({ at }) => at);
  expect(others).toEqual([]);
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(limits.delivery_gap_ms);
});

test('a collector that hangs holds up no webhook', async () => {
  const collector = await customer(() => {});
  const own = await ownService({}, { otlp_endpoint: new URL(collector.url).origin });
  onTestFinished(() => own.stop());
  const home = await own.home();
  const receiver = await customer(status(200));
  await reports(home, receiver.url, 30);
  await until('all webhooks', async () => receiver.received.length === 30 || undefined, 30_000);
  expect(collector.received.length).toBeGreaterThan(0);
  // Each trace is still being posted: the webhooks had slots of their own.
  expect(collector.received.length).toBeLessThanOrEqual(10);
});

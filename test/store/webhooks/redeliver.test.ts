// The delivery log, redelivery, and what the sweep sends again.
import { beforeEach, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { Delivery } from '#contract/webhooks.ts';
import { resendOverdueDeliveries } from '#domain/recovery/resend-overdue-deliveries.ts';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { listDeliveries } from '#domain/webhooks/list-deliveries.ts';
import { redeliver } from '#domain/webhooks/redeliver.ts';
import { newId } from '#platform/ids.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { transact } from '#store/table/table.ts';
import { breakQueue, enqueued } from '../../support/fakes.ts';
import { actor } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';
import {
  type Due,
  messageOf,
  newDelivery,
  placeOf,
  receiver,
  replaceNeighbours,
  status,
} from './deliveries.ts';

let due: Due;
useTable();
beforeEach(async () => {
  replaceNeighbours();
  due = await newDelivery();
});

const attempt = (n: number, code: number) => deliverAttempt(messageOf(due, n), receiver(status(code)));
const again = () => redeliver(due.workspace_id, due.run_id, due.event_id, actor);
const MINUTE = 60_000;
/** Of a redelivery soon after an attempt. */
const aRest = expect.toBeOneOf([2, 3]);

async function failFully(): Promise<void> {
  for (const n of [1, 2, 3]) await attempt(n, 500);
  replaceNeighbours();
}

test('the log shows deliveries as in the contract, and nothing private', async () => {
  await attempt(1, 503);
  const [delivery, ...others] = await listDeliveries(due.workspace_id, due.run_id);
  expect(others).toEqual([]);
  expect(Delivery.parse(delivery)).toMatchObject({
    event_id: due.event_id,
    event_type: 'run.succeeded',
    url: 'https://hooks.example.com/cb',
    status: 'pending',
    attempts: [{ status_code: 503 }],
  });
});

test('of a delivery with many attempts the newest are stored (rules.md: webhooks 4)', async () => {
  await failFully();
  const kept = limits.delivery_attempts_stored;
  const record = await deliveries.get(placeOf(due));
  if (!record) throw new Error('no delivery');
  const attempts = Array.from({ length: kept }, (_, at) => ({ at, status_code: 500, duration_ms: 1 }));
  await transact([deliveries.deliveryWrite({ ...record, attempts })]);
  await again();
  await attempt(4, 204);
  const [delivery] = await listDeliveries(due.workspace_id, due.run_id);
  expect(delivery?.status).toBe('delivered');
  expect(delivery?.attempts).toHaveLength(kept);
  expect([delivery?.attempts[0], delivery?.attempts.at(-1)]).toMatchObject([{ at: 1 }, { status_code: 204 }]);
});

test('the runs of others, unknown and malformed ones have no log', async () => {
  for (const [workspace, run] of [
    [newId(), due.run_id],
    [due.workspace_id, newId()],
    [due.workspace_id, 'x'],
  ] as const) {
    await expect(listDeliveries(workspace, run)).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(redeliver(workspace, run, due.event_id, actor)).rejects.toMatchObject({
      code: 'run_not_found',
    });
  }
});

test('an unknown event has no delivery', async () => {
  for (const event of ['evt_x', '', 'x'.repeat(5000), undefined])
    await expect(redeliver(due.workspace_id, due.run_id, event, actor)).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
});

test('a redelivery is one new attempt, due when the delivery has rested, with the same event id', async () => {
  await failFully();
  expect(await again()).toMatchObject({ event_id: due.event_id, status: 'pending' });
  expect(enqueued()).toEqual([{ message: { ...messageOf(due, 4), redelivered: true }, delay: aRest }]);
  await attempt(4, 200);
  const delivery = await deliveries.get(placeOf(due));
  expect(delivery).toMatchObject({ status: 'delivered' });
  expect(delivery?.attempts).toHaveLength(4);
});

test('a failed redelivery is not retried, and can be requested again', async () => {
  await failFully();
  await again();
  await attempt(4, 500);
  expect(enqueued()).toHaveLength(1);
  expect(await deliveries.get(placeOf(due))).toMatchObject({ status: 'failed', next_attempt: 5 });
  expect(await again()).toMatchObject({ status: 'pending' });
});

test('a delivered webhook can be delivered again', async () => {
  await attempt(1, 200);
  await again();
  expect(enqueued()).toEqual([{ message: { ...messageOf(due, 2), redelivered: true }, delay: aRest }]);
});

test('asking again for what is still pending changes nothing', async () => {
  expect(await again()).toMatchObject({ status: 'pending', attempts: [] });
  expect(enqueued()).toEqual([]);
  expect(await deliveries.get(placeOf(due))).toMatchObject({ next_attempt: 1, last_attempt: 3 });
});

test('the sweep sends what is overdue, once, and leaves the rest', async () => {
  // A moment before every other test, so that none of their deliveries is due by then.
  const now = Date.now() - 10 * MINUTE;
  due = await newDelivery(now - 1);
  expect(await resendOverdueDeliveries(sweepTime(now))).toMatchObject({ deliveries_resent: 1 });
  expect(enqueued()).toEqual([{ message: messageOf(due, 1), delay: 0 }]);
  expect(await resendOverdueDeliveries(sweepTime(now + MINUTE - 1000))).toMatchObject({
    deliveries_resent: 0,
  });
  await deliverAttempt(messageOf(due, 1), receiver(status(200)));
});

test('the sweep sends the attempt that is next, and repeats itself while nothing happens', async () => {
  await attempt(1, 500);
  replaceNeighbours();
  const later = Date.now() + 30_000 + deliveries.QUEUE_GRACE_MS + 1000;
  for (const now of [later, later + 6 * MINUTE]) await resendOverdueDeliveries(sweepTime(now));
  const mine = enqueued().filter(
    ({ message }) => JSON.stringify(message) === JSON.stringify(messageOf(due, 2)),
  );
  expect(mine).toHaveLength(2);
});

test('a delivery that is over is not swept', async () => {
  await attempt(1, 200);
  await resendOverdueDeliveries(sweepTime(Date.now() + 60 * MINUTE));
  expect(JSON.stringify(enqueued())).not.toContain(due.event_id);
});

test('a redelivery whose message was lost is swept', async () => {
  await failFully();
  breakQueue();
  await expect(again()).rejects.toThrow('queue unreachable');
  replaceNeighbours();
  await resendOverdueDeliveries(sweepTime(Date.now() + 2 * MINUTE));
  expect(enqueued()).toContainEqual({ message: { ...messageOf(due, 4), redelivered: true }, delay: 0 });
});

test('a delivery that cannot be sent is counted and put off, each time for longer, and holds up none of the others', async () => {
  const start = Date.now();
  const others = await newDelivery(start - 2);
  due = await newDelivery(start - 1);
  breakQueue();
  const first = await resendOverdueDeliveries(sweepTime(start));
  expect(first.repairs_failed).toBeGreaterThanOrEqual(2);
  const dueAt = async () => (await deliveries.get(placeOf(due)))?.due_at;
  expect(await dueAt()).toBe(start + MINUTE);
  await resendOverdueDeliveries(sweepTime(start + MINUTE + 1));
  expect(await dueAt()).toBe(start + MINUTE + 1 + 2 * MINUTE);
  replaceNeighbours();
  await resendOverdueDeliveries(sweepTime(start + 10 * MINUTE));
  expect(enqueued().map(({ message }) => message)).toEqual(
    expect.arrayContaining([messageOf(others, 1), messageOf(due, 1)]),
  );
});

// rules.md: webhooks 9, webhooks 10. The rest between two attempts, the pace of redeliveries, and the share of a workspace.
import { beforeEach, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { redeliver } from '#domain/webhooks/redeliver.ts';
import type { Send } from '#outbound/request.ts';
import { newId } from '#platform/ids.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import * as slots from '#store/runs/delivery-slots.ts';
import { getItem } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { enqueued } from '../../support/fakes.ts';
import { actor } from '../../support/runs.ts';
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

const asked = (delivery: Due, n: number) => ({ ...messageOf(delivery, n), redelivered: true as const });
const inAMinute = () => Date.now() + 60_000;
const wish = (until = inAMinute()) => ({ until, max: limits.delivery_slots_per_workspace, spacingMs: 0 });

/** Lets other attempts of the workspace take all its slots. */
async function fill({ workspace_id }: Due, until = inAMinute()): Promise<void> {
  for (let n = 0; n < limits.delivery_slots_per_workspace; n += 1)
    expect(await slots.take({ workspace_id, attempt: `other ${n}` }, wish(until))).toBeDefined();
}

async function createWorkspace({ workspace_id }: Due): Promise<void> {
  await workspaces.create(
    workspaces.Workspace.parse({
      workspace_id,
      name: 'W',
      tier: 'enterprise',
      status: 'active',
      features: [],
      credits: false,
      created_at: 1,
    }),
    undefined,
  );
}

test('a delivery rests for two seconds after an attempt, however early its message comes', async () => {
  await deliverAttempt(messageOf(due, 1), receiver(status(410)));
  await redeliver(due.workspace_id, due.run_id, due.event_id, actor);
  expect(enqueued()).toMatchObject([{ message: asked(due, 2) }]);
  await deliverAttempt(asked(due, 2), receiver(status(200)));
  const [first, second] = (await deliveries.get(placeOf(due)))?.attempts ?? [];
  const rested = Number(second?.at) - Number(first?.at) - Number(first?.duration_ms);
  expect(rested).toBeGreaterThanOrEqual(limits.delivery_gap_ms);
});

test('redeliveries of a workspace are spaced by a twentieth of a second, those of others are their own', async () => {
  const { workspace_id } = due;
  const spaced = { ...wish(), spacingMs: 1000 / limits.redeliveries_per_second };
  const taken = await Promise.all(
    Array.from({ length: 4 }, (_, n) => slots.take({ workspace_id, attempt: `${n}` }, spaced)),
  );
  const times = taken.map(Number).toSorted((a, b) => a - b);
  for (const [i, at] of times.slice(1).entries()) expect(at - Number(times[i])).toBeGreaterThanOrEqual(50);
  const other = await slots.take({ workspace_id: newId(), attempt: 'x' }, spaced);
  expect(Number(other)).toBeLessThanOrEqual(Date.now());
});

test.each([
  ['a redelivery', (delivery: Due) => deliverAttempt(asked(delivery, 1))],
  [
    'a first attempt of a workspace with slow receivers',
    (delivery: Due) => deliverAttempt({ ...messageOf(delivery, 1), slow: true }),
  ],
  [
    'one that waited for a second in the queue',
    (delivery: Due) => deliverAttempt(messageOf(delivery, 1), undefined, 1000),
  ],
])('without a free slot, %s goes back to the queue, and no sweep repeats its message', async (_, attempt) => {
  await createWorkspace(due);
  await workspaces.markSlowReceivers(due.workspace_id, inAMinute());
  await fill(due);
  expect(await attempt(due)).toBe('done');
  const [back] = enqueued();
  expect(back).toMatchObject({ message: { ...messageOf(due, 1), waited: 1 } });
  expect(back?.delay).toBeGreaterThanOrEqual(1);
  const delivery = await deliveries.get(placeOf(due));
  expect(delivery).toMatchObject({ status: 'pending', attempts: [], next_attempt: 1 });
  expect(delivery?.due_at).toBeGreaterThan(Date.now() + deliveries.QUEUE_GRACE_MS);
});

test('full slots hold up no ordinary first attempt, and no other workspace', async () => {
  await fill(due);
  const post = receiver(status(200));
  await deliverAttempt(messageOf(due, 1), post);
  await deliverAttempt(asked(await newDelivery(), 1), post);
  expect(post.posts).toHaveLength(2);
});

test('a slot is given back with its attempt, and one of a dead process when its time is over', async () => {
  const { workspace_id } = due;
  await fill(due, Date.now() - 1);
  const post = receiver(status(410));
  await deliverAttempt(asked(due, 1), post);
  expect(post.posts).toHaveLength(1);
  await fill(due);
  expect(await slots.take({ workspace_id, attempt: 'one more' }, wish())).toBeUndefined();
  await slots.release({ workspace_id, attempt: 'other 0' });
  expect(await slots.take({ workspace_id, attempt: 'one more' }, wish())).toBeDefined();
});

test('an attempt that turns out slow takes a slot, and the next runs of its workspace know', async () => {
  const { workspace_id } = due;
  await createWorkspace(due);
  await fill(due);
  const hang = Promise.withResolvers<void>();
  const slow: Send = async () => {
    await hang.promise;
    return status(200);
  };
  const attempt = deliverAttempt(messageOf(due, 1), slow);
  const isKnown = async () =>
    workspaces.hasSlowReceivers(await getItem(keys.workspace(workspace_id)), Date.now());
  const held = async () =>
    Object.keys(Object((await getItem(keys.deliverySlots(workspace_id)))?.held)).length;
  await expect.poll(isKnown, { timeout: 10_000 }).toBe(true);
  await expect.poll(held, { timeout: 10_000 }).toBe(limits.delivery_slots_per_workspace + 1);
  await slots.release({ workspace_id, attempt: 'other 0' });
  expect(await slots.take({ workspace_id, attempt: 'one more' }, wish())).toBeUndefined();
  hang.resolve();
  await attempt;
  expect(await slots.take({ workspace_id, attempt: 'one more' }, wish())).toBeDefined();
});

// Deliveries on a virtual clock: exact delays, and a death of the process at every call it makes.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome } from '#outbound/request.ts';
import { useTable } from '../../support/table.ts';
import { newDelivery, receiver, refused, replaceNeighbours, status } from './deliveries.ts';
import { type CrashPoint, play } from './virtual-queue.ts';

useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  replaceNeighbours();
});
afterEach(() => {
  vi.useRealTimers();
});

const story = async (outcomes: Outcome[], crash?: CrashPoint) => {
  const post = receiver(...outcomes);
  const told = await play(await newDelivery(), post, crash);
  return { ...told, posts: post.posts };
};

test('attempts are made at once, 30 s after the first and 120 s after the second', async () => {
  const { posted_at, delivery } = await story([status(500), refused, status(503)]);
  expect(posted_at).toEqual([0, 30_000, 150_000]);
  expect(delivery).toMatchObject({ status: 'failed', attempts: [{}, {}, {}] });
});

test.each([1, 2, 3])(
  'a webhook accepted at attempt %i is delivered with exactly that many posts',
  async (n) => {
    const { posted_at, delivery } = await story([...Array<Outcome>(n - 1).fill(status(500)), status(204)]);
    expect(posted_at).toHaveLength(n);
    expect(delivery?.status).toBe('delivered');
  },
);

test('after a crash at any point, a delivery that could succeed does, with one event id and at most one extra post', async () => {
  const whole = await story([status(500), status(200)]);
  expect(whole.calls).toBeGreaterThanOrEqual(8);
  for (let call = 1; call <= whole.calls; call += 1) {
    for (const when of ['before', 'after'] as const) {
      replaceNeighbours();
      const { delivery, posts } = await story([status(500), status(200)], { call, when });
      expect({ call, when, status: delivery?.status }).toEqual({ call, when, status: 'delivered' });
      expect(posts.length).toBeLessThanOrEqual(3);
      expect(new Set(posts.map(({ headers }) => headers['X-Service-Event-Id'])).size).toBe(1);
    }
  }
});

test('after a crash at any point, a delivery that cannot succeed ends as failed after at most four posts', async () => {
  const whole = await story([status(500)]);
  for (let call = 1; call <= whole.calls; call += 1) {
    for (const when of ['before', 'after'] as const) {
      replaceNeighbours();
      const { delivery, posts } = await story([status(500)], { call, when });
      expect({ call, when, status: delivery?.status }).toEqual({ call, when, status: 'failed' });
      expect(posts.length).toBeLessThanOrEqual(4);
      expect(delivery?.attempts).toHaveLength(3);
    }
  }
});

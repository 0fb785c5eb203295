// The queue, its consumer and the sweep on a virtual clock, with a process that can die at any call it makes.
import { vi } from 'vitest';
import { resendOverdueDeliveries } from '#domain/recovery/resend-overdue-deliveries.ts';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { DeliveryMessage } from '#orchestration/delivery-queue.ts';
import type { Send } from '#outbound/request.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { aroundTable } from '../../support/around-table.ts';
import { onEnqueue } from '../../support/fakes.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { type Due, placeOf } from './deliveries.ts';

const VISIBILITY_MS = 120_000;
const MAX_RECEIVES = 5;
const SWEEP_MS = 60_000;
const END_MS = 3600_000;

/** The process died here: nothing after this call happens. */
class Crash extends Error {}

/**
 * Which call of the process (table, queue or receiver, counted from 1) it dies at, before or after the call takes
 * effect.
 */
export interface CrashPoint {
  call: number;
  when: 'before' | 'after';
}

export interface Story {
  /** Virtual time of each POST, in ms from the start. */
  posted_at: number[];
  calls: number;
  delivery: deliveries.DeliveryRecord | undefined;
}

/** Plays a delivery from its first message until it is over, or an hour has passed. The clock must be a fake one. */
export async function play(due: Due, receiver: Send, crash?: CrashPoint): Promise<Story> {
  const startedAt = Date.now();
  const posted_at: number[] = [];
  let calls = 0;
  let watching = false;
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Crash();
  };
  const dying = async <T>(act: () => Promise<T>): Promise<T> => {
    if (watching) return act();
    if (dead) return die();
    calls += 1;
    const mine = calls === crash?.call ? crash.when : undefined;
    if (mine === 'before') return die();
    const result = await act();
    return mine === 'after' ? die() : result;
  };
  const restore = aroundTable((_, carryOut) => dying(carryOut));
  const waiting: { message: DeliveryMessage; at: number; receives: number }[] = [];
  const wait = (message: DeliveryMessage, delayMs: number) =>
    waiting.push({ message, at: Date.now() + delayMs, receives: 0 });
  onEnqueue(({ message, delay = 0 }) =>
    dying(async () => {
      wait(DeliveryMessage.parse(message), delay * 1000);
    }),
  );
  const post: Send = (request) =>
    dying(() => {
      posted_at.push(Date.now() - startedAt);
      return receiver(request);
    });
  wait({ ...placeOf(due), attempt: 1 }, 0);
  let sweepAt = startedAt + SWEEP_MS;
  const look = async () => {
    watching = true;
    const delivery = await deliveries.get(placeOf(due));
    watching = false;
    return delivery;
  };
  try {
    while (Date.now() - startedAt < END_MS && (waiting.length > 0 || (await look())?.status === 'pending')) {
      dead = false;
      const next = waiting.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > sweepAt) {
        vi.setSystemTime(sweepAt);
        sweepAt += SWEEP_MS;
        await resendOverdueDeliveries(sweepTime(Date.now())).catch(onlyCrash);
        continue;
      }
      vi.setSystemTime(Math.max(next.at, Date.now()));
      next.at += VISIBILITY_MS;
      next.receives += 1;
      const done = (await deliverAttempt(next.message, post).catch(onlyCrash)) === 'done';
      if (done || next.receives === MAX_RECEIVES) waiting.splice(waiting.indexOf(next), 1);
    }
  } finally {
    restore();
  }
  return { posted_at, calls, delivery: await look() };
}

function onlyCrash(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

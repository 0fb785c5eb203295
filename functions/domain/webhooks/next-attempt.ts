// The next attempt of a delivery: when it may be made, and its message (rules.md: webhooks 9, webhooks 10).
import { limits } from '#contract/limits.ts';
import type { DeliveryAttempt } from '#contract/webhooks.ts';
import type { DeliveryMessage } from '#orchestration/delivery-queue.ts';
import type { DeliveryRecord } from '#store/runs/deliveries.ts';

/** An attempt that takes as long counts as one that may take its ten seconds. */
export const SLOW_MS = 1000;

/** Until when a delivery is left alone after its last attempt, epoch ms. */
export function restsUntil({ attempts }: Pick<DeliveryRecord, 'attempts'>): number {
  const last = attempts.at(-1);
  return last ? last.at + last.duration_ms + limits.delivery_gap_ms : 0;
}

/** The delay of a message for the next attempt, which finds the rest over: redeliveries that wait would bunch. */
export function restSeconds(delivery: Pick<DeliveryRecord, 'attempts'>, now: number): number {
  return Math.max(0, Math.ceil((restsUntil(delivery) - now) / 1000));
}

type Attempted = Pick<
  DeliveryRecord,
  'workspace_id' | 'run_id' | 'event_id' | 'next_attempt' | 'redelivered' | 'attempts'
>;

/** The message of the next attempt. */
export function nextAttempt(delivery: Attempted): DeliveryMessage {
  const { workspace_id, run_id, event_id, next_attempt, redelivered, attempts } = delivery;
  return {
    workspace_id,
    run_id,
    event_id,
    attempt: next_attempt,
    ...(redelivered && { redelivered }),
    ...(wasSlow(attempts.at(-1)) && { slow: true }),
  };
}

const wasSlow = (last: DeliveryAttempt | undefined) => last !== undefined && last.duration_ms >= SLOW_MS;

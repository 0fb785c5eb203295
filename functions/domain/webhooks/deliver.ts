// One attempt to deliver a webhook: claimed, posted, recorded, and the next attempt enqueued.

import { limits } from '#contract/limits.ts';
import type { DeliveryKey } from '#contract/run-keys.ts';
import type { DeliveryAttempt } from '#contract/webhooks.ts';
import { type DeliveryMessage, enqueueAttempt } from '#orchestration/delivery-queue.ts';
import { type Outcome, type Send, send } from '#outbound/request.ts';
import { log } from '#platform/log.ts';
import { observe } from '#platform/observations.ts';
import { jitter, pause } from '#platform/pause.ts';
import { attemptTraceparent } from '#platform/trace-context.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import * as runs from '#store/runs/runs.ts';
import { classifyAttempt } from './classify.ts';
import { nextAttempt, restsUntil } from './next-attempt.ts';
import { type Share, takeShare } from './share.ts';
import { webhookHeaders } from './sign.ts';
import { signingSecrets } from './signing-secret.ts';

/** Longer than the function's timeout: the owner of an expired lease is dead. */
const LEASE_MS = 30_000;

/** Longest time between two looks of an attempt for room. */
const WAIT_MAX_SECONDS = 5;
/** The sweep hears of a delay every so many times: the time between is shorter than it leaves to the queue. */
const SAVED_EVERY = 8;

/**
 * Makes the attempt that a message names, once: `done` when this or an earlier call made it, or when it goes back to
 * the queue until its workspace may make more; `busy` while another invocation may be making it, so the message must
 * stay on the queue. A crash after the POST repeats it with the same event id. Throws when the secret or the queue is
 * unavailable (rules.md: webhooks).
 */
export async function deliverAttempt(
  message: DeliveryMessage,
  post: Send = send,
  queuedMs = 0,
): Promise<'done' | 'busy'> {
  const share = await takeShare(message, queuedMs, LEASE_MS);
  if (!share) return putBack(message);
  try {
    return await attemptWithin(share, message, post);
  } finally {
    await share.release();
  }
}

/** Later, and later again each time. The sweep knows of the delay, so it sends no second message. */
async function putBack({ waited = 0, ...message }: DeliveryMessage): Promise<'done'> {
  const { attempt, workspace_id, run_id, event_id } = message;
  const delaySeconds = Math.ceil(jitter(Math.min(2 ** (waited + 1), WAIT_MAX_SECONDS)));
  const dueAt = Date.now() + delaySeconds * 1000 + deliveries.QUEUE_GRACE_MS;
  // After a crash in between, the sweep sends the message.
  if (waited % SAVED_EVERY === 0) {
    const key = { workspace_id, run_id, event_id };
    if (!(await deliveries.delayAttempt(key, attempt, dueAt))) return 'done';
  }
  await enqueueAttempt({ ...message, waited: waited + 1 }, delaySeconds);
  return 'done';
}

async function attemptWithin(share: Share, message: DeliveryMessage, post: Send): Promise<'done' | 'busy'> {
  const { attempt, unrotated_at, workspace_id, run_id, event_id, trace_id, request_id } = message;
  const key = { workspace_id, run_id, event_id };
  const claimed = await deliveries.claimAttempt(key, attempt, Date.now(), LEASE_MS);
  if (!claimed) return whyNotClaimed(key, attempt);
  await pause(Math.max(share.at, restsUntil(claimed)) - Date.now());
  const startedAt = Date.now();
  const outcome = await post(await requestOf(claimed, startedAt, unrotated_at));
  const verdict = classifyAttempt(outcome);
  const made = logEntry(outcome, startedAt);
  log.info('webhook attempt', { ...message, verdict, ...made });
  const delaySeconds =
    attempt < claimed.last_attempt ? limits.webhook_retry_delays_seconds[attempt - 1] : undefined;
  if (verdict !== 'retry' || delaySeconds === undefined) {
    const status = verdict === 'delivered' ? 'delivered' : 'failed';
    await deliveries.recordAttempt(claimed, made, { status });
    observe({ what: 'delivery', outcome: status });
    return 'done';
  }
  const due_at = Date.now() + delaySeconds * 1000 + deliveries.QUEUE_GRACE_MS;
  const recorded = await deliveries.recordAttempt(claimed, made, { due_at });
  if (recorded) await enqueueAttempt({ ...nextAttempt(recorded), trace_id, request_id }, delaySeconds);
  return 'done';
}

async function whyNotClaimed(key: DeliveryKey, attempt: number): Promise<'done' | 'busy'> {
  const delivery = await deliveries.get(key);
  if (!delivery) {
    // Deleted with its run, or lost.
    if (!(await runs.get(key.workspace_id, key.run_id))) return 'done';
    throw new Error(`delivery ${key.event_id} does not exist`);
  }
  return delivery.status !== 'pending' || delivery.next_attempt > attempt ? 'done' : 'busy';
}

async function requestOf(
  delivery: deliveries.DeliveryRecord,
  nowMs: number,
  unrotatedAt: number | undefined,
): Promise<Parameters<Send>[0]> {
  const { event_id: eventId, api_version: apiVersion, url, body, key_id, run_id: id, traceparent } = delivery;
  const timestampSeconds = Math.floor(nowMs / 1000);
  const headers = webhookHeaders(
    {
      eventId,
      apiVersion,
      traceparent: attemptTraceparent({ id, traceparent }, eventId, delivery.next_attempt),
    },
    { secretsHex: await signingSecrets(key_id, nowMs, unrotatedAt), body, timestampSeconds },
  );
  return { method: 'POST', url, headers, body, timeoutMs: limits.webhook_timeout_ms };
}

/** An attempt in the delivery log: a status code or an error, never a response body. */
function logEntry(outcome: Outcome, at: number): DeliveryAttempt {
  const { duration_ms } = outcome;
  switch (outcome.kind) {
    case 'response':
      return { at, status_code: outcome.status, duration_ms };
    case 'blocked':
      return { at, error: `blocked: ${outcome.reason}`, duration_ms };
    case 'failed':
      return { at, error: outcome.error, duration_ms };
  }
}

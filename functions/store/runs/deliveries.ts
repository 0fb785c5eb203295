// Webhook deliveries: saved with the end of a run, claimed attempt by attempt.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import type { DeliveryKey } from '#contract/run-keys.ts';
import { DeliveryAttempt } from '#contract/webhooks.ts';
import { getItem, getItems, queryAll, table, tableName, takesEffect, type Write } from '../table/table.ts';
import { due, duePartition, failedDeliveries, keys } from '../table/table-keys.ts';

export const DeliveryRecord = z.object({
  workspace_id: z.string(),
  run_id: z.string(),
  event_id: z.string(),
  /** When it was created, as in the index of the workspace; absent on deliveries of earlier versions. */
  listed_at: z.number().optional(),
  event_type: z.enum(['run.succeeded', 'run.failed']),
  url: z.string(),
  api_version: z.string(),
  key_id: z.string(),
  /** The trace context of the run, if it was created with one. */
  traceparent: z.string().optional(),
  /** The exact bytes that every attempt posts. */
  body: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(DeliveryAttempt),
  /** Number of the attempt that may be made next, from 1; grows when one is claimed. */
  next_attempt: z.number(),
  /** Number of the last attempt that may be made; a redelivery adds one more. */
  last_attempt: z.number(),
  /** The next attempt, or the last one, was made at the request of a caller. */
  redelivered: z.literal(true).optional(),
  claimed_until: z.number().optional(),
  due_pk: z.string().optional(),
  due_at: z.number().optional(),
  /** The end of its run, if that counts from the run's completion; epoch ms. */
  retained_until: z.number().optional(),
});
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

/** How long after its due time an attempt is left to the queue; then the sweep treats its message as lost. */
export const QUEUE_GRACE_MS = 60_000;

const keyOf = (key: DeliveryKey) => keys.delivery(key.workspace_id, key.run_id, key.event_id);

/** Write that makes a delivery due; part of the commit that ends the run. */
export function deliveryWrite(delivery: DeliveryRecord): Write {
  return { Put: { TableName: tableName(), Item: { ...keyOf(delivery), ...delivery } } };
}

export async function get(key: DeliveryKey): Promise<DeliveryRecord | undefined> {
  const item = await getItem(keyOf(key));
  return item && DeliveryRecord.parse(item);
}

/** Deliveries of a run, oldest first. */
export async function list(workspaceId: string, runId: string): Promise<DeliveryRecord[]> {
  const items = await queryAll(keys.runPartition(workspaceId, runId), keys.deliveries);
  return items.map((item) => DeliveryRecord.parse(item));
}

/** The deliveries that exist among the keys, in their order. */
export async function getMany(wanted: DeliveryKey[]): Promise<DeliveryRecord[]> {
  const items = (await getItems(wanted.map(keyOf))).map((item) => DeliveryRecord.parse(item));
  const found = new Map(items.map((delivery) => [delivery.event_id, delivery]));
  return wanted.flatMap(({ event_id }) => found.get(event_id) ?? []);
}

async function update(
  key: DeliveryKey,
  input: { set: string; when: string; values: Record<string, unknown> },
): Promise<DeliveryRecord | undefined> {
  const updated = table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keyOf(key),
      UpdateExpression: input.set,
      ConditionExpression: input.when,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':pending': 'pending', ...input.values },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return (await takesEffect(updated)) ? DeliveryRecord.parse((await updated).Attributes) : undefined;
}

/**
 * Claims attempt `attempt` for `leaseMs`. Undefined if it must not be made: it was made, another claim is still valid,
 * or the delivery is over. The attempt of a dead claimant may be claimed again after its lease.
 */
export function claimAttempt(
  key: DeliveryKey,
  attempt: number,
  nowMs: number,
  leaseMs: number,
): Promise<DeliveryRecord | undefined> {
  return update(key, {
    set: 'SET claimed_until = :until',
    when: `#status = :pending AND next_attempt = :attempt AND (attribute_not_exists(claimed_until) OR claimed_until < :now)
      AND (attribute_not_exists(retained_until) OR retained_until > :now)`,
    values: { ':attempt': attempt, ':until': nowMs + leaseMs, ':now': nowMs },
  });
}

/** Where a delivery that is over stays in the index `due`: a failed one waits there for a redelivery. */
function restOf({ workspace_id, listed_at }: DeliveryRecord, status: 'delivered' | 'failed') {
  const waits = status === 'failed' && listed_at !== undefined;
  return waits
    ? {
        set: ', due_pk = :failed, due_at = :listed',
        remove: '',
        values: { ':failed': failedDeliveries(workspace_id), ':listed': listed_at },
      }
    : { set: '', remove: ', due_pk, due_at', values: {} };
}

/**
 * Records the claimed attempt, and whether the delivery is over or due again at `next.due_at`. Keeps the newest
 * attempts: redeliveries are unlimited, an item is not. Undefined if it was recorded before.
 */
export function recordAttempt(
  claimed: DeliveryRecord,
  attempt: DeliveryAttempt,
  next: { status: 'delivered' | 'failed' } | { due_at: number },
): Promise<DeliveryRecord | undefined> {
  const rest = 'status' in next ? restOf(claimed, next.status) : undefined;
  const common = 'attempts = :attempts, next_attempt = :next';
  return update(claimed, {
    set: rest
      ? `SET ${common}, #status = :status${rest.set} REMOVE claimed_until${rest.remove}`
      : `SET ${common}, due_at = :due REMOVE claimed_until`,
    // Only the claimant of the next attempt adds to the attempts.
    when: '#status = :pending AND next_attempt = :attempt',
    values: {
      ':attempt': claimed.next_attempt,
      ':next': claimed.next_attempt + 1,
      ':attempts': [...claimed.attempts, attempt].slice(-limits.delivery_attempts_stored),
      ...('status' in next ? { ':status': next.status } : { ':due': next.due_at }),
      ...rest?.values,
    },
  });
}

/** Makes an attempt due later; false if it was made, or the delivery is over. */
export async function delayAttempt(key: DeliveryKey, attempt: number, dueAt: number): Promise<boolean> {
  const delayed = await update(key, {
    set: 'SET due_at = :due',
    when: '#status = :pending AND next_attempt = :attempt',
    values: { ':attempt': attempt, ':due': dueAt },
  });
  return delayed !== undefined;
}

/**
 * Write that reopens a finished delivery for one more attempt, which the sweep sends if it was not made by `dueAt`
 * (epoch ms). Fails if another call has changed the delivery since it was read.
 */
export function reopenWrite(delivery: DeliveryRecord, dueAt: number): Write {
  return {
    Update: {
      TableName: tableName(),
      Key: keyOf(delivery),
      UpdateExpression:
        'SET #status = :pending, last_attempt = next_attempt, redelivered = :true, due_pk = :due_pk, due_at = :due',
      ConditionExpression: '#status = :read AND next_attempt = :next',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':true': true,
        ':read': delivery.status,
        ':next': delivery.next_attempt,
        ':due_pk': duePartition(due.deliveries, delivery.run_id),
        ':due': dueAt,
      },
    },
  };
}

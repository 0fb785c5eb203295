// The queues of what leaves the service when a run has ended: webhook attempts, each a message that may be delayed,
// and traces, which no webhook waits for.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { DeliveryKey, JobKey, RunKey } from '#contract/run-keys.ts';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';

const client = new SQSClient(clientSettings('sqs'));

/** Names the delivery and the attempt, and the run's trace for the log; the body is in the table. */
export const DeliveryMessage = z.strictObject({
  ...DeliveryKey.shape,
  attempt: z.number().int().positive(),
  /** When its run saw no key of the workspace in a grace (epoch ms); only in the message of a first attempt. */
  unrotated_at: z.number().optional(),
  /** A caller asked for this attempt. */
  redelivered: z.literal(true).optional(),
  /** The receiver, or another one of its workspace, was slow a short time ago. */
  slow: z.literal(true).optional(),
  /** How often it had to wait for other attempts of its workspace. */
  waited: z.number().optional(),
  trace_id: z.string().optional(),
  request_id: z.string().optional(),
});
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

/** Names an ended run whose trace goes to the operator's collector. */
export const TraceMessage = z.strictObject({
  ...RunKey.shape,
  send: z.literal('trace'),
  trace_id: z.string().optional(),
  request_id: z.string().optional(),
});
export type TraceMessage = z.infer<typeof TraceMessage>;

/** Names a job that its run has closed: its worker gets a message. */
export const JobMessage = z.strictObject({ ...JobKey.shape, send: z.literal('job_canceled') });
export type JobMessage = z.infer<typeof JobMessage>;

const MAX_DELAY_SECONDS = 900;

/** Enqueues an attempt, due in `delaySeconds` (0 to 900, the limit of SQS). */
export async function enqueueAttempt(message: DeliveryMessage, delaySeconds: number): Promise<void> {
  if (delaySeconds < 0 || delaySeconds > MAX_DELAY_SECONDS)
    throw new RangeError(`SQS cannot delay by ${delaySeconds} s`);
  await enqueue(env('DELIVERY_QUEUE_URL'), message, delaySeconds);
}

/** Enqueues the trace of a run. */
export async function enqueueTrace(message: TraceMessage): Promise<void> {
  await enqueue(env('TRACE_QUEUE_URL'), message, 0);
}

/** Enqueues the message about a job that its run has closed. */
export async function enqueueClosedJob(message: JobMessage): Promise<void> {
  await enqueue(env('DELIVERY_QUEUE_URL'), message, 0);
}

async function enqueue(
  QueueUrl: string,
  message: DeliveryMessage | TraceMessage | JobMessage,
  DelaySeconds: number,
): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: JSON.stringify(message),
      // A fair queue: a workspace with slow receivers delays only its own deliveries.
      MessageGroupId: message.workspace_id,
      DelaySeconds,
    }),
  );
}

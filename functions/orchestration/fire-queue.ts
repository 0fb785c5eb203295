// The queue of fires: one message for a monitor that may be due, delayed by the queue until then.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';

const client = new SQSClient(clientSettings('sqs'));

export const FireMessage = z.object({ workspace_id: z.string(), monitor_id: z.string() });
export type FireMessage = z.infer<typeof FireMessage>;

/** The longest delay of SQS. What is due later is left to the sweep. */
export const FIRE_DELAY_MAX_MS = 900_000;

/** Enqueues a look at a monitor after `delayMs`. A duplicate is harmless: a due time is taken once. */
export async function enqueueFire({ workspace_id, monitor_id }: FireMessage, delayMs = 0): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: env('FIRE_QUEUE_URL'),
      MessageBody: JSON.stringify({ workspace_id, monitor_id }),
      // A fair queue: the monitors of one workspace do not delay those of another.
      MessageGroupId: workspace_id,
      // Never before the due time.
      DelaySeconds: Math.ceil(Math.max(0, delayMs) / 1000),
    }),
  );
}

// Handler of the delivery queue: every message of a batch side by side; those that must come back are named.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { DeliveryMessage } from '#orchestration/delivery-queue.ts';
import { describe, log } from '#platform/log.ts';

/** Makes the attempts of a batch. Messages that are busy, failed or unreadable come back, and end in the dead-letter queue. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const handled = await Promise.all(event.Records.map(isHandled));
  const left = event.Records.filter((_, i) => !handled[i]);
  return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function isHandled({ body, messageId }: SQSRecord): Promise<boolean> {
  try {
    return (await deliverAttempt(DeliveryMessage.parse(JSON.parse(body)))) === 'done';
  } catch (error) {
    log.error('delivery message not handled', { message_id: messageId, error: describe(error) });
    return false;
  }
}

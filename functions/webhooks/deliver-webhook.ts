// Handler of the delivery queue: handles the messages of a batch in parallel and returns those that SQS must deliver again.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { DeliveryMessage } from '#orchestration/delivery-queue.ts';
import { describe, log } from '#platform/log.ts';

/** Makes one attempt per message. Busy, failed and unreadable messages are delivered again and end in the dead-letter queue. */
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

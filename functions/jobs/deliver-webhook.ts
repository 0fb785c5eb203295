// Handler of the delivery queue.
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { DeliveryMessage } from '#orchestration/delivery-queue.ts';

/** Makes one attempt per message. A busy delivery is retried later. */
export const handler = queueHandler(
  async (message) => (await deliverAttempt(DeliveryMessage.parse(message))) === 'done',
);

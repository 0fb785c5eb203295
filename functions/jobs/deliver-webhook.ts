// Handler of the delivery queue: webhooks, and the traces of ended runs.
import { exportTrace } from '#domain/traces/export-trace.ts';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { DeliveryMessage, TraceMessage } from '#orchestration/delivery-queue.ts';

/** Makes one attempt per message. A busy delivery is retried later, as is a trace that no collector took. */
export const handler = queueHandler(async (message) => {
  const trace = TraceMessage.safeParse(message);
  if (trace.success) return exportTrace(trace.data);
  return (await deliverAttempt(DeliveryMessage.parse(message))) === 'done';
});

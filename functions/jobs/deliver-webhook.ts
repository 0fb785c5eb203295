// Handler of the queues of webhooks and of traces.
import { sendClosed } from '#domain/jobs/closed-jobs.ts';
import { exportTrace } from '#domain/traces/export-trace.ts';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { DeliveryMessage, JobMessage, TraceMessage } from '#orchestration/delivery-queue.ts';
import { send } from '#outbound/request.ts';

/** Makes one attempt per message. A busy delivery is retried later, as is a trace that no collector took. */
export const handler = queueHandler(async (message, sentAt) => {
  const trace = TraceMessage.safeParse(message);
  if (trace.success) return exportTrace(trace.data);
  const closed = JobMessage.safeParse(message);
  if (closed.success) {
    await sendClosed(closed.data);
    return true;
  }
  const attempt = DeliveryMessage.parse(message);
  // Later attempts were delayed by the queue itself.
  const queuedMs = attempt.attempt === 1 ? Date.now() - sentAt : 0;
  return (await deliverAttempt(attempt, send, queuedMs)) === 'done';
});

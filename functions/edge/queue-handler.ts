// Handlers of queues: the messages of a batch in parallel; SQS delivers again those that were not handled, in the end to the dead letters.
import type { SQSBatchResponse, SQSEvent, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import { describe, log, logAbout } from '#platform/log.ts';

/** `handle` gets the JSON of a message and says whether it is done with it. A message that fails or cannot be read is not. */
export function queueHandler(
  handle: (message: unknown) => Promise<boolean>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  async function isHandled({ body, messageId, attributes }: SQSRecord): Promise<boolean> {
    try {
      return await logAbout(traceOf(attributes), () => handle(JSON.parse(body)));
    } catch (error) {
      log.error('message not handled', { message_id: messageId, error: describe(error) });
      return false;
    }
  }
  return async ({ Records }) => {
    const handled = await Promise.all(Records.map(isHandled));
    const left = Records.filter((_, i) => !handled[i]);
    return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** The trace of whoever sent the message: a batch has one of its own. */
function traceOf({ AWSTraceHeader }: SQSRecordAttributes): { sender_trace_id?: string } {
  const id = AWSTraceHeader?.match(/Root=([^;]+)/)?.[1];
  return id === undefined ? {} : { sender_trace_id: id };
}

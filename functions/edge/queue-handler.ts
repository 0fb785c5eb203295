// Handlers of queues: process the messages of a batch in parallel. SQS redelivers those that fail, finally to the dead
// letters.
import type { SQSBatchResponse, SQSEvent, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import * as z from 'zod';
import { describe, log, logAbout } from '#platform/log.ts';
import { traceIn } from '#platform/trace-ids.ts';

/**
 * `handle` receives the JSON of a message and when it was sent (epoch ms), and returns whether it is done. A message
 * that fails or cannot be parsed is not.
 */
export function queueHandler(
  handle: (message: unknown, sentAt: number) => Promise<boolean>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  function isHandled({ body, messageId, attributes }: SQSRecord): Promise<boolean> {
    return logAbout(aboutOf(body, attributes), async () => {
      try {
        return await handle(JSON.parse(body), Number(attributes.SentTimestamp));
      } catch (error) {
        log.error('message not handled', { message_id: messageId, error: describe(error) });
        return false;
      }
    });
  }
  return async ({ Records }) => {
    const handled = await Promise.all(Records.map(isHandled));
    const left = Records.filter((_, i) => !handled[i]);
    return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** The ids in a message that go into the log. */
const About = z.object({
  trace_id: z.string().optional(),
  request_id: z.string().optional(),
  workspace_id: z.string().optional(),
  run_id: z.string().optional(),
});

/** What a message is about. Without a trace in the body it belongs to its sender's trace: the batch has another one. */
function aboutOf(body: string, { AWSTraceHeader }: SQSRecordAttributes): z.infer<typeof About> {
  const { trace_id = traceIn(AWSTraceHeader), ...ids } = About.safeParse(readable(body)).data ?? {};
  return { trace_id, ...ids };
}

function readable(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

// The functions of a stand-in for AWS that runs none itself: the tasks of executions, for which it asks on loopback, and
// the one that takes messages from the queue of deliveries.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { env } from '#platform/env.ts';
import { handler as deliverWebhook } from '../../../../functions/jobs/deliver-webhook.ts';
import { handler as executeSteps } from '../../../../functions/jobs/execute-steps.ts';
import { handler as failRun } from '../../../../functions/jobs/fail-run.ts';
import { handler as parkRun } from '../../../../functions/jobs/park-run.ts';

const LOOKS_EVERY_MS = 500;

const tasks = Object.entries({ ExecuteSteps: executeSteps, ParkRun: parkRun, FailRun: failRun });

/** Answers as Lambda does: a payload, or the error that the function throws. */
async function invoked(path: string, event: unknown): Promise<object> {
  const [, task] = tasks.find(([name]) => path.includes(name)) ?? [];
  if (!task) throw new Error(`no task is at ${path}`);
  try {
    await task(event);
    return { payload: null };
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    return { error: { errorType: name, errorMessage: message, trace: stack?.split('\n') } };
  }
}

const queue = new SQSClient();

/** Hands what is in the queue of deliveries to its function. */
async function deliverQueued(): Promise<void> {
  const QueueUrl = env('DELIVERY_QUEUE_URL');
  const { Messages = [] } = await queue.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
  );
  for (const { MessageId = '', ReceiptHandle = '', Body = '' } of Messages) {
    const record = { messageId: MessageId, body: Body, attributes: { SentTimestamp: String(Date.now()) } };
    const { batchItemFailures } = await deliverWebhook({ Records: [record] } as SQSEvent);
    if (batchItemFailures.length === 0)
      await queue.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}

/** Serves the tasks at a port, and looks into the queue each half second, until the process ends. */
export async function hostFunctions(port: number): Promise<void> {
  const server = createServer(async (request, response) => {
    const answer = await invoked(decodeURIComponent(request.url ?? ''), await json(request));
    response.end(JSON.stringify(answer));
  });
  server.listen(port, '127.0.0.1').unref();
  await once(server, 'listening');
  setInterval(() => void deliverQueued(), LOOKS_EVERY_MS).unref();
}

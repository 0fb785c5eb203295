// SQS event source mappings: pass messages to a function and delete those it finished; others become visible again.
import { onceThereIsRoom } from '../files/sqlite-file.ts';
import { isObject, listAt, numberAt, objectAt, optionalString, stringAt } from '../json-values.ts';
import type { LambdaHost } from '../lambda/host/lambda-host.ts';
import { SetupError } from '../setup-error.ts';
import { REGION } from '../template/attributes.ts';
import type { Resource, Stack } from '../template/template.ts';
import type { Queue, ReceivedMessage } from './message-store.ts';
import type { Queues } from './queues.ts';

/** Maps a queue to a function. */
export interface Mapping {
  queue: Queue;
  functionName: string;
  batchSize: number;
  maxConcurrency: number;
  reportsFailures: boolean;
}

const WAIT_MS = 20_000;
const DEFAULT_CONCURRENCY = 10;

/** Reads the enabled mappings. Throws SetupError for an unsupported source or setting. */
export function readMappings(stack: Stack, queues: Queues): Mapping[] {
  return stack
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.Enabled !== false)
    .map((resource) => readMapping(resource, queues));
}

function readMapping({ id, properties }: Resource, queues: Queues): Mapping {
  const source = stringAt(properties.EventSourceArn, `${id}.EventSourceArn`);
  const queue = source.startsWith('arn:aws:sqs:') ? queues.find(source.split(':').at(-1) ?? '') : undefined;
  if (!queue)
    throw new SetupError(`${id}: the local runtime knows event sources only for the stack's queues`);
  if (properties.FilterCriteria !== undefined)
    throw new SetupError(`${id}: the local runtime knows no FilterCriteria`);
  const scaling = objectAt(properties.ScalingConfig, `${id}.ScalingConfig`);
  return {
    queue,
    functionName: stringAt(properties.FunctionName, `${id}.FunctionName`).replace(/^arn:.*:function:/, ''),
    batchSize: Math.min(10, numberAt(properties.BatchSize, 10, `${id}.BatchSize`)),
    maxConcurrency: numberAt(scaling.MaximumConcurrency, DEFAULT_CONCURRENCY, `${id}.MaximumConcurrency`),
    reportsFailures: listAt(properties.FunctionResponseTypes, id).includes('ReportBatchItemFailures'),
  };
}

/** Polls the queue until the signal fires; messages in flight then become visible again later. */
export async function poll(
  mapping: Mapping,
  queues: Queues,
  lambda: LambdaHost,
  signal: AbortSignal,
): Promise<void> {
  let running = 0;
  let freed: (() => void) | undefined;
  while (!signal.aborted) {
    if (running >= mapping.maxConcurrency) {
      await new Promise<void>((resolve) => {
        freed = resolve;
      });
      continue;
    }
    const batch = await queues.receive(mapping.queue, mapping.batchSize, WAIT_MS, signal);
    if (batch.length === 0) continue;
    running += 1;
    void handOver(mapping, batch, queues, lambda, signal).finally(() => {
      running -= 1;
      freed?.();
    });
  }
}

async function handOver(
  mapping: Mapping,
  batch: ReceivedMessage[],
  queues: Queues,
  lambda: LambdaHost,
  signal: AbortSignal,
): Promise<void> {
  const event = { Records: batch.map((message) => record(mapping.queue, message)) };
  const result = await lambda.invoke(mapping.functionName, JSON.stringify(event));
  if (!result.ok || signal.aborted) return;
  const failed = mapping.reportsFailures ? failures(JSON.parse(result.payload), batch) : new Set<string>();
  const done = batch.filter(({ id }) => !failed.has(id));
  const remove = () => done.forEach(({ receipt }) => void queues.remove(mapping.queue, receipt));
  await onceThereIsRoom(remove, () => !signal.aborted);
}

/** The ids that a function reports as failed. An unknown id fails the whole batch, as on AWS. */
function failures(reply: unknown, batch: ReceivedMessage[]): Set<string> {
  const listed = isObject(reply) && Array.isArray(reply.batchItemFailures) ? reply.batchItemFailures : [];
  const known = new Set(batch.map((message) => message.id));
  const named = listed.map((item) => (isObject(item) ? (optionalString(item.itemIdentifier) ?? '') : ''));
  return named.every((id) => known.has(id)) ? new Set(named) : known;
}

function record(queue: Queue, message: ReceivedMessage): object {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: {},
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: REGION,
  };
}

/** Attributes that SQS itself sets. */
function systemAttributes(message: ReceivedMessage): Record<string, string> {
  return {
    ApproximateReceiveCount: String(message.receives),
    SentTimestamp: String(message.sent_at),
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: String(message.first_received_at),
  };
}

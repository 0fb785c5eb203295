// Ended runs -> queue -> one signed POST per message. Later attempts are new, delayed messages.
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import { WorkQueue } from './work-queue.ts';

/** Concurrent invocations: bounds what a slow receiver costs. */
const MAX_CONCURRENCY = 50;
const BATCH_SIZE = 10;
const MAX_RECEIVE_COUNT = 5;

/** The queue of deliveries that are due. */
export const deliveryQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'Deliveries', {
    worker: 'DeliverWebhook',
    maxReceiveCount: MAX_RECEIVE_COUNT,
    names: ['DeliveryQueue', 'DeadLetters'],
  });

/** The function that empties the queue. It handles a batch in parallel; only the failed messages come back. */
export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps, queue: IQueue) {
    super(scope, id);
    const deliver = new ServiceFunction(this, 'DeliverWebhook', props);
    deliver.addEventSource(
      new SqsEventSource(queue, {
        batchSize: BATCH_SIZE,
        maxConcurrency: MAX_CONCURRENCY,
        reportBatchItemFailures: true,
      }),
    );
  }
}

// Ended runs -> queue -> one signed POST per message. Later attempts are new, delayed messages.
import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { fixLogicalId } from './logical-id.ts';
import { permissions } from './permissions.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** Concurrent invocations: bounds what a slow receiver costs. */
const MAX_CONCURRENCY = 50;
const BATCH_SIZE = 10;
const MAX_RECEIVE_COUNT = 5;

/** The queue of deliveries that are due, and its dead-letter queue. Messages hold ids only. */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(6 * (permissions.DeliverWebhook.timeout_seconds ?? 10)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
    fixLogicalId(this.queue, 'DeliveryQueue');
    fixLogicalId(this.deadLetters, 'DeadLetters');
  }
}

/** The function that empties the queue. It handles a batch in parallel; only the failed messages come back. */
export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps, queue: Queue) {
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

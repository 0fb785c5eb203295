// A queue of work, its dead-letter queue and the function that empties it. Messages contain only ids.
import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionName } from '../entries.ts';
import { permissions } from '../permissions.ts';
import { fixLogicalId } from './logical-id.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

export interface WorkQueueProps {
  /** The function that empties the queue. A message is hidden for six times its timeout, as AWS recommends. */
  worker: FunctionName;
  batchSize: number;
  /** Concurrent invocations of the worker. */
  maxConcurrency: number;
  /** How often a message is received before it goes to the dead-letter queue. */
  maxReceiveCount: number;
  /** Logical ids of the queue and of its dead-letter queue. */
  names: readonly [queue: string, deadLetters: string];
}

/** The queue exists before its worker: functions that send to it are created earlier. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  private readonly props: WorkQueueProps;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.props = props;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(6 * (permissions[props.worker].timeout_seconds ?? 10)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceiveCount },
    });
    fixLogicalId(this.queue, props.names[0]);
    fixLogicalId(this.deadLetters, props.names[1]);
  }

  /**
   * Creates the worker below `scope`, which also empties the `others`, at the same time. Only the messages that it
   * reports as failed return to their queue.
   */
  addWorker(scope: Construct, props: ServiceFunctionProps, others: readonly WorkQueue[] = []): void {
    const emptied = [this, ...others];
    const consumes = emptied.map(({ queue }) => queue);
    const worker = new ServiceFunction(scope, this.props.worker, props, { consumes });
    for (const { queue, props: own } of emptied) {
      const { batchSize, maxConcurrency } = own;
      const settings = { batchSize, maxConcurrency, reportBatchItemFailures: true };
      worker.addEventSource(new SqsEventSource(queue, settings));
    }
  }
}

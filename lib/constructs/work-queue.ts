// A queue of work for one function, and its dead-letter queue. Messages hold ids only.
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionName } from '../entries.ts';
import { permissions } from '../permissions.ts';
import { fixLogicalId } from './logical-id.ts';

export interface WorkQueueProps {
  /** The function that empties the queue. A message is hidden for six times its timeout. */
  worker: FunctionName;
  /** So often a message is tried before it goes to the dead letters. */
  maxReceiveCount: number;
  /** Logical ids of the queue and of its dead-letter queue. */
  names: readonly [queue: string, deadLetters: string];
}

export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { worker, maxReceiveCount, names }: WorkQueueProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(6 * (permissions[worker].timeout_seconds ?? 10)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
    fixLogicalId(this.queue, names[0]);
    fixLogicalId(this.deadLetters, names[1]);
  }
}

// Indexes of records: what is due, and every night all of them -> queue -> one compaction or audit per message.
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import { WorkQueue } from './work-queue.ts';

/** Concurrent jobs: bounds what they read of the table, beside the runs. */
const MAX_CONCURRENCY = 5;
const MAX_RECEIVE_COUNT = 3;

/** The queue of compactions and audits. */
export const recordJobQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'RecordJobQueues', {
    worker: 'CompactRecords',
    maxReceiveCount: MAX_RECEIVE_COUNT,
    names: ['RecordQueue', 'RecordDeadLetters'],
  });

/** The function that does the jobs, one at a time on a disk of its own, and the one that queues the audits at night. */
export class RecordJobs extends Construct {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps, queue: IQueue) {
    super(scope, id);
    const compactRecords = new ServiceFunction(this, 'CompactRecords', props);
    compactRecords.addEventSource(
      new SqsEventSource(queue, {
        batchSize: 1,
        maxConcurrency: MAX_CONCURRENCY,
        reportBatchItemFailures: true,
      }),
    );
    const startAudits = new ServiceFunction(this, 'StartAudits', props);
    new Rule(this, 'EveryNight', {
      schedule: Schedule.cron({ hour: '2', minute: '0' }),
      targets: [new LambdaFunction(startAudits, { retryAttempts: 2 })],
    });
  }
}

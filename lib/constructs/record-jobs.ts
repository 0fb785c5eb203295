// Record indexes: those that are due, and all of them every night -> queue -> one compaction or audit per message.
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import { WorkQueue } from './work-queue.ts';

/** The queue of compactions and audits. */
export const recordJobQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'RecordJobQueues', {
    worker: 'CompactRecords',
    // A job needs the function's whole disk.
    batchSize: 1,
    // Bounds how much of the table's capacity jobs take from runs.
    maxConcurrency: 5,
    maxReceiveCount: 3,
    names: ['RecordQueue', 'RecordDeadLetters'],
  });

/** The function that does the jobs, and the one that queues all audits at night. */
export class RecordJobs extends Construct {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps, jobs: WorkQueue) {
    super(scope, id);
    jobs.addWorker(this, props);
    const startAudits = new ServiceFunction(this, 'StartAudits', props);
    new Rule(this, 'EveryNight', {
      schedule: Schedule.cron({ hour: '2', minute: '0' }),
      targets: [new LambdaFunction(startAudits, { retryAttempts: 2 })],
    });
  }
}

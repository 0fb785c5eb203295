// Record indexes: the function that reads them for all others; those that are due -> queue -> one compaction per
// message; a seventh of all, every night -> queue -> one audit per message.
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import { WorkQueue } from './work-queue.ts';

const ofJobs = {
  // A job needs the function's whole disk.
  batchSize: 1,
  // Bounds how much of the table's capacity jobs take from runs.
  maxConcurrency: 5,
  maxReceiveCount: 3,
};

/** The queue of compactions. */
export const compactionQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'Compactions', {
    ...ofJobs,
    worker: 'CompactRecords',
    names: ['CompactionQueue', 'CompactionDeadLetters'],
  });

/** The queue of audits: those of a night may take hours, and no compaction waits for them. */
export const auditQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'Audits', {
    ...ofJobs,
    worker: 'AuditRecords',
    names: ['AuditQueue', 'AuditDeadLetters'],
  });

/** The function that reads indexes, those that do the jobs, and the one that queues a night's audits. */
export class RecordJobs extends Construct {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps, queues: readonly WorkQueue[]) {
    super(scope, id);
    new ServiceFunction(this, 'Records', props);
    for (const queue of queues) queue.addWorker(this, props);
    const startAudits = new ServiceFunction(this, 'StartAudits', props);
    new Rule(this, 'EveryNight', {
      schedule: Schedule.cron({ hour: '2', minute: '0' }),
      targets: [new LambdaFunction(startAudits, { retryAttempts: 2 })],
    });
  }
}

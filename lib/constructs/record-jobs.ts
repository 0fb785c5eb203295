// Record indexes: the function that reads them for all others; those that are due -> queue -> one compaction per
// message; a seventh of all, every night -> queue -> one audit per message.
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { WorkQueue } from './work-queue.ts';

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

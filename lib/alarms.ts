// What an operator must hear of. Subscribe to the topic to be told.
import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { RecordJobs } from './record-jobs.ts';
import { SERVICE_NAME } from './service-function.ts';
import type { WorkQueue } from './work-queue.ts';
import type { Workflow } from './workflow.ts';

interface Watched {
  api: RestApi;
  workflow: Workflow;
  deliveries: WorkQueue;
  records: RecordJobs;
  recordJobs: WorkQueue;
  dataKey: Key;
}

const period = Duration.minutes(5);
const OLDEST_MESSAGE_SECONDS = 300;
/** The audits of a night wait for each other, and a compaction for them. */
const OLDEST_RECORD_JOB_SECONDS = 2 * 3600;
const SERVER_ERRORS_IN_PERIOD = 5;
const sum = { period, statistic: 'Sum' };
/** A count that functions make themselves. */
const counted = (metricName: string) =>
  new Metric({ namespace: 'RunService', metricName, dimensionsMap: { service: SERVICE_NAME }, ...sum });

/** Alarms where work could be lost or stop moving. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { api, workflow, deliveries, dataKey } = watched;
    this.topic = new Topic(this, 'Topic', { masterKey: dataKey, enforceSSL: true });
    dataKey.addToResourcePolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      }),
    );
    const { queue, deadLetters } = deliveries;
    this.add(
      'DeadLetters',
      deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
      1,
      'A delivery could not be handled',
    );
    this.add(
      'OldestDelivery',
      queue.metricApproximateAgeOfOldestMessage({ period }),
      OLDEST_MESSAGE_SECONDS,
      'Deliveries wait too long',
    );
    this.add('ExecutionsFailed', workflow.stateMachine.metricFailed(sum), 1, 'A run was ended by FailRun');
    this.add(
      'ExecutionsTimedOut',
      workflow.stateMachine.metricTimedOut(sum),
      1,
      'An execution ran out of time',
    );
    this.add('ExecuteStepsErrors', workflow.executeSteps.metricErrors(sum), 1, 'A slice of a run crashed');
    this.add('SweepErrors', workflow.sweep.metricErrors(sum), 1, 'The sweep crashed');
    this.add('ServerErrors', api.metricServerError(sum), SERVER_ERRORS_IN_PERIOD, 'The API answers 5xx');
    this.watchRecords(watched);
  }

  private watchRecords({ records, recordJobs: { queue, deadLetters } }: Watched): void {
    this.add(
      'RecordDeadLetters',
      deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
      1,
      'A compaction or an audit of records could not be done',
    );
    this.add(
      'OldestRecordJob',
      queue.metricApproximateAgeOfOldestMessage({ period }),
      OLDEST_RECORD_JOB_SECONDS,
      'Compactions and audits wait too long',
    );
    this.add('RecordJobsFailed', counted('record_job_failed'), 1, 'A compaction or an audit failed');
    this.add(
      'RecordIndexDifferent',
      counted('record_index_different'),
      1,
      'A record index was not as the table and is built anew',
    );
    const { compactRecords, startAudits } = records;
    this.add('CompactRecordsErrors', compactRecords.metricErrors(sum), 1, 'A compaction crashed');
    this.add('StartAuditsErrors', startAudits.metricErrors(sum), 1, 'The audits of a night did not start');
  }

  private add(id: string, metric: IMetric, threshold: number, description: string): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}

// The alarms as a table: where work can be lost or stall, and the limits that lead there.
import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITable, Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type StateMachine, StateTransitionMetric } from 'aws-cdk-lib/aws-stepfunctions';
import type { FunctionName } from '../entries.ts';
import type { Stage } from '../stage.ts';
import { SERVICE_NAME, type ServiceFunction } from './service-function.ts';
import { DUE_INDEX } from './storage.ts';
import type { WorkQueue } from './work-queue.ts';

/** What alarms and the dashboard observe. */
export interface Watched {
  stage: Stage;
  api: RestApi;
  table: ITable;
  stateMachine: StateMachine;
  deliveries: WorkQueue;
  traces: WorkQueue | undefined;
  compactions: WorkQueue;
  audits: WorkQueue;
  fires: WorkQueue;
  functionOf: (name: FunctionName) => ServiceFunction;
}

/** An alarm: it fires when the metric reaches the threshold within a period. */
export interface AlarmRule {
  id: string;
  metric: IMetric;
  threshold: number;
  description: string;
}

const rule = (id: string, metric: IMetric, threshold: number, description: string): AlarmRule => ({
  id,
  metric,
  threshold,
  description,
});

const period = Duration.minutes(5);
const sum = { period, statistic: 'Sum' };
const max = { period, statistic: 'Maximum' };
const OLDEST_MESSAGE_SECONDS = 300;
/** A compaction may take a quarter of an hour, and is asked for a quarter of an hour before it is needed. */
const OLDEST_COMPACTION_SECONDS = 1800;
const SERVER_ERRORS = 5;
/** Just over one half: an alarm rings at its threshold. */
const MORE_THAN_HALF = 0.500_001;
/** The SDK retries throttled calls; this many in a period are more than a burst. */
const THROTTLED_CALLS = 10;
/** At this share of the account's concurrency an operator should request more. */
const FULL_PERCENT = 80;
/** Streams opened in a period: nothing throttles the stream's own URL. */
const STREAMS_OPENED = 6000;

/** A metric that the functions emit. */
export const counted = (metricName: string) =>
  new Metric({ namespace: 'RunService', metricName, dimensionsMap: { service: SERVICE_NAME }, ...sum });

/** Each call of a model counts 1 if it failed, else 0: the average is the part that failed. */
const failedCalls = counted('model_call_failed').with({ statistic: 'Average', period: Duration.hours(1) });

/** A model goes away, and is tried in vain after 15 s, 30 s, 1 min, 2 min: so many within the time are minutes. */
const STAYS_AWAY = 4;
const timesAway = counted('model_away').with({ period: Duration.minutes(15) });

/** What the sweep repairs, by metric name. */
export const repairs = [
  'executions_started',
  'runs_woken',
  'slots_released',
  'deliveries_resent',
  'marks_taken_up',
] as const;

/**
 * Functions that alarm on every failure. The API's 5xx cover the other routes, the age of its messages each worker of a
 * queue.
 */
const watchedFunctions: readonly [FunctionName, string][] = [
  ['Start', 'Creating a run crashed'],
  ['Stream', 'An event stream crashed'],
  ['Mcp', "An agent's request crashed"],
  ['ParkRun', 'Parking a run crashed'],
  ['FailRun', 'The last resort of a run crashed'],
  ['Sweep', 'The sweep crashed'],
  ['StartAudits', 'The audits of a night did not start'],
];

/** All alarms of the service. */
export function alarmRules(watched: Watched): AlarmRule[] {
  return [
    ...queueRules('', watched.deliveries, 'delivery', OLDEST_MESSAGE_SECONDS),
    ...(watched.traces ? queueRules('Trace', watched.traces, 'trace', OLDEST_MESSAGE_SECONDS) : []),
    ...queueRules('Compaction', watched.compactions, 'compaction', OLDEST_COMPACTION_SECONDS),
    deadLetterRule('Audit', watched.audits, 'audit'),
    ...queueRules('Fire', watched.fires, 'fire', OLDEST_MESSAGE_SECONDS),
    ...runRules(watched),
    ...apiRules(watched),
    ...capacityRules(watched),
    rule(
      'ModelFailures',
      failedCalls,
      MORE_THAN_HALF,
      'Over an hour, more than half of the calls of models failed',
    ),
    rule(
      'ModelAway',
      timesAway,
      STAYS_AWAY,
      'A model stays away: runs wait for it, or another one of the list answers',
    ),
    rule('RecordJobsFailed', counted('record_job_failed'), 1, 'A compaction or an audit failed'),
    rule(
      'RecordIndexDifferent',
      counted('record_index_different'),
      1,
      'A record index differs from the table and is rebuilt',
    ),
    rule('RepairsFailed', counted('repairs_failed'), 1, 'The sweep could not mend something that is due'),
    rule('LogIllegal', counted('log_illegal'), 1, 'The log of an ended run does not lead to its state'),
    // The dashboard shows each repair by its metric: an alarm on each would cost as much again.
    rule('Healed', counted('healed'), 1, 'The sweep had to mend something that a crash left behind'),
  ];
}

function queueRules(prefix: string, work: WorkQueue, what: string, oldest: number) {
  return [
    deadLetterRule(prefix, work, what),
    rule(
      `${prefix}OldestMessage`,
      work.queue.metricApproximateAgeOfOldestMessage({ period }),
      oldest,
      `A ${what} waits too long`,
    ),
  ];
}

function deadLetterRule(prefix: string, { deadLetters }: WorkQueue, what: string): AlarmRule {
  return rule(
    `${prefix}DeadLetters`,
    deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
    1,
    `A ${what} could not be handled`,
  );
}

function runRules({ stateMachine, functionOf }: Watched): AlarmRule[] {
  return [
    rule('ExecutionsFailed', stateMachine.metricFailed(sum), 1, 'A run was ended by FailRun'),
    rule('ExecutionsTimedOut', stateMachine.metricTimedOut(sum), 1, 'An execution ran out of time'),
    rule('StartsThrottled', startsThrottled, THROTTLED_CALLS, 'Runs start late: StartExecution is throttled'),
    rule(
      'TransitionsThrottled',
      StateTransitionMetric.metricThrottledEvents(sum),
      THROTTLED_CALLS,
      'Runs go on late: state transitions are throttled',
    ),
    rule('ExecuteStepsErrors', crashedSlices(functionOf('ExecuteSteps')), 1, 'A slice of a run crashed'),
    ...watchedFunctions.map(([name, description]) =>
      rule(`${name}Errors`, functionOf(name).metricErrors(sum), 1, description),
    ),
  ];
}

/** Errors, without those that only tell the state machine what comes next. */
function crashedSlices(executeSteps: ServiceFunction): IMetric {
  return new MathExpression({
    expression: 'SUM([errors, 0 - handed_on])',
    label: 'crashed slices',
    period,
    usingMetrics: { errors: executeSteps.metricErrors(sum), handed_on: counted('slice_handed_on') },
  });
}

const startsThrottled = new Metric({
  namespace: 'AWS/States',
  metricName: 'ThrottledEvents',
  dimensionsMap: { APIName: 'StartExecution' },
  ...sum,
});

function apiRules({ api, functionOf }: Watched): AlarmRule[] {
  const stream = functionOf('Stream');
  return [
    rule('ServerErrors', api.metricServerError(sum), SERVER_ERRORS, 'The API answers 5xx'),
    rule('StreamServerErrors', stream.metric('Url5xxCount', sum), SERVER_ERRORS, 'The stream answers 5xx'),
    rule(
      'StreamsOpened',
      stream.metric('UrlRequestCount', sum),
      STREAMS_OPENED,
      'The stream is opened more often than browsers would',
    ),
  ];
}

function capacityRules({ stage, table }: Watched): AlarmRule[] {
  const full = Math.floor((stage.account_concurrency * FULL_PERCENT) / 100);
  return [
    rule(
      'Throttles',
      LambdaFunction.metricAllThrottles(sum),
      1,
      'Functions are refused for want of concurrency',
    ),
    rule(
      'Concurrency',
      LambdaFunction.metricAllConcurrentExecutions(max),
      full,
      `${FULL_PERCENT} % of the account's concurrency are in use`,
    ),
    rule('TableThrottles', tableThrottles(table), THROTTLED_CALLS, 'The table refuses reads or writes'),
    rule('TableErrors', tableErrors(table), SERVER_ERRORS, 'DynamoDB answers with server errors'),
  ];
}

/** What the functions do with the table. */
const tableOperations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.SCAN,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.BATCH_WRITE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

/** Throttled reads and writes of the table and of its index, which throttles the table's writes too. */
export function tableThrottles(table: ITable): IMetric {
  return sumOf('throttled', table, {
    reads: table.metric('ReadThrottleEvents', sum),
    writes: table.metric('WriteThrottleEvents', sum),
    due_reads: ofDueIndex(table, 'ReadThrottleEvents'),
    due_writes: ofDueIndex(table, 'WriteThrottleEvents'),
  });
}

function tableErrors(table: ITable): IMetric {
  const byOperation = tableOperations.map(
    (Operation) =>
      [
        Operation.toLowerCase(),
        table.metric('SystemErrors', { ...sum, dimensionsMap: { TableName: table.tableName, Operation } }),
      ] as const,
  );
  return sumOf('errors', table, Object.fromEntries(byOperation));
}

/**
 * The sum of metrics of the table that exist only while there is something to count. CloudWatch ignores missing data of
 * DynamoDB, so an alarm would never leave its state; reads of the index, which the sweep makes every minute, are there
 * in each period.
 */
function sumOf(label: string, table: ITable, metrics: Record<string, IMetric>): IMetric {
  return new MathExpression({
    expression: `SUM([${Object.keys(metrics).join(', ')}, 0 * always])`,
    label,
    period,
    usingMetrics: { ...metrics, always: ofDueIndex(table, 'ConsumedReadCapacityUnits') },
  });
}

function ofDueIndex(table: ITable, metricName: string): IMetric {
  const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName: DUE_INDEX };
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, ...sum });
}

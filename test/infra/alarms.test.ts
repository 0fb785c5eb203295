// The alarms: what they watch, and that each reaches the people who subscribed.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { functionNames } from '../../lib/entries.ts';
import { AlarmProperties, metricsOf, type Series, statesOf } from '../support/alarm-evaluation.ts';
import { fields, list, ofType, only, synthesize, type Template, text } from '../support/synthesize.ts';
import { roleOf, statementsOf } from './policies.ts';

const template = synthesize();

const alarmsOf = (of: Template) =>
  Object.values(ofType(of, 'AWS::CloudWatch::Alarm')).map(({ Properties }) =>
    AlarmProperties.parse(Properties),
  );
const alarms = alarmsOf(template);

/** What an alarm watches: namespace, metric and dimensions, or the expression over metrics. */
function watched({ Namespace, MetricName, Dimensions, Metrics }: AlarmProperties): string {
  if (MetricName === undefined) return Metrics.map(({ Expression }) => Expression).join('');
  return [Namespace, MetricName, ...Dimensions.map(({ Value }) => text(Value))].join(' ');
}

test('alarms watch every place where work could be lost or stall, and the ceilings that lead there', () => {
  expect(alarms.map(watched).sort()).toEqual([
    'AWS/ApiGateway 5XXError <AWS::StackName>',
    'AWS/Lambda ConcurrentExecutions',
    'AWS/Lambda Errors <FailRun>',
    'AWS/Lambda Errors <Mcp>',
    'AWS/Lambda Errors <ParkRun>',
    'AWS/Lambda Errors <Start>',
    'AWS/Lambda Errors <StartAudits>',
    'AWS/Lambda Errors <Stream>',
    'AWS/Lambda Errors <Sweep>',
    'AWS/Lambda Throttles',
    'AWS/Lambda Url5xxCount <Stream>',
    'AWS/Lambda UrlRequestCount <Stream>',
    'AWS/SQS ApproximateAgeOfOldestMessage <CompactionQueue.QueueName>',
    'AWS/SQS ApproximateAgeOfOldestMessage <DeliveryQueue.QueueName>',
    'AWS/SQS ApproximateAgeOfOldestMessage <FireQueue.QueueName>',
    'AWS/SQS ApproximateNumberOfMessagesVisible <AuditDeadLetters.QueueName>',
    'AWS/SQS ApproximateNumberOfMessagesVisible <CompactionDeadLetters.QueueName>',
    'AWS/SQS ApproximateNumberOfMessagesVisible <DeadLetters.QueueName>',
    'AWS/SQS ApproximateNumberOfMessagesVisible <FireDeadLetters.QueueName>',
    'AWS/States ExecutionsFailed <RunMachine>',
    'AWS/States ExecutionsTimedOut <RunMachine>',
    'AWS/States ThrottledEvents StartExecution',
    'AWS/States ThrottledEvents StateTransition',
    'RunService healed <AWS::StackName>',
    'RunService log_illegal <AWS::StackName>',
    'RunService model_away <AWS::StackName>',
    'RunService model_call_failed <AWS::StackName>',
    'RunService record_index_different <AWS::StackName>',
    'RunService record_job_failed <AWS::StackName>',
    'RunService repairs_failed <AWS::StackName>',
    'SUM([errors, 0 - handed_on])',
    'SUM([getitem, batchgetitem, query, scan, putitem, updateitem, deleteitem, batchwriteitem, transactwriteitems, 0 * always])',
    'SUM([reads, writes, due_reads, due_writes, 0 * always])',
  ]);
});

test('the alarm on concurrency follows what the account has', () => {
  const threshold = (of: Template) =>
    alarmsOf(of).find((alarm) => watched(alarm) === 'AWS/Lambda ConcurrentExecutions')?.Threshold;
  expect(threshold(template)).toBe(800);
  expect(threshold(synthesize({ account_concurrency: '10' }))).toBe(8);
});

describe('an alarm reaches its subscribers', () => {
  const Statement = z.object({
    Effect: z.string(),
    Action: z.union([z.string(), z.array(z.string())]).transform((action) => [action].flat()),
    Principal: z.union([z.string(), z.object({ Service: z.unknown() }), z.object({ AWS: z.unknown() })]),
    Condition: z.unknown().optional(),
  });

  /** What a resource policy allows a service of AWS to do. */
  function allowedTo(service: string, document: unknown): string[] {
    const statements = list(fields(document).Statement).map((statement) => Statement.parse(statement));
    const own = statements.filter(
      ({ Effect, Principal }) =>
        Effect === 'Allow' &&
        typeof Principal === 'object' &&
        'Service' in Principal &&
        [Principal.Service].flat().includes(service),
    );
    for (const { Condition } of own)
      expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
    return own.flatMap(({ Action }) => Action);
  }

  test('every alarm notifies the topic, whose policy and key let CloudWatch publish', () => {
    const topicId = text(template.Outputs.AlarmTopicArn?.Value).slice(1, -1);
    for (const { AlarmActions } of alarms) expect(AlarmActions.map(text)).toEqual([`<${topicId}>`]);
    const policy = only(template, 'AWS::SNS::TopicPolicy').Properties;
    expect(list(policy.Topics).map(text)).toEqual([`<${topicId}>`]);
    expect(mayPublish('cloudwatch.amazonaws.com', template)).toBe(true);
  });

  /** Whether the policies of the topic and of its key let the service publish. */
  function mayPublish(service: string, of: Template): boolean {
    const topic = only(of, 'AWS::SNS::Topic').Properties;
    const keyId = text(topic.KmsMasterKeyId).slice(1, -'.Arn>'.length);
    const granted = [
      ...allowedTo(service, only(of, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument),
      ...allowedTo(service, of.Resources[keyId]?.Properties.KeyPolicy),
    ];
    return ['sns:Publish', 'kms:Decrypt', 'kms:GenerateDataKey*'].every((action) => granted.includes(action));
  }

  test('a stage with a budget notifies the topic when a month costs more, or will', () => {
    expect(ofType(template, 'AWS::Budgets::Budget')).toEqual({});
    const own = synthesize({ monthly_budget_usd: '100' });
    const { Budget, NotificationsWithSubscribers } = only(own, 'AWS::Budgets::Budget').Properties;
    expect(Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 100, Unit: 'USD' },
    });
    const kinds = list(NotificationsWithSubscribers).map((one) => {
      const { Notification, Subscribers } = fields(one);
      expect(list(Subscribers).map((subscriber) => text(fields(subscriber).Address))).toEqual([
        text(own.Outputs.AlarmTopicArn?.Value),
      ]);
      return fields(Notification).NotificationType;
    });
    expect(kinds).toEqual(['ACTUAL', 'FORECASTED']);
    expect(mayPublish('budgets.amazonaws.com', own)).toBe(true);
    expect(mayPublish('budgets.amazonaws.com', template)).toBe(false);
  });
});

describe('each alarm can fire, and ends again', () => {
  const PERIODS = 6;
  const FIRES_AT = 2;
  /** Reads of the due index: the sweep makes some every minute. */
  const always = new Map(Array.from({ length: PERIODS }, (_, period) => [period, 4]));
  /** Metrics that take something off. */
  const subtracted = ['handed_on'];
  const named = alarms.map((alarm) => [watched(alarm), alarm] as const);
  const absent = (alarm: AlarmProperties): Record<string, Series> =>
    Object.fromEntries(metricsOf(alarm).map(({ id }) => [id, id === 'always' ? always : new Map()]));
  const causes = named.flatMap(([name, alarm]) =>
    metricsOf(alarm)
      .filter(({ id }) => id !== 'always' && !subtracted.includes(id))
      .map(({ id }) => [name, id, alarm] as const),
  );
  const quiet = Array.from({ length: PERIODS }, () => 'OK');
  const fired = quiet.map((state, period) => (period === FIRES_AT ? 'ALARM' : state));

  test.each(named)('%s is silent where nothing was ever counted', (_, alarm) => {
    expect(statesOf(alarm, absent(alarm), PERIODS)).toEqual(quiet);
  });

  test.each(causes)('%s fires when only %s has data, and in one period', (_, id, alarm) => {
    const series = { ...absent(alarm), [id]: new Map([[FIRES_AT, alarm.Threshold]]) };
    expect(statesOf(alarm, series, PERIODS)).toEqual(fired);
  });

  test.each(causes)('%s fires when %s rises above the zeros of every period', (_, id, alarm) => {
    const dense = new Map(quiet.map((_, period) => [period, period === FIRES_AT ? alarm.Threshold : 0]));
    expect(statesOf(alarm, { ...absent(alarm), [id]: dense }, PERIODS)).toEqual(fired);
  });

  test('a slice that hands its run on is no crash', () => {
    const [alarm] = alarms.filter((one) => watched(one) === 'SUM([errors, 0 - handed_on])');
    if (!alarm) throw new Error('no alarm on crashed slices');
    const both = new Map([[FIRES_AT, 3]]);
    expect(statesOf(alarm, { errors: both, handed_on: both }, PERIODS)).toEqual(quiet);
  });

  test('an alarm over expressions reads at most the ten metrics that CloudWatch allows', () => {
    for (const alarm of alarms) expect(metricsOf(alarm).length).toBeLessThanOrEqual(10);
  });

  test('errors of the table are watched for every operation that a function may call', () => {
    const granted = functionNames
      .flatMap((name) => statementsOf(template, roleOf(template, name)))
      .flatMap(({ Action }) => Action)
      .filter((action) => action.startsWith('dynamodb:'))
      // A condition check is a part of a transaction, which is written as one operation.
      .map((action) =>
        action.slice('dynamodb:'.length).toLowerCase().replace('conditioncheckitem', 'transactwriteitems'),
      );
    const [alarm] = alarms.filter((one) => watched(one).includes('transactwriteitems'));
    const operations = alarm ? metricsOf(alarm).map(({ id }) => id) : [];
    expect(operations.sort()).toEqual([...new Set([...granted, 'always'])].sort());
  });
});

test('one dashboard shows the service', () => {
  expect(only(template, 'AWS::CloudWatch::Dashboard').Properties).toHaveProperty('DashboardBody');
});

test('docs/operate.md explains every alarm', () => {
  const table = readFileSync('docs/operate.md', 'utf8').split('## Alarms')[1] ?? '';
  const explained = [...table.matchAll(/`([A-Z][\w-]+)`/g)].map(([, name = '']) => name.replace(/\W|_/g, ''));
  const names = Object.keys(ofType(template, 'AWS::CloudWatch::Alarm')).map((id) =>
    id.replace(/^Alarms/, '').replace(/[0-9A-F]{8}$/, ''),
  );
  expect(names.filter((name) => !explained.includes(name))).toEqual([]);
});

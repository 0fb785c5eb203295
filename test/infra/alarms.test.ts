// The alarms: what they watch, and that each reaches the people who subscribed.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fields, list, ofType, only, synthesize, type Template, text } from '../support/synthesize.ts';

const template = synthesize();

const Alarm = z.object({
  AlarmActions: z.array(z.unknown()),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Threshold: z.number(),
  Dimensions: z.array(z.object({ Value: z.unknown() })).default([]),
  Metrics: z
    .array(z.object({ Expression: z.string().optional(), MetricStat: z.unknown().optional() }))
    .default([]),
});
const alarmsOf = (of: Template) =>
  Object.values(ofType(of, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => Alarm.parse(Properties));
const alarms = alarmsOf(template);

/** What an alarm watches: namespace, metric and dimensions, or the expression over metrics. */
function watched({ Namespace, MetricName, Dimensions, Metrics }: z.infer<typeof Alarm>): string {
  if (MetricName === undefined) return Metrics.map(({ Expression }) => Expression).join('');
  return [Namespace, MetricName, ...Dimensions.map(({ Value }) => text(Value))].join(' ');
}

test('alarms watch every place where work could be lost or stall, and the ceilings that lead there', () => {
  expect(alarms.map(watched).sort()).toEqual([
    'AWS/ApiGateway 5XXError <AWS::StackName>',
    'AWS/Lambda ConcurrentExecutions',
    'AWS/Lambda Errors <CompactRecords>',
    'AWS/Lambda Errors <CreateRun>',
    'AWS/Lambda Errors <DeliverWebhook>',
    'AWS/Lambda Errors <FailRun>',
    'AWS/Lambda Errors <FireMonitors>',
    'AWS/Lambda Errors <Mcp>',
    'AWS/Lambda Errors <ParkRun>',
    'AWS/Lambda Errors <StartAudits>',
    'AWS/Lambda Errors <StreamEvents>',
    'AWS/Lambda Errors <Sweep>',
    'AWS/Lambda Throttles',
    'AWS/Lambda Url5xxCount <StreamEvents>',
    'AWS/Lambda UrlRequestCount <StreamEvents>',
    'AWS/SQS ApproximateAgeOfOldestMessage <DeliveryQueue.QueueName>',
    'AWS/SQS ApproximateAgeOfOldestMessage <FireQueue.QueueName>',
    'AWS/SQS ApproximateAgeOfOldestMessage <RecordQueue.QueueName>',
    'AWS/SQS ApproximateNumberOfMessagesVisible <DeadLetters.QueueName>',
    'AWS/SQS ApproximateNumberOfMessagesVisible <FireDeadLetters.QueueName>',
    'AWS/SQS ApproximateNumberOfMessagesVisible <RecordDeadLetters.QueueName>',
    'AWS/States ExecutionsFailed <RunMachine>',
    'AWS/States ExecutionsTimedOut <RunMachine>',
    'AWS/States ThrottledEvents StartExecution',
    'AWS/States ThrottledEvents StateTransition',
    'RunService healed_deliveries_resent <AWS::StackName>',
    'RunService healed_executions_started <AWS::StackName>',
    'RunService healed_marks_taken_up <AWS::StackName>',
    'RunService healed_runs_woken <AWS::StackName>',
    'RunService healed_slots_released <AWS::StackName>',
    'RunService log_illegal <AWS::StackName>',
    'RunService record_index_different <AWS::StackName>',
    'RunService record_job_failed <AWS::StackName>',
    'RunService repairs_failed <AWS::StackName>',
    'SUM(METRICS())',
    'errors - FILL(handed_on, 0)',
    'getitem + batchgetitem + query + putitem + updateitem + transactwriteitems',
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

  /** What a resource policy allows CloudWatch to do. */
  function allowedToCloudWatch(document: unknown): string[] {
    const statements = list(fields(document).Statement).map((statement) => Statement.parse(statement));
    const own = statements.filter(
      ({ Effect, Principal }) =>
        Effect === 'Allow' &&
        typeof Principal === 'object' &&
        'Service' in Principal &&
        Principal.Service === 'cloudwatch.amazonaws.com',
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
    expect(allowedToCloudWatch(policy.PolicyDocument)).toEqual(['sns:Publish']);
    const key = text(template.Resources[topicId]?.Properties.KmsMasterKeyId);
    const keyId = key.slice(1, -'.Arn>'.length);
    expect(allowedToCloudWatch(template.Resources[keyId]?.Properties.KeyPolicy)).toEqual([
      'kms:Decrypt',
      'kms:GenerateDataKey*',
    ]);
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

// What an idle stage costs a month, counted in its template at list prices of us-east-1.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { due, duePartitions } from '../../functions/store/table/table-keys.ts';
import { AlarmProperties, metricsOf } from '../support/alarm-evaluation.ts';
import { list, ofType, synthesize } from '../support/synthesize.ts';

const template = synthesize();
const MINUTES_PER_MONTH = 30 * 24 * 60;

/** USD a month for one of each: the pages aws.amazon.com/SERVICE/pricing, as of 2026. */
const prices = { alarm_metric: 0.1, key: 1, secret: 0.4 };
/** Lambda asks an empty queue with five readers, each for 20 s. The first million requests of a month are free. */
const queue = { requests_per_minute: 15, free_requests: 1e6, usd_per_request: 0.4 / 1e6 };
/** The sweep asks each partition of each kind of due item by a query of half a read unit. */
const { index: _, ...dueKinds } = due;
const QUERIES = Object.values(dueKinds).flatMap(duePartitions).length;
/** Its 43,200 invocations of some 200 ms at 512 MB, with their queries. */
const SWEEP = MINUTES_PER_MONTH * (0.2 * 0.5 * 0.0000133334 + 0.2 / 1e6 + (QUERIES * 0.5 * 0.125) / 1e6);

const count = (type: string) => Object.keys(ofType(template, type)).length;

function idlePrice(): Record<string, number> {
  const alarmMetrics = Object.values(ofType(template, 'AWS::CloudWatch::Alarm')).flatMap(({ Properties }) =>
    metricsOf(AlarmProperties.parse(Properties)),
  );
  const requests = count('AWS::Lambda::EventSourceMapping') * queue.requests_per_minute * MINUTES_PER_MONTH;
  return {
    alarms: alarmMetrics.length * prices.alarm_metric,
    keys: count('AWS::KMS::Key') * prices.key,
    secret: count('AWS::SecretsManager::Secret') * prices.secret,
    queues: Math.max(0, requests - queue.free_requests) * queue.usd_per_request,
    sweep: SWEEP,
  };
}

test('an idle stage costs less than 8 USD a month, as docs/operate.md says by part', () => {
  const parts = Object.entries(idlePrice());
  const total = parts.reduce((sum, [, usd]) => sum + usd, 0);
  expect(total).toBeLessThan(8);
  const section = readFileSync('docs/operate.md', 'utf8').split('## What a stage costs')[1] ?? '';
  const said = section.match(/^\| idle.*$/m)?.[0];
  const told = [...parts.map(([part, usd]) => `${part} ${usd.toFixed(2)}`)].join(', ');
  expect(said).toBe(`| idle, a month | ${total.toFixed(2)} USD | ${told} |`);
});

test('nothing in a stage is billed by the hour: no address, no gateway of a network, no provisioned capacity', () => {
  const types = new Set(Object.values(template.Resources).map(({ Type }) => Type.split('::')[1]));
  expect([...types].sort()).toEqual(
    [
      ...['ApiGateway', 'CloudWatch', 'DynamoDB', 'Events', 'IAM', 'KMS', 'Lambda', 'Logs'],
      ...['Release', 'S3', 'SNS', 'SQS', 'SecretsManager', 'StepFunctions'],
    ].sort(),
  );
  const provisioned = Object.values(ofType(template, 'AWS::Lambda::Function')).filter(
    ({ Properties }) => 'ProvisionedConcurrency' in Properties,
  );
  expect(list(provisioned)).toEqual([]);
});

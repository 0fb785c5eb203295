// Reading templates: intrinsics, and one clear line for whatever the runtime does not know.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Fn::Sub writes its variables so.
import { expect, test } from 'vitest';
import { awsServices } from '../../lib/local/aws-services.ts';
import { readSchedules } from '../../lib/local/eventbridge/eventbridge.ts';
import type { JsonObject } from '../../lib/local/json-values.ts';
import { readMachine, retryDelaySeconds } from '../../lib/local/step-functions/asl.ts';
import { readStack } from '../../lib/local/template/template.ts';

const addresses = { siteUrl: 'http://here', endpointUrl: 'http://endpoint' };
const stackOf = (Resources: JsonObject) => readStack({ Resources }, addresses, '/out', awsServices);
const resolvedValue = (Value: JsonObject) =>
  stackOf({
    Table: { Type: 'AWS::DynamoDB::Table' },
    Log: { Type: 'AWS::Logs::LogGroup', Properties: { Value } },
  }).resources.get('Log')?.properties.Value;

test.each([
  [{ Ref: 'Table' }, 'Table'],
  [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Table'],
  [
    { 'Fn::Sub': '${AWS::Region}/${Table.Arn}/${!kept}' },
    'us-east-1/arn:aws:dynamodb:us-east-1:000000000000:table/Table/${kept}',
  ],
  [{ 'Fn::Sub': ['${name}', { name: { Ref: 'Table' } }] }, 'Table'],
  [{ 'Fn::Join': ['-', ['a', { 'Fn::Join': ['', ['b', { Ref: 'AWS::AccountId' }]] }]] }, 'a-b000000000000'],
])('%j is resolved', (value: JsonObject, resolved) => {
  expect(resolvedValue(value)).toBe(resolved);
});

test.each([
  [{ 'Fn::If': ['a', 1, 2] }, 'does not know the intrinsic Fn::If'],
  [{ Ref: 'Nothing' }, 'refers to Nothing'],
  [{ 'Fn::GetAtt': ['Table', 'StreamArn'] }, 'Table.StreamArn'],
])('%j stops the start', (value: JsonObject, line) => {
  expect(() => resolvedValue(value)).toThrow(line);
});

test('an unknown resource type stops the start', () => {
  expect(() => stackOf({ Ship: { Type: 'AWS::Sea::Ship' } })).toThrow(
    'Ship: the local runtime does not know the resource type AWS::Sea::Ship',
  );
});

const scheduleOf = (ScheduleExpression: string) => {
  const Properties = { ScheduleExpression, Targets: [{ Arn: 'arn:aws:lambda:us-east-1:0:function:F' }] };
  return readSchedules(stackOf({ Rule: { Type: 'AWS::Events::Rule', Properties } }))[0];
};

test('a schedule that is neither a rate nor a time of day stops the start', () => {
  expect(() => scheduleOf('cron(0 1 ? * MON *)')).toThrow('cron(0 1');
});

test('a time of day is met once a day, from the next time on', () => {
  const nightly = scheduleOf('cron(30 2 * * ? *)');
  expect(nightly?.everyMs).toBe(24 * 3_600_000);
  expect(nightly?.firstInMs(Date.UTC(2026, 10, 20, 1, 30))).toBe(3_600_000);
  expect(nightly?.firstInMs(Date.UTC(2026, 10, 20, 3, 30))).toBe(23 * 3_600_000);
});

const machineOf = (state: object) =>
  JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'A', States: { A: state } });
const task = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: 'f' },
  End: true,
};

test.each([
  ['a state type', { Type: 'Map', End: true }, 'Map'],
  ['a field', { ...task, ResultPath: '$.x' }, 'ResultPath'],
  ['a resource', { ...task, Resource: 'arn:aws:states:::sqs:sendMessage' }, 'sqs:sendMessage'],
  ['a broken expression', { ...task, Output: '{% ( %}', End: true }, 'state A'],
  ['a missing target', { ...task, Next: 'B' }, 'no state B'],
])('%s that the interpreter does not know stops the start', (_, state, line) => {
  expect(() => readMachine(machineOf(state), 'Machine')).toThrow(line);
});

test('JSONPath stops the start', () => {
  expect(() => readMachine('{"StartAt":"A","States":{}}', 'Machine')).toThrow('JSONata');
});

test('retries wait by interval, rate, limit and jitter', () => {
  const rule = {
    errors: [],
    intervalSeconds: 2,
    maxAttempts: 9,
    backoffRate: 3,
    maxDelaySeconds: 10,
    fullJitter: false,
  };
  expect([1, 2, 3].map((attempt) => retryDelaySeconds(rule, attempt))).toEqual([2, 6, 10]);
  expect(retryDelaySeconds({ ...rule, fullJitter: true }, 2, () => 0.5)).toBe(3);
});

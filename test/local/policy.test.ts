// The role check: which rights a call needs, and which a role has.
import { expect, test } from 'vitest';
import type { AwsRequest } from '../../lib/local/aws-endpoint/aws-request.ts';
import { awsServices } from '../../lib/local/aws-services.ts';
import { rightsOf as rightsOnTables } from '../../lib/local/dynamodb/engine/rights.ts';
import { readPolicies } from '../../lib/local/iam/policies.ts';
import type { JsonObject } from '../../lib/local/json-values.ts';
import { rightsOf as rightsOnFunctions } from '../../lib/local/lambda/lambda.ts';
import { rightsOf as rightsOnObjects } from '../../lib/local/s3/s3.ts';
import { rightsOf as rightsOnQueues } from '../../lib/local/sqs/sqs.ts';
import { readStack } from '../../lib/local/template/template.ts';

const addresses = { siteUrl: 'http://here', endpointUrl: 'http://endpoint' };

function policiesOf(...Statement: JsonObject[]) {
  const Resources = {
    Role: { Type: 'AWS::IAM::Role' },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: { Statement } },
    },
  };
  return readPolicies(readStack({ Resources }, addresses, '/out', awsServices));
}
const put = { action: 'dynamodb:PutItem', resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/T' };
const allow = (Action: string, Resource: string) => ({ Effect: 'Allow', Action, Resource });

test.each([
  [allow('dynamodb:PutItem', put.resource), true],
  [allow('dynamodb:*', '*'), true],
  [allow('dynamodb:Put?tem', `${put.resource}*`), true],
  [allow('dynamodb:GetItem', '*'), false],
  [allow('dynamodb:PutItem', `${put.resource}/index/*`), false],
])('%j decides on a put: %s', (statement, allowed) => {
  expect(policiesOf(statement).allows('Role', put)).toBe(allowed);
});

test('a denial wins over what is allowed', () => {
  const policies = policiesOf(allow('*', '*'), { ...allow('dynamodb:Put*', '*'), Effect: 'Deny' });
  expect(policies.allows('Role', put)).toBe(false);
});

test('a key granted for use through other services gives no right to call KMS', () => {
  const Condition = { StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' } };
  const policies = policiesOf({ ...allow('kms:Decrypt', '*'), Condition });
  expect(
    policies.allows('Role', { action: 'kms:Decrypt', resource: 'arn:aws:kms:us-east-1:000000000000:key/K' }),
  ).toBe(false);
});

test('a condition on the encryption context holds for the values that it names only', () => {
  const Condition = { StringLike: { 'kms:EncryptionContext:owner': 'source *' } };
  const policies = policiesOf({ ...allow('kms:Decrypt', '*'), Condition });
  const decrypt = { action: 'kms:Decrypt', resource: 'arn:aws:kms:us-east-1:000000000000:key/K' };
  const allowsFor = (owner: string) =>
    policies.allows('Role', { ...decrypt, context: { 'kms:EncryptionContext:owner': [owner] } });
  expect([allowsFor('source W crm'), allowsFor('key_1'), policies.allows('Role', decrypt)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('the forms of owners of secrets tell keys, bridges and sources apart', () => {
  const owners = {
    'key_*': 'key_0123456789abcdef0123456789abcdef_0123456789abcdef',
    '????????-????-????-????-????????????': '01234567-89ab-4def-8123-456789abcdef',
    'source *': 'source 01234567-89ab-4def-8123-456789abcdef crm',
  };
  for (const form of Object.keys(owners)) {
    const Condition = { StringLike: { 'kms:EncryptionContext:owner': [form] } };
    const policies = policiesOf({ ...allow('kms:Decrypt', '*'), Condition });
    const resource = 'arn:aws:kms:us-east-1:000000000000:key/K';
    const allowed = Object.entries(owners).filter(([, owner]) => {
      const context = { 'kms:EncryptionContext:owner': [owner] };
      return policies.allows('Role', { action: 'kms:Decrypt', resource, context });
    });
    expect(allowed.map(([name]) => name)).toEqual([form]);
  }
});

test('a statement that the check would not judge rightly stops the start', () => {
  expect(() => policiesOf({ Effect: 'Allow', NotAction: 's3:*', Resource: '*' })).toThrow('NotAction');
  expect(() =>
    policiesOf({ ...allow('s3:*', '*'), Condition: { Bool: { 'aws:SecureTransport': 'true' } } }),
  ).toThrow('condition');
});

const request = (operation: string, input: JsonObject = {}, path = '/'): AwsRequest => ({
  caller: 'F',
  service: '',
  operation,
  input,
  method: 'POST',
  path: path.split('?')[0] ?? '',
  query: new URLSearchParams(path.split('?')[1]),
  headers: {},
  body: Buffer.alloc(0),
});

test.each([
  ['KEY#1', 'SET last_used_day = :d', undefined, true],
  ['KEY#1', 'SET #d = :d', 'attribute_exists(pk) AND last_used_day < :d', true],
  ['WS#1', 'SET last_used_day = :d', undefined, false],
  ['KEY#1', 'SET last_used_day = :d, scopes = :s', undefined, false],
  ['KEY#1', 'SET #s = :d', undefined, false],
  ['KEY#1', 'SET last_used_day = :d', 'attribute_exists(scopes)', false],
])(
  'a right to one attribute of some items: %s, %s if %s is %s',
  (key, UpdateExpression, condition, allowed) => {
    const Condition = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'last_used_day'] },
    };
    const policies = policiesOf({ ...allow('dynamodb:UpdateItem', '*'), Condition });
    const asked = request('UpdateItem', {
      ...{ TableName: 'T', Key: { pk: { S: key }, sk: { S: 'KEY' } }, UpdateExpression },
      ...(condition !== undefined && { ConditionExpression: condition }),
      ExpressionAttributeNames: { '#d': 'last_used_day', '#s': 'scopes' },
    });
    const [right = put] = rightsOnTables(asked);
    expect(policies.allows('Role', right)).toBe(allowed);
  },
);

test.each([
  ['PutItem', { Item: { pk: { S: 'WS#1#STREAMS#k' }, sk: { S: 'a' } } }, true],
  ['PutItem', { Item: { pk: { S: 'WS#1#KEYS' }, sk: { S: 'a' } } }, false],
  ['DeleteItem', { Key: { pk: { S: 'WS#1#STREAMS#k' }, sk: { S: 'a' } } }, true],
  ['DeleteItem', { Key: { pk: { S: 'WS#1' }, sk: { S: 'META' } } }, false],
])('a right to write some items: %s of %j is %s', (operation, input, allowed) => {
  const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['WS#*#STREAMS#*'] } };
  const policies = policiesOf({ ...allow(`dynamodb:${operation}`, '*'), Condition });
  const [right = put] = rightsOnTables(request(operation, { TableName: 'T', ...input }));
  expect(policies.allows('Role', right)).toBe(allowed);
});

test.each([
  [rightsOnTables, request('Query', { TableName: 'T', IndexName: 'I' }), ['dynamodb:Query table/T/index/I']],
  [
    rightsOnTables,
    request('TransactWriteItems', {
      TransactItems: [{ Put: { TableName: 'T' } }, { ConditionCheck: { TableName: 'U' } }],
    }),
    ['dynamodb:PutItem table/T', 'dynamodb:ConditionCheckItem table/U'],
  ],
  [rightsOnTables, request('BatchGetItem', { RequestItems: { T: {} } }), ['dynamodb:BatchGetItem table/T']],
  [rightsOnQueues, request('SendMessage', { QueueUrl: 'http://endpoint/0/Q' }), ['sqs:SendMessage Q']],
  [rightsOnObjects, request('GetObject', {}, '/b/k/1'), ['s3:GetObject b/k/1']],
  [rightsOnObjects, request('DeleteObject', {}, '/b/k/1'), ['s3:DeleteObject b/k/1']],
  [rightsOnObjects, request('DeleteObject', {}, '/b/k/1?versionId=7'), ['s3:DeleteObjectVersion b/k/1']],
  [rightsOnObjects, request('ListObjectVersions', {}, '/b/?versions='), ['s3:ListBucketVersions b']],
  [
    rightsOnFunctions,
    request('Invoke', {}, '/2015-03-31/functions/G/invocations'),
    ['lambda:InvokeFunction function:G'],
  ],
])('%o needs its rights', (rightsOf, asked, rights) => {
  const short = rightsOf(asked).map(
    ({ action, resource }) => `${action} ${resource.split(/000000000000:|:::/).at(-1)}`,
  );
  expect(short).toEqual(rights);
});

// The role check: which rights a call needs, and which a role holds.
import { expect, test } from 'vitest';
import type { AwsRequest } from '../../lib/local/aws-endpoint/aws-request.ts';
import { readPolicies, rightsOf } from '../../lib/local/aws-endpoint/roles.ts';
import type { JsonObject } from '../../lib/local/json-values.ts';
import { readStack } from '../../lib/local/template/template.ts';

const addresses = { siteUrl: 'http://here', endpointUrl: 'http://door' };

function policiesOf(...Statement: JsonObject[]) {
  const Resources = {
    Role: { Type: 'AWS::IAM::Role' },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: { Statement } },
    },
  };
  return readPolicies(readStack({ Resources }, addresses, '/out'));
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

test('a key granted for use through other services is no right to call KMS', () => {
  const Condition = { StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' } };
  const policies = policiesOf({ ...allow('kms:Decrypt', '*'), Condition });
  expect(
    policies.allows('Role', { action: 'kms:Decrypt', resource: 'arn:aws:kms:us-east-1:000000000000:key/K' }),
  ).toBe(false);
});

test('a statement that the check would not judge rightly stops the start', () => {
  expect(() => policiesOf({ Effect: 'Allow', NotAction: 's3:*', Resource: '*' })).toThrow('NotAction');
  expect(() =>
    policiesOf({ ...allow('s3:*', '*'), Condition: { Bool: { 'aws:SecureTransport': 'true' } } }),
  ).toThrow('condition');
});

const call = (service: AwsRequest['service'], operation: string, input: JsonObject = {}): AwsRequest => ({
  caller: 'F',
  service,
  operation,
  input,
  path: { bucket: 'b', key: 'k/1', functionName: 'G' },
  body: Buffer.alloc(0),
});

test.each([
  [call('dynamodb', 'Query', { TableName: 'T', IndexName: 'I' }), ['dynamodb:Query table/T/index/I']],
  [
    call('dynamodb', 'TransactWriteItems', {
      TransactItems: [{ Put: { TableName: 'T' } }, { ConditionCheck: { TableName: 'U' } }],
    }),
    ['dynamodb:PutItem table/T', 'dynamodb:ConditionCheckItem table/U'],
  ],
  [call('dynamodb', 'BatchGetItem', { RequestItems: { T: {} } }), ['dynamodb:BatchGetItem table/T']],
  [call('sqs', 'SendMessageBatch', { QueueUrl: 'http://door/0/Q' }), ['sqs:SendMessage Q']],
  [call('s3', 'HeadObject'), ['s3:GetObject b/k/1']],
  [call('lambda', 'Invoke'), ['lambda:InvokeFunction function:G']],
])('%j needs its rights', (asked, rights) => {
  const short = rightsOf(asked, () => undefined).map(
    ({ action, resource }) => `${action} ${resource.split(/000000000000:|:::/).at(-1)}`,
  );
  expect(short).toEqual(rights);
});

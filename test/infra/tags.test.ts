// The tags by which a bill is divided.
import { expect, test } from 'vitest';
import { synthesize } from '../support/synthesize.ts';

/** Types that CloudFormation gives no tags. None of them costs anything. */
const untagged = new Set([
  ...['Account', 'Deployment', 'GatewayResponse', 'Method', 'Resource'].map((name) => `ApiGateway::${name}`),
  ...['Alias', 'EventInvokeConfig', 'Permission', 'Url', 'Version'].map((name) => `Lambda::${name}`),
  ...['Budgets::Budget', 'IAM::Policy', 'S3::BucketPolicy', 'SNS::TopicPolicy', 'SQS::QueuePolicy'],
  'WAFv2::WebACLAssociation',
  'Custom::Release',
]);

test('every resource that can have tags has those of its service and its stage', () => {
  const { Resources } = synthesize({
    model: 'openai:m@https://models.example/v1',
    stack: 'Staging',
    vectors: 's3',
    waf_requests_per_5_minutes: '1000',
    monthly_budget_usd: '100',
    canary_minutes: '10',
  });
  const tags = [
    { Key: 'service', Value: 'run-service' },
    { Key: 'stage', Value: 'Staging' },
  ];
  const wrong = Object.entries(Resources)
    .filter(([, { Type }]) => !untagged.has(Type.replace('AWS::', '')))
    .filter(([, { Properties }]) => JSON.stringify(Properties.Tags) !== JSON.stringify(tags));
  expect(wrong.map(([id, { Type }]) => `${id}: ${Type}`)).toEqual([]);
});

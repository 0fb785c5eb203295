// Where moto is not like AWS, with the reason: all else must be alike.

/** Resource types that its CloudFormation does not make. */
export const unknownTypes: readonly string[] = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Url',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::Secret',
  // It would invoke the function, for which it needs Docker.
  'Custom::Release',
];

/** Types whose tags it reads as its API has them, with a `TagKey`, so that it makes none that has tags. */
export const misreadTags: readonly string[] = ['AWS::KMS::Key'];

/** Calls that come out otherwise there. The outcome is JSON; undefined: the call succeeds without a result. */
export const callDifferences: Readonly<Record<string, { outcome: string | undefined; reason: string }>> = {
  'sqs: a group with a space in its name is refused': {
    outcome: undefined,
    reason: 'moto does not check names of groups; the documents of SQS allow letters, digits and punctuation',
  },
};

const MINUTES = 'moto takes minutes for its thousands of writes';

/** Suites of the store that its DynamoDB is not asked for, with the reason. All others must pass there. */
export const suitesLeftOut: Readonly<Record<string, string>> = {
  'test/store/erasure/purge.test.ts': 'moto fails at a condition on a path in a map that the item lacks',
  'test/store/monitors/cost.test.ts': 'moto counts one unit for every request',
  'test/store/runs/claims.test.ts': 'its virtual time does not wait for replies over HTTP',
  'test/store/records/follow-table.test.ts': MINUTES,
  'test/store/records/import.test.ts': MINUTES,
  'test/store/records/separate-parts.test.ts': MINUTES,
  'test/store/runs/list-filters.test.ts': MINUTES,
};

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
];

/** Types whose tags it reads as its API has them, with a `TagKey`, so that it makes none that has tags. */
export const misreadTags: readonly string[] = ['AWS::KMS::Key'];

/** Calls that come out otherwise there. The outcome is JSON; undefined: the call succeeds without a result. */
export const callDifferences: Readonly<Record<string, { outcome: string | undefined; reason: string }>> = {
  'sqs: a group with a space in its name is refused': {
    outcome: undefined,
    reason: 'moto does not check names of groups; the documents of SQS allow letters, digits and punctuation',
  },
  'states: a token that no task has wakes nothing': {
    outcome: 'true',
    reason: 'moto does not execute state machines: it accepts every token',
  },
};

/** Suites of the store that its DynamoDB is asked for by default. Others take it minutes each. */
export const storeSuites: readonly string[] = [
  'test/store/costs.test.ts',
  'test/store/slots.test.ts',
  'test/store/execution/journaled-calls.test.ts',
  'test/store/execution/lost-replies.test.ts',
  'test/store/execution/run-lease.test.ts',
  'test/store/monitors/fires.test.ts',
  'test/store/monitors/marks.test.ts',
  'test/store/recovery/sweep.test.ts',
  'test/store/runs/release.test.ts',
];

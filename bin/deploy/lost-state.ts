// Which changes of a deployment would take state from the service, by what CloudFormation says of each change.
import type { Change } from '@aws-sdk/client-cloudformation';

/** What the service would lose with a resource, by its type. */
export const stateOf: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'all runs, records and keys',
  'AWS::S3::Bucket': 'all large bodies',
  'AWS::S3Vectors::VectorBucket': 'all vector indexes',
  'AWS::KMS::Key': 'the key of what it has encrypted',
  'AWS::SecretsManager::Secret': 'the secret: with the root secret, all API keys',
  'AWS::SQS::Queue': 'the messages in it',
  'AWS::StepFunctions::StateMachine': 'the executions of runs in progress',
  'AWS::SNS::Topic': 'its subscriptions',
  'AWS::ApiGateway::RestApi': 'its address, which clients know',
  'AWS::Lambda::Url': 'its address, which clients know',
};

/**
 * A line for each resource with state that the change set would remove, or would or may replace, unless its logical id
 * is `allowed`. CloudFormation knows which properties of a type can change in place, so no list of them is needed here.
 */
export function lostState(changes: readonly Change[], allowed: readonly string[]): string[] {
  return changes.flatMap(({ ResourceChange: change }) => {
    const { LogicalResourceId: id = '', ResourceType: type = '' } = change ?? {};
    const state = stateOf[type];
    const what = whatBecomes(change);
    if (state === undefined || what === undefined || allowed.includes(id)) return [];
    return [
      `${id} (${type}) ${what}: the service would lose ${state}. If you mean it: --allow-replacement ${id}`,
    ];
  });
}

function whatBecomes(change: Change['ResourceChange']): string | undefined {
  if (change?.Action === 'Remove') return 'would be removed';
  if (change?.Replacement === 'True') return 'would be replaced';
  // It depends on a value that is known only during the deployment.
  return change?.Replacement === 'Conditional' ? 'may be replaced' : undefined;
}

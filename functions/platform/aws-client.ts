// What the clients of all AWS services share.
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** AWS services that functions call through the SDK, by the names that requests are signed for. */
export type AwsServiceName = 'dynamodb' | 'kms' | 's3vectors' | 'secretsmanager' | 'sqs' | 'states';
export type ClientSettings = Pick<
  DynamoDBClientConfig,
  'endpoint' | 'httpAuthSchemes' | 'protocol' | 'requestHandler'
>;

declare global {
  /** Stands in for HTTPS to AWS where a runtime holds the services in its own process; on AWS it is not defined. */
  var awsInProcess: ((service: AwsServiceName) => ClientSettings) | undefined;
}

/**
 * A connection that died while the environment was frozen answers never: without a limit a call on it would last as long as the function
 * may. A call that is cut off is tried again by the SDK. The silence of a socket counts, not the wait for a free one: where many requests
 * share a process, that wait is no sign of trouble.
 */
const overHttps: ClientSettings = {
  requestHandler: { socketTimeout: 5000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

/** The settings of a client: how its requests reach the service. */
export function clientSettings(service: AwsServiceName): ClientSettings {
  return globalThis.awsInProcess?.(service) ?? overHttps;
}

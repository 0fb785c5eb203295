// Settings that the clients of all AWS services share.
import http from 'node:http';
import https from 'node:https';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** AWS services that functions call through the SDK, by the names that requests are signed for. */
export type AwsServiceName =
  | 'cloudformation'
  | 'dynamodb'
  | 'kms'
  | 'lambda'
  | 's3vectors'
  | 'secretsmanager'
  | 'sqs'
  | 'states';
export type ClientSettings = Pick<
  DynamoDBClientConfig,
  'endpoint' | 'httpAuthSchemes' | 'protocol' | 'requestHandler'
>;

declare global {
  /** Replaces HTTPS to AWS where a runtime has the services in its own process; not defined on AWS. */
  var awsInProcess: ((service: AwsServiceName) => ClientSettings) | undefined;
}

/**
 * What freezes an environment lets all its idle connections die: when one is silent or was reset, none that is idle is
 * used again. Else each retry would take another one of them.
 */
function forgetsIdle<A extends http.Agent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  const forget = () => {
    for (const idle of Object.values(agent.freeSockets).flat()) idle?.destroy();
  };
  agent.createConnection = (...all) =>
    connect(...all)
      ?.on('timeout', forget)
      .on('error', forget);
  return agent;
}

const POOL = { keepAlive: true, maxSockets: 50 };

/**
 * A connection that died while the environment was frozen never replies: without a limit, a call on it would last as
 * long as the function may run. The SDK retries a call that is cut off. The limit applies to a silent socket, not to
 * the wait for a free one: where many requests share a process, that wait is normal. A connect without an answer ends
 * sooner: most routes have 10 s in all.
 */
const overHttps: ClientSettings = {
  requestHandler: {
    connectionTimeout: 2000,
    socketTimeout: 5000,
    requestTimeout: 30_000,
    throwOnRequestTimeout: true,
    httpsAgent: forgetsIdle(new https.Agent(POOL)),
    httpAgent: forgetsIdle(new http.Agent(POOL)),
  },
};

/** The settings of a client; `https` replaces those of its connections to AWS. */
export function clientSettings(service: AwsServiceName, https: ClientSettings = overHttps): ClientSettings {
  return globalThis.awsInProcess?.(service) ?? https;
}

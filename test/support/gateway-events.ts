// The event of an HTTP request, from either gateway, and a Lambda context.
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda';

/** A REST API event for a request of a resource. */
export function restEvent(
  resource: string,
  sent: Partial<Pick<APIGatewayProxyEvent, 'httpMethod' | 'headers' | 'pathParameters' | 'body'>> = {},
): APIGatewayProxyEvent {
  const { httpMethod = 'GET', headers = {}, pathParameters = null, body = null } = sent;
  const identity = {
    ...{ accessKey: null, accountId: null, apiKey: null, apiKeyId: null, caller: null, clientCert: null },
    ...{ cognitoAuthenticationProvider: null, cognitoAuthenticationType: null, cognitoIdentityId: null },
    ...{ cognitoIdentityPoolId: null, principalOrgId: null, sourceIp: '127.0.0.1', user: null },
    ...{ userAgent: null, userArn: null },
  };
  return {
    ...{ httpMethod, resource, path: resource, headers, pathParameters, body, isBase64Encoded: false },
    ...{ multiValueHeaders: {}, queryStringParameters: null, multiValueQueryStringParameters: null },
    stageVariables: null,
    requestContext: {
      ...{
        accountId: '',
        apiId: '',
        authorizer: {},
        httpMethod,
        identity,
        path: resource,
        protocol: 'HTTP/1.1',
      },
      ...{ requestId: 'g', requestTimeEpoch: 0, resourceId: '', resourcePath: resource, stage: 'api' },
    },
  };
}

/** A function URL event. */
export function urlEvent(
  path: string,
  sent: { query?: string; method?: string; headers?: Record<string, string> } = {},
): APIGatewayProxyEventV2 {
  const { query = '', method = 'GET', headers = {} } = sent;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: 'anonymous',
      apiId: 'u',
      domainName: 'u',
      domainPrefix: 'u',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
      requestId: 'g',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    isBase64Encoded: false,
  };
}

/** A new context, since middlewares write to it. */
export function lambdaContext(): Context {
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: 'f',
    functionVersion: '$LATEST',
    invokedFunctionArn: '',
    memoryLimitInMB: '512',
    awsRequestId: 'l',
    logGroupName: '',
    logStreamName: '',
    getRemainingTimeInMillis: () => 10_000,
    done() {},
    fail() {},
    succeed() {},
  };
}

// The one HTTP server behind every AWS_ENDPOINT_URL_*: reads a call, lets the guards judge it, hands it to its service.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DynamoDb } from '../dynamodb/dynamodb-engine.ts';
import { messageOf } from '../json-values.ts';
import type { LambdaHost } from '../lambda/lambda-host.ts';
import type { ObjectStore } from '../s3/s3-objects.ts';
import {
  AwsError,
  type AwsReply,
  jsonError,
  jsonReply,
  type Operation,
  readBody,
  sendReply,
  xmlError,
} from './aws-protocol.ts';
import { type AwsRequest, accessKeyOf, readAwsRequest, type ServiceName } from './aws-request.ts';

/** Looks at every call on its way: may refuse it (AwsError), delay it, repeat it or change its answer. */
export type Guard = (call: AwsRequest, forward: (call: AwsRequest) => Promise<AwsReply>) => Promise<AwsReply>;

export interface EndpointOptions {
  /** Access key id → who signs with it. A call signed with another key is refused. */
  callers: ReadonlyMap<string, string>;
  /** Operations of the JSON services; DynamoDB's are forwarded to its engine. */
  operations: Partial<Record<ServiceName, Record<string, Operation>>>;
  objects: ObjectStore;
  lambda: LambdaHost;
  dynamodb: DynamoDb;
  /** The outermost first. */
  guards: Guard[];
}

const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

/** Starts the door on a free loopback port; calls wait until its options are there, for they depend on its address. */
export async function openEndpoint(
  options: Promise<EndpointOptions>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(
    (request, response) => void options.then((ready) => answer(request, response, ready)),
  );
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

/** Closes a server and every connection it has. */
export async function closeServer(server: Server): Promise<void> {
  // A server that is closed already calls back too, with an error that says so.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: EndpointOptions,
): Promise<void> {
  const isS3 = request.headers['x-amz-target'] === undefined && !request.url?.startsWith('/2015-03-31/');
  try {
    const url = new URL(request.url ?? '/', 'http://door');
    const caller = options.callers.get(accessKeyOf(request.headers.authorization) ?? '');
    if (caller === undefined)
      throw new AwsError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
        403,
      );
    const call = readAwsRequest(request, url, await readBody(request, BODY_LIMIT_BYTES), caller);
    sendReply(
      response,
      await passGuards(call, options, (allowed) => dispatch(allowed, request, url, options)),
    );
  } catch (error) {
    const fault = error instanceof AwsError ? error : new AwsError('InternalFailure', messageOf(error), 500);
    if (fault.code === 'ConnectionReset') response.destroy();
    else sendReply(response, isS3 ? xmlError(fault) : jsonError(fault));
  }
}

function passGuards(
  call: AwsRequest,
  options: EndpointOptions,
  last: (call: AwsRequest) => Promise<AwsReply>,
): Promise<AwsReply> {
  return options.guards.reduceRight<(call: AwsRequest) => Promise<AwsReply>>(
    (next, guard) => (passed) => guard(passed, next),
    last,
  )(call);
}

async function dispatch(
  call: AwsRequest,
  request: IncomingMessage,
  url: URL,
  options: EndpointOptions,
): Promise<AwsReply> {
  if (call.service === 'dynamodb') return options.dynamodb.forward(call.operation, call.body);
  if (call.service === 's3') {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    return options.objects.handle({
      method: request.method ?? 'GET',
      ...call.path,
      query: url.searchParams,
      headers,
      body: call.body,
    });
  }
  if (call.service === 'lambda') return invokeFunction(call, request, options.lambda);
  const operation = options.operations[call.service]?.[call.operation];
  if (!operation)
    throw new AwsError(
      'UnknownOperationException',
      `${call.service} ${call.operation} is not known locally.`,
    );
  return jsonReply(
    await operation(call.input),
    call.service === 'kms' || call.service === 'secretsmanager' ? '1.1' : '1.0',
  );
}

async function invokeFunction(
  call: AwsRequest,
  request: IncomingMessage,
  lambda: LambdaHost,
): Promise<AwsReply> {
  const { functionName } = call.path;
  if (!lambda.has(functionName))
    throw new AwsError('ResourceNotFoundException', `Function not found: ${functionName}`, 404);
  const kind = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  const payload = call.body.toString() || '{}';
  if (kind === 'DryRun') return { status: 204, headers: {}, body: '' };
  if (kind === 'Event') {
    lambda.invokeLater(functionName, payload);
    return { status: 202, headers: {}, body: '' };
  }
  const result = await lambda.invoke(functionName, payload);
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  if (result.ok) return { status: 200, headers, body: result.payload };
  return {
    status: 200,
    headers: { ...headers, 'x-amz-function-error': 'Unhandled' },
    body: JSON.stringify(result.error),
  };
}

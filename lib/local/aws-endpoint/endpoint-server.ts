// The HTTP server behind every AWS_ENDPOINT_URL_*: reads a request, passes it through the guards and on to its service.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isForThisHost } from '../api-gateway/host-check.ts';
import type { ServiceApi, ServiceEndpoint } from '../aws-service.ts';
import { messageOf } from '../json-values.ts';
import {
  AwsError,
  type AwsReply,
  jsonError,
  jsonReply,
  readBody,
  sendReply,
  xmlError,
} from './aws-protocol.ts';
import { type AwsRequest, readAwsRequest, signatureOf } from './aws-request.ts';

/** A service as the endpoint serves it. */
export interface ServedService {
  endpoint: ServiceEndpoint;
  api: ServiceApi;
}

type Forward = (request: AwsRequest) => Promise<AwsReply>;

/** Sees every request on its way to a service: may refuse it (AwsError), delay it, repeat it or change its answer. */
export type Guard = (request: AwsRequest, served: ServedService, forward: Forward) => Promise<AwsReply>;

export interface EndpointOptions {
  /** Access key id → who signs with it. A request signed with another key is refused. */
  callers: ReadonlyMap<string, string>;
  /** By the name that requests are signed for. */
  services: ReadonlyMap<string, ServedService>;
  /** The outermost first. */
  guards: Guard[];
}

const LOOPBACK = '127.0.0.1';
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

/** Starts the endpoint on a free loopback port; requests wait for its options, which depend on its address. */
export async function openEndpoint(
  options: Promise<EndpointOptions>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(
    (request, response) => void options.then((ready) => answer(request, response, ready)),
  );
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://${LOOPBACK}:${port}`, close: () => closeServer(server) };
}

/** Closes a server and all its connections. */
export async function closeServer(server: Server): Promise<void> {
  // A server that is already closed calls back too, with an error.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { callers, services, guards }: EndpointOptions,
): Promise<void> {
  const signature = signatureOf(request.headers.authorization);
  const served = services.get(signature?.service ?? '');
  try {
    if (!isForThisHost(request, LOOPBACK))
      throw new AwsError('MisdirectedRequest', 'The request is for another host.', 421);
    const caller = callers.get(signature?.accessKeyId ?? '');
    if (signature === undefined || caller === undefined)
      throw new AwsError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
        403,
      );
    if (!served)
      throw new AwsError('UnknownOperationException', `${signature.service} is not known locally.`);
    const body = await readBody(request, BODY_LIMIT_BYTES);
    const { service } = signature;
    const read = readAwsRequest(request, body, { caller, service }, served.endpoint.protocol);
    sendReply(response, await passGuards(read, served, guards));
  } catch (thrown) {
    const error =
      thrown instanceof AwsError ? thrown : new AwsError('InternalFailure', messageOf(thrown), 500);
    if (error.code === 'ConnectionReset') response.destroy();
    else
      sendReply(
        response,
        served?.endpoint.protocol.format === 'rest-xml' ? xmlError(error) : jsonError(error),
      );
  }
}

function passGuards(request: AwsRequest, served: ServedService, guards: Guard[]): Promise<AwsReply> {
  const forward = guards.reduceRight<Forward>(
    (next, guard) => (passed) => guard(passed, served, next),
    (passed) => dispatch(passed, served),
  );
  return forward(request);
}

async function dispatch(request: AwsRequest, { endpoint, api }: ServedService): Promise<AwsReply> {
  if ('answer' in api) return api.answer(request);
  const operation = Object.hasOwn(api.operations, request.operation)
    ? api.operations[request.operation]
    : undefined;
  if (!operation)
    throw new AwsError(
      'UnknownOperationException',
      `${request.service} ${request.operation} is not known locally.`,
    );
  const version = endpoint.protocol.format === 'json' ? endpoint.protocol.version : undefined;
  return jsonReply(await operation(request.input), version);
}

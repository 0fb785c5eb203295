// The HTTP server behind every AWS_ENDPOINT_URL_*, for the operator's tools and plain HTTP clients.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isForThisHost } from '../host-check.ts';
import { AwsError, type AwsReply, readBody, sendReply } from './aws-protocol.ts';
import { readAwsRequest, signatureOf } from './aws-request.ts';
import { type Dispatch, refusal } from './dispatcher.ts';
import type { ServiceEndpoint } from './service-endpoint.ts';

export interface EndpointOptions {
  /** Access key id → caller. A request signed with another key is refused. */
  callers: ReadonlyMap<string, string>;
  /** Protocols by the service name in signatures. */
  protocols: ReadonlyMap<string, ServiceEndpoint>;
  dispatch: Dispatch;
}

const LOOPBACK = '127.0.0.1';
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

/** The running endpoint. */
export interface Endpoint {
  url: string;
  close(): Promise<void>;
}

/** Starts the endpoint on a free loopback port. Requests wait for its options, which depend on its address. */
export async function openEndpoint(options: Promise<EndpointOptions>): Promise<Endpoint> {
  const server = createServer((request, response) => {
    void options.then((ready) => answer(request, response, ready));
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    close: () => closeServer(server),
  };
}

/** Closes a server and all its connections. */
export async function closeServer(server: Server): Promise<void> {
  // A closed server also calls back, with an error.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { callers, protocols, dispatch }: EndpointOptions,
): Promise<void> {
  const signature = signatureOf(request.headers.authorization);
  const endpoint = protocols.get(signature?.service ?? '');
  let reply: AwsReply | undefined;
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
    const { service } = signature;
    if (!endpoint) throw new AwsError('UnknownOperationException', `${service} is not known locally.`);
    const body = await readBody(request, BODY_LIMIT_BYTES);
    reply = await dispatch(readAwsRequest(request, body, { caller, service }, endpoint.protocol));
  } catch (error) {
    reply = refusal(error, endpoint);
  }
  if (reply) sendReply(response, reply);
  else response.destroy();
}

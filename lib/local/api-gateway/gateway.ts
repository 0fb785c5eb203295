// The gateway: HTTP in, Lambda events out, for the template's REST API and function URLs.
import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limits } from '../../../functions/contract/limits.ts';
import { isForThisHost } from '../host-check.ts';
import { type LambdaHost, throttled } from '../lambda/host/lambda-host.ts';
import type { Receiver } from '../lambda/host/worker.ts';
import type { FunctionError } from '../lambda/host/worker-messages.ts';
import { bodyReader, type ReadBody, UnreadBody } from './bodies.ts';
import { isForDemoKey, sendDemoKey } from './demo-key.ts';
import { type GatewayError, gatewayErrors, sendGatewayResponse } from './gateway-response.ts';
import { type Received, restEvent, urlEvent } from './lambda-event.ts';
import { isForMetrics, sendMetrics } from './metrics-page.ts';
import { restName, sendProxyResponse, streamOnto } from './proxy-response.ts';
import { type RequestsInFlight, requestsInFlight } from './requests-in-flight.ts';
import { type Match, matchRoute, type RestApi } from './rest-api.ts';

/** What the gateway serves once the stack is loaded. */
export interface Served {
  api: RestApi;
  lambda: LambdaHost;
  /** Functions that have a URL. */
  urls: ReadonlySet<string>;
  /** The address that the gateway is bound to, as configured. */
  host: string;
  /** Whether the services behind the functions respond. */
  answers(): Promise<boolean>;
  /** The page of metrics; undefined: there is none. */
  metrics: (() => Promise<{ text: string; mediaType: string }>) | undefined;
  /** The key of the demo workspace; undefined: none is handed out. */
  demoKey: string | undefined;
}

/** A server that does not listen yet, and its stop function. */
export interface Gateway {
  server: Server;
  /** Accepts no more requests and lets those in flight end; answers slow ones with 503. */
  drain(withinMs: number): Promise<void>;
}

const EVENT_LIMIT_BYTES = 6 * 1024 * 1024;
/** API Gateway takes 10 MB, but an event that contains more than this in base64 is too large. */
const BODY_LIMIT_BYTES = (EVENT_LIMIT_BYTES / 4) * 3;
const HEADER_LIMIT_BYTES = 10_240;
const NODE_HEADER_LIMIT_BYTES = 256 * 1024;
/** How long a client may keep sending after its request was rejected unread; then its connection is cut. */
const DRAIN_MS = 2_000;
const refused = new WeakSet<Duplex>();
/** The one page that depends on the services: its function has no permission to query them. */
const HEALTH = '/health';
const URL_PREFIX = /^\/function-url\/([^/]+)(\/.*)?$/;

/** Builds the server. Requests wait until the stack is loaded. */
export function createGateway(loaded: Promise<Served>): Gateway {
  const inFlight = requestsInFlight();
  const readBody = bodyReader(BODY_LIMIT_BYTES, limits.body_max_bytes);
  const server = createServer({ maxHeaderSize: NODE_HEADER_LIMIT_BYTES }, (request, response) => {
    response.on('error', () => {});
    loaded
      .then((served) => handle(request, response, served, inFlight, readBody))
      .catch(() => response.destroy());
  });
  server.keepAliveTimeout = 65_000;
  // A client that ends its side after the request still waits for the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    loaded.then((served) => refuseUnread(error, socket, served)).catch(() => socket.destroy());
  });
  return {
    server,
    drain: async (withinMs) => {
      // Stops listening. `server.close` would also cut idle connections that are about to be reused.
      NetServer.prototype.close.call(server);
      await inFlight.drain(withinMs);
    },
  };
}

/** Answers what the HTTP parser rejects: invalid requests and oversized headers. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex, { api }: Served): void {
  // The parser reports the same request again with each further chunk.
  if (refused.has(socket)) return;
  if (!socket.writable || !(socket instanceof Socket)) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const request = new IncomingMessage(socket);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  setTimeout(() => socket.destroy(), DRAIN_MS).unref();
  const received = { request, body: Buffer.alloc(0), path: '/', query: '', requestId: randomUUID() };
  const answer = error.code === 'HPE_HEADER_OVERFLOW' ? gatewayErrors.tooLarge : gatewayErrors.malformed;
  sendGatewayResponse(response, api, { ...received, receivedAt: Date.now() }, answer);
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  inFlight: RequestsInFlight,
  readBody: ReadBody,
): Promise<void> {
  originForm(request);
  const [rawPath = '/', ...rest] = (request.url ?? '/').split('?');
  const received: Received = {
    request,
    body: Buffer.alloc(0),
    path: rawPath,
    query: rest.join('?'),
    requestId: randomUUID(),
    receivedAt: Date.now(),
  };
  const refuse = (error: GatewayError, ending?: Promise<void>) =>
    sendGatewayResponse(response, served.api, received, error, ending);
  const turnAway = () => cut(request, response, refuse, gatewayErrors.unavailable);
  if (inFlight.stopping()) return turnAway();
  inFlight.add(response, turnAway);
  if (!isForThisHost(request, served.host)) return cut(request, response, refuse, gatewayErrors.misdirected);
  if (headerBytes(request) > HEADER_LIMIT_BYTES)
    return cut(request, response, refuse, gatewayErrors.tooLarge);
  if (served.metrics && isForMetrics(request)) return sendMetrics(response, await served.metrics());
  if (served.demoKey !== undefined && isForDemoKey(request)) return sendDemoKey(response, served.demoKey);
  try {
    received.body = await readBody(request, response);
  } catch (error) {
    const { answer } = error instanceof UnreadBody ? error : { answer: gatewayErrors.malformed };
    return cut(request, response, refuse, answer);
  }
  const byUrl = URL_PREFIX.exec(rawPath);
  if (byUrl && served.urls.has(byUrl[1] ?? '')) {
    received.path = byUrl[2] ?? '/';
    const receiver = streamOnto(response, asSent, (error) => refuse(failureOf(error)));
    return stream(served.lambda, byUrl[1] ?? '', urlEvent(received), receiver, refuse);
  }
  const match = findRoute(served.api, request.method ?? 'GET', received);
  if (!match) return refuse(gatewayErrors.unknownRoute);
  await serveRoute(response, served, received, match, refuse);
}

/** Makes a target in absolute form one of path and query; the header `Host` alone is checked. */
function originForm(request: IncomingMessage): void {
  const [, path] = /^https?:\/\/[^/?#]*([^#]*)/i.exec(request.url ?? '') ?? [];
  if (path !== undefined) request.url = path.startsWith('/') ? path : `/${path}`;
}

/** Finds the route of a path below the stage; other paths may be pages of the site. */
function findRoute(api: RestApi, method: string, received: Received): Match | undefined {
  const prefix = `/${api.stage}/`;
  if (`${received.path}/` === prefix) received.path = prefix;
  if (received.path.startsWith(prefix)) {
    received.path = received.path.slice(prefix.length - 1);
    return matchRoute(api.routes, method, received.path);
  }
  return matchRoute(api.routes.filter(isOfTheSite), method, received.path);
}

/** The site's pages (`/docs`, `/health`) and its catch-all are served without the stage; the API is not. */
function isOfTheSite({ resource }: Match['route']): boolean {
  return !/^\/(v1|webhooks)(\/|$)/.test(resource);
}

async function serveRoute(
  response: ServerResponse,
  served: Served,
  received: Received,
  match: Match,
  refuse: (error: GatewayError) => void,
): Promise<void> {
  const { integration } = match.route;
  if (match.route.resource === HEALTH && !(await served.answers())) return refuse(gatewayErrors.unavailable);
  const event = restEvent(received, match, served.api.stage);
  if (integration.streams) {
    const late = () => (response.headersSent ? response.destroy() : refuse(gatewayErrors.timeout));
    const timer = setTimeout(late, integration.timeoutMs);
    response.once('close', () => clearTimeout(timer));
    const receiver = streamOnto(response, restName, (error) => refuse(failureOf(error)));
    return stream(served.lambda, integration.functionName, event, receiver, refuse);
  }
  const payload = JSON.stringify(event);
  if (Buffer.byteLength(payload) > EVENT_LIMIT_BYTES) return refuse(gatewayErrors.tooLarge);
  const timer = setTimeout(() => refuse(gatewayErrors.timeout), integration.timeoutMs);
  const result = await served.lambda.invoke(integration.functionName, payload);
  clearTimeout(timer);
  if (response.headersSent || sendProxyResponse(response, result)) return;
  refuse(failureOf(result.ok ? undefined : result.error));
}

/** The name under which a function URL forwards a header. */
const asSent = (name: string) => name;

function stream(
  lambda: LambdaHost,
  functionName: string,
  event: object,
  receiver: Receiver,
  refuse: (error: GatewayError) => void,
): void {
  const payload = JSON.stringify(event);
  if (Buffer.byteLength(payload) > EVENT_LIMIT_BYTES) refuse(gatewayErrors.tooLarge);
  else lambda.stream(functionName, payload, receiver);
}

/** A throttled invocation is an integration failure; an error of the function is not. */
function failureOf(error: FunctionError | undefined): GatewayError {
  return error === throttled ? gatewayErrors.unavailable : gatewayErrors.failure;
}

/** Answers and drops the rest of the request: closing while the client sends may lose the answer. */
function cut(
  request: IncomingMessage,
  response: ServerResponse,
  refuse: (error: GatewayError, ending: Promise<void>) => void,
  error: GatewayError,
): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  request.once('close', end).resume();
  setTimeout(end, DRAIN_MS).unref();
  if (request.complete) end();
  refuse(error, ending);
}

function headerBytes(request: IncomingMessage): number {
  const line = (request.method ?? '').length + (request.url ?? '').length + ' HTTP/1.1\r\n'.length + 1;
  return request.rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, line);
}

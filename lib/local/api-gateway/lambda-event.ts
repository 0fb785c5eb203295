// HTTP requests as Lambda events: REST format 1.0 for the API, format 2.0 for function URLs.
import type { IncomingMessage } from 'node:http';
import { ACCOUNT, REGION, REST_API_ID } from '../template/attributes.ts';
import type { Match } from './rest-api.ts';

/** A request with its body, addressed without the stage. */
export interface Received {
  request: IncomingMessage;
  body: Buffer;
  /** As sent, still percent-encoded, without the stage. */
  path: string;
  query: string;
  requestId: string;
  receivedAt: number;
}

/** Values by name: the last of each, and all of them. */
interface Values {
  last: Record<string, string>;
  all: Record<string, string[]>;
}

/** Builds the event of the REST API's proxy integration. Bodies are always base64: all media types are binary. */
export function restEvent(received: Received, match: Match, stage: string): object {
  const { request, body, path, requestId, receivedAt } = received;
  const headers = headersOf(request);
  const query = queryOf(received);
  const hasQuery = Object.keys(query.last).length > 0;
  const parameters = Object.entries(match.parameters).map(([name, value]) => [name, decoded(value)] as const);
  return {
    resource: match.route.resource,
    path,
    httpMethod: request.method,
    headers: headers.last,
    multiValueHeaders: headers.all,
    queryStringParameters: hasQuery ? query.last : null,
    multiValueQueryStringParameters: hasQuery ? query.all : null,
    pathParameters: parameters.length > 0 ? Object.fromEntries(parameters) : null,
    stageVariables: null,
    requestContext: {
      resourceId: match.route.resourceId,
      resourcePath: match.route.resource,
      httpMethod: request.method,
      extendedRequestId: requestId,
      requestTime: new Date(receivedAt).toUTCString(),
      requestTimeEpoch: receivedAt,
      path: withStage(request, stage, path),
      accountId: ACCOUNT,
      protocol: `HTTP/${request.httpVersion}`,
      stage,
      domainPrefix: REST_API_ID,
      domainName: request.headers.host,
      requestId,
      apiId: REST_API_ID,
      identity: identityOf(request),
    },
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
  };
}

/** The path as sent, which may be only the stage; the site's pages are addressed without it. */
function withStage({ url = '/' }: IncomingMessage, stage: string, path: string): string {
  const [sent = ''] = url.split('?');
  return sent === `/${stage}` ? sent : `/${stage}${path}`;
}

/** Builds the event of a function URL. */
export function urlEvent(received: Received): object {
  const { request, body, path, requestId, receivedAt } = received;
  const headers = Object.entries(headersOf(request).all).map(
    ([name, values]) => [name.toLowerCase(), values.join(',')] as const,
  );
  const query = Object.entries(queryOf(received).all).map(
    ([name, values]) => [name, values.join(',')] as const,
  );
  const cookies = request.headers.cookie?.split('; ');
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: received.query,
    ...(cookies ? { cookies } : {}),
    headers: Object.fromEntries(headers.filter(([name]) => name !== 'cookie')),
    ...(query.length > 0 ? { queryStringParameters: Object.fromEntries(query) } : {}),
    requestContext: {
      accountId: 'anonymous',
      apiId: REST_API_ID,
      domainName: `${REST_API_ID}.lambda-url.${REGION}.on.aws`,
      domainPrefix: REST_API_ID,
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress,
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: new Date(receivedAt).toUTCString(),
      timeEpoch: receivedAt,
    },
    ...(body.length > 0 ? { body: body.toString('base64') } : {}),
    isBase64Encoded: body.length > 0,
  };
}

function headersOf({ rawHeaders, socket }: IncomingMessage): Values {
  const headers = noValues();
  for (let i = 0; i < rawHeaders.length; i += 2) add(headers, rawHeaders[i], rawHeaders[i + 1]);
  add(headers, 'X-Forwarded-For', socket.remoteAddress);
  add(headers, 'X-Forwarded-Proto', 'http');
  return headers;
}

function queryOf({ query }: Received): Values {
  const values = noValues();
  for (const [name, value] of new URLSearchParams(query)) add(values, name, value);
  return values;
}

/** Without a prototype: a caller may send any name, even `__proto__`. */
function noValues(): Values {
  return { last: Object.create(null), all: Object.create(null) };
}

function add({ last, all }: Values, name = '', value = ''): void {
  last[name] = value;
  all[name] ??= [];
  all[name].push(value);
}

function identityOf(request: IncomingMessage): object {
  return {
    sourceIp: request.socket.remoteAddress,
    userAgent: request.headers['user-agent'] ?? null,
    accessKey: null,
    accountId: null,
    caller: null,
    user: null,
    userArn: null,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Middleware: reads the request of a REST API (event format 1.0) or a function URL (2.0) into one form.
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import type { GatewayEvent, HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';

function lowerCased(headers: Record<string, string | undefined> | null): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function headersAndBody({
  headers,
  body,
  isBase64Encoded,
}: GatewayEvent): Pick<HttpRequest, 'headers' | 'body' | 'body_bytes'> {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  const sent = lowerCased(headers);
  // Without a length, the body came in chunks and whole.
  const declared = Number(sent['content-length'] ?? 0) || 0;
  return { headers: sent, body: bytes, body_bytes: Math.max(bytes.length, declared) };
}

function fromUrl(event: APIGatewayProxyEventV2): HttpRequest {
  const pairs = Map.groupBy(new URLSearchParams(event.rawQueryString), ([name]) => name);
  const query = Object.fromEntries([...pairs].map(([name, all]) => [name, all.map(([, value]) => value)]));
  const { method } = event.requestContext.http;
  const { rawPath: path, pathParameters: params = {} } = event;
  return { ...headersAndBody(event), method, resource: path, path, query, params };
}

function fromRest(event: APIGatewayProxyEvent): HttpRequest {
  const sent = Object.entries(event.multiValueQueryStringParameters ?? {});
  const query = Object.fromEntries(sent.map(([name, values]) => [name, values ?? []]));
  // Only an event that no gateway has made lacks these.
  const { httpMethod: method, resource = '', requestContext, pathParameters } = event;
  return {
    ...headersAndBody(event),
    method,
    resource,
    path: requestContext?.path ?? '',
    query,
    params: pathParameters ?? {},
  };
}

/** Adds the request. Never throws: later middlewares check it. */
export function readRequest(): Middleware {
  return {
    before: ({ event, context }) => {
      context.request = 'rawPath' in event ? fromUrl(event) : fromRest(event);
    },
  };
}

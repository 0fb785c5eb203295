// One request, whichever gateway brought it: a REST API event (format 1.0) or a function URL event (format 2.0).
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import { limits } from '#contract/limits.ts';
import type { Route } from '#contract/routes.ts';
import { newId } from '#platform/ids.ts';

export type GatewayEvent = APIGatewayProxyEvent | APIGatewayProxyEventV2;

export interface HttpRequest {
  /** The caller's X-Request-Id when it is well-formed, else a new one (Contract 4.1). */
  id: string;
  /** Names in lower case; of a repeated header the last value. */
  headers: Record<string, string | undefined>;
  /** Every value of every query parameter. */
  query: Record<string, string[]>;
  params: Record<string, string | undefined>;
  /** False when a function URL, which answers on any path and method, was asked for something else than the route. */
  routed: boolean;
  /** The body's exact bytes; empty when none was sent. */
  body: Buffer;
}

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.request_id_max_characters}}$`);

function lowerCased(headers: Record<string, string | undefined> | null): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** The path parameters, or undefined for a path of another shape. */
function pathParams(path: string, template: string): Record<string, string | undefined> | undefined {
  const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${pattern}$`).exec(path)?.groups;
}

/** The request in an event. Never throws: what is wrong with it, later checks say. */
export function toRequest(event: GatewayEvent, route: Route): HttpRequest {
  const headers = lowerCased(event.headers);
  const sent = headers['x-request-id'];
  const common = {
    id: sent !== undefined && REQUEST_ID.test(sent) ? sent : newId(),
    headers,
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
  if ('rawPath' in event) {
    const pairs = Map.groupBy(new URLSearchParams(event.rawQueryString), ([name]) => name);
    const query = Object.fromEntries([...pairs].map(([name, all]) => [name, all.map(([, value]) => value)]));
    const params = pathParams(event.rawPath, route.path);
    const routed = params !== undefined && event.requestContext.http.method === route.method;
    return { ...common, query, params: params ?? {}, routed };
  }
  const query = event.multiValueQueryStringParameters ?? {};
  return {
    ...common,
    query: Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values ?? []])),
    params: event.pathParameters ?? {},
    routed: true,
  };
}

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
  /** The body's exact bytes; empty when none was sent. */
  body: Buffer;
}

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.request_id_max_characters}}$`);

function lowerCased(headers: Record<string, string | undefined> | null): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function pathParams(path: string, template: string): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const pattern = template.replace(/^\/api/, '').replace(/\{\w+\}/g, '([^/]+)');
  const values = new RegExp(`${pattern}$`).exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
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
    const query: Record<string, string[]> = {};
    for (const [name, value] of new URLSearchParams(event.rawQueryString))
      query[name] = [...(query[name] ?? []), value];
    return { ...common, query, params: pathParams(event.rawPath, route.path) };
  }
  const query = event.multiValueQueryStringParameters ?? {};
  return {
    ...common,
    query: Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values ?? []])),
    params: event.pathParameters ?? {},
  };
}

// Finds the route of a request among those of a function: the row of the contract that its method and path name.
import { corsHeaders, preflightHeaders } from '#contract/cors.ts';
import { deprecationHeaders } from '#contract/deprecation.ts';
import { fail } from '#contract/errors.ts';
import { type HttpFunction, type Route, type RouteOf, routes } from '#contract/routes.ts';
import { logAbout } from '#platform/log.ts';
import { edge } from './edge.ts';
import { type GatewayEvent, methodOf } from './http-request.ts';
import type { Stack } from './middleware.ts';
import { requireReadable } from './readable-body.ts';
import { renderError } from './render-error.ts';
import { type Reply, reply, type SentBy } from './replies.ts';

/** The name of a REST API's stage begins every path; its resources begin after it. */
const STAGE = '/api';
const BASE = '/v1/';

const rows: readonly (readonly [string, Route])[] = Object.entries(routes);
const byName = new Map(rows);
const resourceOf = ({ path }: Route) => path.slice(STAGE.length);
const byAddress = new Map(
  rows.map(([name, row]) => [`${row.any_method ? 'ANY' : row.method} ${resourceOf(row)}`, name]),
);

/** A function URL passes on requests of any path: only the stream has one, and of its routes only those are there. */
const atUrl = rows
  .filter(([, { auth }]) => auth === 'event_token')
  .map(([, row]) => ({
    resource: resourceOf(row),
    pattern: new RegExp(`^${row.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));

/** The event with the resource of its path, which a REST API has found already; the resource is empty for no route. */
function located(event: GatewayEvent): { event: GatewayEvent; resource: string } {
  if (!('rawPath' in event)) return { event, resource: event.resource ?? '' };
  for (const { resource, pattern } of atUrl) {
    const { groups } = pattern.exec(event.rawPath) ?? {};
    if (groups) return { event: { ...event, pathParameters: { ...groups } }, resource };
  }
  return { event, resource: '' };
}

/** The name of a route: HEAD is answered where GET is. */
function routeAt(method: string, resource: string): string | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return byAddress.get(`${asked} ${resource}`) ?? byAddress.get(`ANY ${resource}`);
}

/**
 * Answers a request that no route of the function answers: OPTIONS below the base address tells browsers the methods of
 * a path (rules.md: cors 2), anything else is not_found (rules.md: request 3).
 */
function answerTheRest(resource: string): Stack<Reply> {
  return edge(renderError, () => corsHeaders).handler((_event, { request }) => {
    const there = rows.filter(([, row]) => resource.startsWith(BASE) && resourceOf(row) === resource);
    if (request.method !== 'OPTIONS' || there.length === 0) throw fail('not_found');
    requireReadable(request);
    return reply(204, undefined, preflightHeaders(there.map(([, { method }]) => method)));
  });
}

/** One stack for all routes of a function; what they log names the route. */
export function router<F extends HttpFunction>(
  stacks: {
    readonly [N in RouteOf<F>]: Stack<SentBy<N>>;
  },
): Stack<SentBy<RouteOf<F>>> {
  const served = new Map<string, Stack<SentBy<RouteOf<F>>>>(Object.entries(stacks));
  return async (sent, context) => {
    const { event, resource } = located(sent);
    const route = routeAt(methodOf(event), resource);
    const stack = route === undefined ? undefined : served.get(route);
    if (!stack) return answerTheRest(resource)(event, context);
    const answer = await logAbout({ route }, () => stack(event, context));
    const deprecated = byName.get(route ?? '')?.deprecated;
    return deprecated
      ? { ...answer, headers: { ...answer.headers, ...deprecationHeaders(deprecated) } }
      : answer;
  };
}

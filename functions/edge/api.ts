// A route of the API: the checks before its handler, in order.
import { corsHeaders } from '#contract/cors.ts';
import { type Route, type RouteName, routes } from '#contract/routes.ts';
import { logAbout } from '#platform/log.ts';
import { edge } from './edge.ts';
import type { HttpRequest } from './http-request.ts';
import type { Middleware, Received, Stack } from './middleware.ts';
import { readJson } from './read-json-body.ts';
import { type QueryOf, readQuery } from './read-query.ts';
import { readableBody } from './readable-body.ts';
import { renderError } from './render-error.ts';
import type { ReplyOf, SentBy, StreamedReply, TextReply } from './replies.ts';

type Routes = typeof routes;

/** Makes the middleware that adds the caller of a route, and refuses others: by a key, a token or a link. */
export type Identify<Who> = (route: Route) => Middleware<Who>;

/** The input of a route's handler: all of it is checked except the body, which the handler checks. */
export interface Call<N extends RouteName> extends Received {
  params: HttpRequest['params'];
  query: QueryOf<Routes[N]>;
  /**
   * The JSON body; the elements of its list `apart` are left unchecked. Throws invalid_json, schema_validation_failed.
   */
  json(apart?: string): Promise<unknown>;
}

/** The headers of a reply that a link may have asked for; its form depends on the Accept header. */
const artifactHeaders = ({ query }: HttpRequest) => ({
  ...corsHeaders,
  Vary: 'Accept',
  ...(query.link && { 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' }),
});

/** What a handler may return. A text is the JSON of one of the route's replies. */
type Answer<R extends Route> =
  | ReplyOf<R>
  | TextReply
  | (R extends { streaming: true } ? StreamedReply<200> : never);

/** A route: identifies the caller, reads the query, then calls the handler. */
export function api<N extends RouteName, Who extends object>(
  name: N,
  identify: Identify<Who>,
  handle: (call: Call<N> & Who) => Promise<Answer<Routes[N]>>,
): Stack<SentBy<N>> {
  const route: Routes[N] & Route = routes[name];
  return edge<SentBy<N>>(renderError, route.auth === 'link' ? artifactHeaders : () => corsHeaders)
    .use(identify(route))
    .use(readableBody())
    .use(readQuery(route))
    .handler((_event, context) => {
      const { request, request_id } = context;
      const call = {
        ...context,
        params: request.params,
        json: async (apart?: string) => readJson(request, apart),
      };
      return logAbout({ request_id }, () => handle(call));
    });
}

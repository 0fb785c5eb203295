// The routes of the API: the checks before each handler, in order, and how its reply is sent.
import { corsHeaders, preflightHeaders } from '#contract/cors.ts';
import { type Route, type RouteName, routes } from '#contract/routes.ts';
import {
  authenticate,
  authenticateReading,
  authenticateWithCosts,
  type Caller,
  type CallerReading,
  type CallerWithCosts,
} from '#domain/access/authenticate.ts';
import type { OpenLink } from '#domain/artifacts/links.ts';
import type { StreamReader } from '#domain/events/open-streams.ts';
import { logAbout } from '#platform/log.ts';
import { artifactReader } from './artifact-reader.ts';
import { type Authenticate, bearerKey } from './bearer-key.ts';
import { buffered } from './buffered.ts';
import { edge } from './edge.ts';
import { type HttpRequest, methodOf } from './http-request.ts';
import { matchRoute } from './match-route.ts';
import type { Received, Stack } from './middleware.ts';
import { readJson } from './read-json.ts';
import { type QueryOf, readQuery } from './read-query.ts';
import { readableBody } from './readable-body.ts';
import { renderError } from './render-error.ts';
import {
  type AnyReply,
  type Reply,
  type ReplyOf,
  reply,
  type StreamedReply,
  type TextReply,
} from './replies.ts';
import { streamReader } from './stream-reader.ts';
import { streamed } from './streamed.ts';

type Routes = typeof routes;

/** The headers of a reply that a link may have asked for; its form depends on the Accept header. */
const artifactHeaders = ({ query }: HttpRequest) => ({
  ...corsHeaders,
  Vary: 'Accept',
  ...(query.link && { 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' }),
});

/** The input of a route's handler: all of it is checked except the body, which the handler checks. */
interface Call<R extends Route> extends Received {
  params: HttpRequest['params'];
  query: QueryOf<R>;
}

interface KeyCall<R extends Route, C extends Caller> extends Call<R> {
  caller: C;
  /** The JSON body. Throws invalid_json, schema_validation_failed. */
  json(): Promise<unknown>;
}

interface StreamCall<R extends Route> extends Call<R> {
  reader: StreamReader;
}

/** The input of a route for clients with a key, and for anyone with a link. */
export interface LinkCall<R extends Route> extends Call<R> {
  /** The workspace in which the reader may read what the path names. */
  workspace_id: string;
  link: OpenLink | undefined;
}

type KeyHandler<N extends RouteName, C extends Caller = Caller, Other = never> = (
  call: KeyCall<Routes[N], C>,
) => Promise<ReplyOf<Routes[N]> | Other>;

/** A route for callers with a key: authenticates, reads the query, then calls the handler. */
function withKey<N extends RouteName, C extends Caller, Other extends AnyReply = never>(
  name: N,
  identify: Authenticate<C>,
  handle: KeyHandler<N, C, Other>,
) {
  const route = routes[name];
  return edge<Other>(renderError, () => corsHeaders)
    .use(bearerKey(route, identify))
    .use(readableBody())
    .use(readQuery(route))
    .handler((_event, { request, request_id, caller, query }) =>
      logAbout({ request_id }, () =>
        handle({
          request,
          request_id,
          params: request.params,
          query,
          caller,
          json: async () => readJson(request),
        }),
      ),
    );
}

/** A route for callers with a key, buffered. A text is the JSON of one of the route's replies. */
export function api<N extends RouteName>(name: N, handle: KeyHandler<N, Caller, TextReply>) {
  return buffered(withKey(name, authenticate, handle));
}

/** The same for a route whose path names what `read` reads while the key is checked. */
export function apiReading<N extends RouteName, T>(
  name: N,
  read: (workspaceId: string, id: string | undefined) => Promise<T>,
  handle: KeyHandler<N, CallerReading<T>>,
) {
  const identify: Authenticate<CallerReading<T>> = (header, { params }) =>
    authenticateReading(header, (workspaceId) => read(workspaceId, params.id));
  return buffered(withKey(name, identify, handle));
}

/** A route that needs the costs of its caller, buffered. */
export function apiWithCosts<N extends RouteName>(name: N, handle: KeyHandler<N, CallerWithCosts>) {
  return buffered(withKey(name, authenticateWithCosts, handle));
}

/** A route for callers with a key whose reply may be larger or take longer than a buffered one. */
export function slowApi<N extends RouteName>(name: N, handle: KeyHandler<N, Caller, StreamedReply<200>>) {
  return streamed(withKey(name, authenticate, handle));
}

/** As `slowApi`, for a route that needs the costs of its caller. */
export function slowApiWithCosts<N extends RouteName>(name: N, handle: KeyHandler<N, CallerWithCosts>) {
  return streamed(withKey(name, authenticateWithCosts, handle));
}

/** A route for clients with a key, and for anyone with a link to the artifact of the path. */
export function artifactApi<N extends RouteName>(
  name: N,
  handle: (call: LinkCall<Routes[N]>) => Promise<StreamedReply<200>>,
) {
  const route = routes[name];
  return streamed(
    edge<StreamedReply>(renderError, artifactHeaders)
      .use(artifactReader(route))
      .use(readableBody())
      .use(readQuery(route))
      .handler((_event, { request, request_id, query, workspace_id, link }) =>
        logAbout({ request_id }, () =>
          handle({ request, request_id, params: request.params, query, workspace_id, link }),
        ),
      ),
  );
}

/**
 * A route for pages of any origin, which send an event token, and for clients with a key. A failure before the first
 * piece becomes the error envelope.
 */
export function streamApi<N extends RouteName>(
  name: N,
  handle: (call: StreamCall<Routes[N]>) => Promise<ReplyOf<Routes[N]> | StreamedReply<200>>,
) {
  const route = routes[name];
  const stream: Stack<Reply | StreamedReply> = edge<StreamedReply>(renderError, () => corsHeaders)
    .use(matchRoute(route, ['GET', 'HEAD']))
    .use(readQuery(route))
    .use(streamReader(route))
    .use(readableBody())
    .handler((_event, { request, request_id, query, reader }) =>
      logAbout({ request_id }, () => handle({ request, request_id, params: request.params, query, reader })),
    );
  // A REST API answers preflight requests itself; a function URL does not.
  const preflight: Stack<Reply> = edge(renderError, () => corsHeaders)
    .use(matchRoute(route, ['OPTIONS']))
    .handler(async () => reply(204, undefined, preflightHeaders([route.method])));
  return streamed<Reply | StreamedReply>((event, context) =>
    methodOf(event) === 'OPTIONS' ? preflight(event, context) : stream(event, context),
  );
}

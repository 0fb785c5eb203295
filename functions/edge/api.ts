// The edge of every route: request id, authentication, query, body, then the handler; whatever fails becomes the envelope.
import type { Writable } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import { fail } from '#contract/errors.ts';
import { type Route, type RouteName, routes } from '#contract/routes.ts';
import { authenticate, type Caller, requireScope } from '#domain/access/authenticate.ts';
import { describe, log } from '#platform/log.ts';
import { check, invalid } from './check.ts';
import { type GatewayEvent, type HttpRequest, toRequest } from './http-request.ts';
import { pipeBody } from './pipe-body.ts';
import { readJson } from './read-json.ts';
import { commonHeaders, errorReply, type Reply, type StreamedReply } from './replies.ts';

type QueryOf<R extends Route> = R['query'] extends z.ZodType ? z.output<R['query']> : Record<never, never>;

/** What a handler of a route is given: everything checked already but the body, whose order of checks is the handler's. */
export interface Call<R extends Route> {
  request: HttpRequest;
  params: Record<string, string | undefined>;
  query: QueryOf<R>;
  /** The JSON body. Throws payload_too_large, invalid_json, schema_validation_failed. */
  json(): unknown;
}
export type KeyCall<R extends Route> = Call<R> & { caller: Caller };

/** Known parameters, each sent at most once. */
function readQuery<R extends Route>(route: R, request: HttpRequest): QueryOf<R> {
  const schema = route.query ?? z.strictObject({});
  const sent = Object.keys(schema.shape).flatMap((name) => {
    const values = request.query[name] ?? [];
    if (values.length > 1)
      throw invalid(name, {
        code: 'custom',
        expected: 'one value',
        received: String(values.length),
        message: 'The parameter was sent more than once',
      });
    return values.map((value) => [name, value]);
  });
  // The schema is this route's own, so its output is what QueryOf says.
  return check(schema, Object.fromEntries(sent)) as QueryOf<R>;
}

function open<R extends Route>(route: R, request: HttpRequest): Call<R> {
  return { request, params: request.params, query: readQuery(route, request), json: () => readJson(request) };
}

async function openWithKey<N extends RouteName>(
  name: N,
  request: HttpRequest,
): Promise<KeyCall<(typeof routes)[N]>> {
  const route: Route = routes[name];
  const caller = await authenticate(request.headers.authorization, route.spends ?? false);
  if (route.scope) requireScope(caller.key, route.scope);
  return { ...open(routes[name], request), caller };
}

/** A buffered route for callers with a key. */
export function api<N extends RouteName>(
  name: N,
  handle: (call: KeyCall<(typeof routes)[N]>) => Promise<Reply>,
) {
  return async (event: GatewayEvent): Promise<APIGatewayProxyResult> => {
    const request = toRequest(event, routes[name]);
    const { status, body, headers } = await answer(request, async () =>
      handle(await openWithKey(name, request)),
    );
    return {
      statusCode: status,
      headers: { ...commonHeaders(request.id), ...headers },
      body: JSON.stringify(body),
    };
  };
}

async function answer<T>(request: HttpRequest, handle: () => Promise<T>): Promise<T | Reply> {
  try {
    return await handle();
  } catch (error) {
    return errorReply(error, request.id);
  }
}

/** Opens the reply and sends it whole. Only a `write` makes Lambda send status and headers: an `end` alone would lose them. */
function send(output: Writable, { status, body, headers }: Reply): void {
  const opened = awslambda.HttpResponseStream.from(output, { statusCode: status, headers: headers ?? {} });
  opened.write(body === undefined ? '' : JSON.stringify(body));
  opened.end();
}

/** A route for callers with a key whose answer may take longer than the gateway waits for a buffered one. */
export function slowApi<N extends RouteName>(
  name: N,
  handle: (call: KeyCall<(typeof routes)[N]>) => Promise<Reply>,
) {
  return awslambda.streamifyResponse(async (event: GatewayEvent, output) => {
    const request = toRequest(event, routes[name]);
    const answered = await answer(request, async () => handle(await openWithKey(name, request)));
    send(output, { ...answered, headers: { ...commonHeaders(request.id), ...answered.headers } });
  });
}

/** A route that streams to any origin, for callers that bring their own proof. What fails before the first piece is the envelope. */
export function streamApi<N extends RouteName>(
  name: N,
  handle: (call: Call<(typeof routes)[N]>) => Promise<StreamedReply | Reply>,
) {
  return awslambda.streamifyResponse(async (event: GatewayEvent, output) => {
    const request = toRequest(event, routes[name]);
    const answered = await answer(request, async () => {
      if (!request.routed) throw fail('not_found');
      return handle(open(routes[name], request));
    });
    const headers = {
      ...commonHeaders(request.id),
      'Access-Control-Allow-Origin': '*',
      ...answered.headers,
    };
    if (!('stream' in answered)) return send(output, { ...answered, headers });
    const opened = awslambda.HttpResponseStream.from(output, { statusCode: answered.status, headers });
    try {
      await pipeBody(answered.stream, opened);
    } catch (error) {
      log.error('stream failed', { request_id: request.id, error: describe(error) });
      throw error;
    }
  });
}

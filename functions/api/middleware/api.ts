// The edge of every route: request id, authentication, query, body, then the handler; whatever fails becomes the envelope.
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import { type Route, type RouteName, routes } from '#contract/routes.ts';
import { authenticate, type Caller, requireScope } from '#domain/access/authenticate.ts';
import { check, invalid } from './check.ts';
import { readJson } from './read-json.ts';
import { commonHeaders, errorReply, type Reply, type StreamedReply } from './replies.ts';
import { type GatewayEvent, type HttpRequest, toRequest } from './request.ts';

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

/** Whether a route may start work that costs, so that today's spending is read with the key. */
const costs = (name: RouteName) => name === 'CreateRun' || name === 'ResumeRun' || name === 'RerunRun';

async function openWithKey<N extends RouteName>(
  name: N,
  request: HttpRequest,
): Promise<KeyCall<(typeof routes)[N]>> {
  const route: Route = routes[name];
  const caller = await authenticate(request.headers.authorization, costs(name));
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

/** A route for callers with a key whose answer may take longer than the gateway waits for a buffered one. */
export function slowApi<N extends RouteName>(
  name: N,
  handle: (call: KeyCall<(typeof routes)[N]>) => Promise<Reply>,
) {
  return awslambda.streamifyResponse(async (event: GatewayEvent, output) => {
    const request = toRequest(event, routes[name]);
    const { status, body, headers } = await answer(request, async () =>
      handle(await openWithKey(name, request)),
    );
    const opened = awslambda.HttpResponseStream.from(output, {
      statusCode: status,
      headers: { ...commonHeaders(request.id), ...headers },
    });
    opened.end(JSON.stringify(body));
  });
}

/** A route that streams, for callers that bring their own proof. */
export function streamApi<N extends RouteName>(
  name: N,
  handle: (call: Call<(typeof routes)[N]>) => Promise<StreamedReply | Reply>,
) {
  return awslambda.streamifyResponse(async (event: GatewayEvent, output) => {
    const request = toRequest(event, routes[name]);
    const answered = await answer(request, () => handle(open(routes[name], request)));
    const headers = { ...commonHeaders(request.id), ...answered.headers };
    const opened = awslambda.HttpResponseStream.from(output, { statusCode: answered.status, headers });
    if ('stream' in answered) await pour(answered.stream, opened);
    else opened.end(answered.body === undefined ? '' : JSON.stringify(answered.body));
  });
}

/** Writes piece by piece, waiting for a slow reader; stops pulling as soon as the reader is gone. */
async function pour(
  pieces: AsyncIterable<string>,
  output: NodeJS.WritableStream & { destroyed?: boolean },
): Promise<void> {
  const gone = new Promise<'gone'>((resolve) => {
    output.once('close', () => resolve('gone'));
    output.once('error', () => resolve('gone'));
  });
  for await (const piece of pieces) {
    if (output.destroyed) return;
    if (output.write(piece)) continue;
    const drained = new Promise<'drained'>((resolve) => output.once('drain', () => resolve('drained')));
    if ((await Promise.race([drained, gone])) === 'gone') return;
  }
  output.end();
}

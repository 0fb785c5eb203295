// The gateway's own responses, as the template defines them.
import type { ServerResponse } from 'node:http';
import { type ErrorCode, errors } from '../../../functions/contract/errors.ts';
import type { Received } from './lambda-event.ts';
import type { GatewayResponse, RestApi } from './rest-api.ts';

/** Why the gateway responds instead of a function. `status` is AWS's default. */
export interface GatewayError {
  type: string;
  status: number;
  message: string;
}

export const gatewayErrors = {
  unknownRoute: {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 403,
    message: 'Missing Authentication Token',
  },
  malformed: { type: 'BAD_REQUEST_PARAMETERS', status: 400, message: 'Bad Request' },
  misdirected: { type: 'MISDIRECTED', status: 421, message: 'Misdirected Request' },
  late: { type: 'REQUEST_TIMEOUT', status: 408, message: 'Request Timeout' },
  tooLarge: { type: 'REQUEST_TOO_LARGE', status: 413, message: 'Request Too Long' },
  timeout: { type: 'INTEGRATION_TIMEOUT', status: 504, message: 'Endpoint request timed out' },
  unavailable: { type: 'INTEGRATION_FAILURE', status: 504, message: 'Internal server error' },
  failure: { type: 'DEFAULT_5XX', status: 502, message: 'Internal server error' },
} as const satisfies Record<string, GatewayError>;

/**
 * Sends the gateway's own response: the template's for this type, else its default, else AWS's. The response ends
 * once `ending` has settled.
 */
export function sendGatewayResponse(
  response: ServerResponse,
  api: RestApi,
  received: Received,
  error: GatewayError,
  ending?: Promise<void>,
): void {
  const family = error.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const declared = api.responses.get(error.type) ?? api.responses.get(family);
  const variables = variablesOf(api, received, error);
  const headers = Object.entries(declared?.headers ?? {}).flatMap(([name, source]) => {
    const value = headerValue(source, variables, received);
    return value === undefined ? [] : [[name, value] as const];
  });
  const body = (declared?.template ?? '{"message":$context.error.messageString}').replace(
    /\$context\.([A-Za-z.]+)/g,
    (_, name: string) => variables[name] ?? '',
  );
  if (response.headersSent || response.destroyed) return;
  response.writeHead(declared?.status ?? error.status, {
    'content-type': 'application/json',
    'x-amzn-errortype': error.type,
    'content-length': Buffer.byteLength(body),
    ...Object.fromEntries(headers),
  });
  if (!ending) return void response.end(body);
  response.write(body);
  void ending.then(() => response.end());
}

function variablesOf(
  api: RestApi,
  { request, path, requestId, receivedAt }: Received,
  error: GatewayError,
): Record<string, string> {
  return {
    requestId,
    extendedRequestId: requestId,
    'error.message': error.message,
    'error.messageString': JSON.stringify(error.message),
    'error.responseType': error.type,
    httpMethod: request.method ?? '',
    path: `/${api.stage}${path}`,
    stage: api.stage,
    requestTimeEpoch: String(receivedAt),
  };
}

function headerValue(
  source: string,
  variables: Record<string, string>,
  received: Received,
): string | undefined {
  if (source.startsWith("'")) return source.slice(1, -1);
  if (source.startsWith('context.')) return variables[source.slice('context.'.length)];
  const name = /^method\.request\.header\.(.+)$/.exec(source)?.[1];
  const value = name && received.request.headers[name.toLowerCase()];
  return typeof value === 'string' ? value : undefined;
}

/** Responses that no template declares: on AWS a request for another host does not arrive, and a slow one is cut. */
export function localResponses(siteUrl: string): [type: string, GatewayResponse][] {
  return [
    [gatewayErrors.misdirected.type, responseOf('misdirected_request', siteUrl)],
    [gatewayErrors.late.type, responseOf('request_timeout', siteUrl)],
  ];
}

function responseOf(code: ErrorCode, siteUrl: string): GatewayResponse {
  const { status, type, message } = errors[code];
  const doc_url = `${siteUrl}/docs/errors#${code}`;
  const error = { code, type, message, doc_url, request_id: '$context.requestId' };
  return {
    status,
    template: JSON.stringify({ error }),
    headers: { 'X-Request-Id': 'context.requestId', 'Cache-Control': "'no-store'" },
  };
}

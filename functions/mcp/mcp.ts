// The door for agents over HTTP (Model Context Protocol). It is a client of the API like any other: one place judges keys, scopes and requests.
import { createMcpHandler } from '@modelcontextprotocol/server';
import { ApiError, fail } from '#contract/errors.ts';
import { bearerKeyOf } from '#domain/access/authenticate.ts';
import { edge } from '#edge/edge.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { readJson } from '#edge/read-json.ts';
import type { StreamedReply, TextReply } from '#edge/replies.ts';
import { streamed } from '#edge/streamed.ts';
import { env } from '#platform/env.ts';
import { createServer } from '../../clients/mcp/server.ts';
import { isApiError, RunService } from '../../clients/sdk/index.ts';
import { checkMethod, checkOrigin } from './checks.ts';
import { renderRefusal } from './refusal.ts';
import { replyOf, requestOf } from './web.ts';

/** What the API may take to say who the key is; after it a whole call still fits into the time of the function. */
const WHO_TIMEOUT_MS = 20_000;

/** The scopes of the key. Throws what the API refuses it with, and service_unavailable when the API does not answer. */
async function scopesOf(service: RunService, requestId: string): Promise<readonly string[]> {
  try {
    const { scopes } = await service.me({ requestId, timeoutMs: WHO_TIMEOUT_MS, maxRetries: 0 });
    return scopes;
  } catch (error) {
    if (!isApiError(error)) throw fail('service_unavailable');
    const { code, message, details } = error;
    throw new ApiError(code, { message, ...(details && { details }) });
  }
}

/** Serves one request by a server of its own: nothing is kept between two (rules.md: agents). */
async function answer(request: HttpRequest, requestId: string): Promise<TextReply | StreamedReply> {
  checkOrigin(request);
  checkMethod(request);
  const service = new RunService({
    apiKey: bearerKeyOf(request.headers.authorization),
    baseUrl: env('BASE_URL'),
  });
  const scopes = await scopesOf(service, requestId);
  const parsedBody = readJson(request);
  let trouble: Error | undefined;
  const door = createMcpHandler(() => createServer(service, scopes), {
    // A subscription would hold the function for nothing: the tools of a key do not change.
    maxSubscriptions: 0,
    onerror: (error) => {
      trouble = error;
    },
  });
  const response = await door.fetch(requestOf(request), { parsedBody });
  if (response.status >= 500) throw trouble;
  return replyOf(response);
}

export const handler = streamed(
  edge<TextReply | StreamedReply>(renderRefusal).handler((_event, { request, request_id }) =>
    answer(request, request_id),
  ),
);

// The HTTP endpoint for agents (Model Context Protocol). It is a client of the API, which alone checks keys, scopes and
// requests.
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { ApiError, fail } from '#contract/errors.ts';
import { bearerKeyOf } from '#domain/access/authenticate.ts';
import { edge } from '#edge/edge.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import type { Stack } from '#edge/middleware.ts';
import { readJson } from '#edge/read-json-body.ts';
import type { SentBy, StreamedReply, TextReply } from '#edge/replies.ts';
import { env } from '#platform/env.ts';
import { createServer } from '../../clients/mcp/server.ts';
import { isApiError, RunService } from '../../clients/sdk/index.ts';
import { withFirewallPass } from './firewall-header.ts';
import { type LargeReplies, largeReplies } from './large-replies.ts';
import { renderRefusal } from './refusal.ts';
import { checkMessage, checkMethod, checkOrigin } from './request-checks.ts';
import { replyOf, requestOf } from './web.ts';

/** How long the API may take to identify the key; a whole call then still fits into the function's time. */
const WHO_TIMEOUT_MS = 20_000;

/** The scopes of the key. Throws the API's refusal, and service_unavailable when the API does not reply. */
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

/** The API for a caller. Throws auth_invalid for what is no key. */
function serviceFor(apiKey: string, fetch: LargeReplies['fetch']): RunService {
  try {
    return new RunService({ apiKey, baseUrl: env('BASE_URL'), fetch: withFirewallPass(fetch) });
  } catch (error) {
    throw error instanceof TypeError ? fail('auth_invalid') : error;
  }
}

/** Serves each request with a new server: no state lasts between requests (rules.md: agents). */
async function serve(
  request: HttpRequest,
  requestId: string,
  fetch: LargeReplies['fetch'],
): Promise<TextReply | StreamedReply> {
  checkOrigin(request);
  checkMethod(request);
  const service = serviceFor(bearerKeyOf(request.headers.authorization), fetch);
  const scopes = await scopesOf(service, requestId);
  const parsedBody = readJson(request);
  checkMessage(parsedBody);
  let failure: Error | undefined;
  const mcp = createMcpHandler(() => createServer(service, scopes), {
    // A subscription would keep the function running in vain: the tools of a key do not change.
    maxSubscriptions: 0,
    onerror: (error) => {
      failure = error;
    },
  });
  const response = await mcp.fetch(requestOf(request), { parsedBody });
  if (response.status >= 500) throw failure;
  return replyOf(response);
}

/** As `serve`; large replies that the request has read are in memory until its own is sent. */
async function serveInTurn(request: HttpRequest, requestId: string): Promise<TextReply | StreamedReply> {
  const { fetch, done } = largeReplies();
  let reply: TextReply | StreamedReply | undefined;
  try {
    reply = await serve(request, requestId, fetch);
    return reply;
  } finally {
    if (reply && 'stream' in reply && reply.stream instanceof Readable) reply.stream.once('close', done);
    else done();
  }
}

export const route: Stack<SentBy<'Mcp'>> = edge<TextReply | StreamedReply>(renderRefusal).handler(
  (_event, { request, request_id }) => serveInTurn(request, request_id),
);

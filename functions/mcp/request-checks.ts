// Checks of a request that the protocol's library does not make (rules.md: agents 2, agents 6).
import { limits } from '#contract/limits.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { env } from '#platform/env.ts';
import { Refused } from './refusal.ts';

/** JSON-RPC's codes of a message that is none, and of wrong params. */
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

/** Refuses pages of other sites: a browser sends the origin of the page, other programs send none. Throws Refused. */
export function checkOrigin({ headers }: HttpRequest): void {
  const { origin } = headers;
  if (origin !== undefined && origin !== new URL(env('SITE_URL')).origin)
    throw new Refused(403, 'Pages of other origins may not use this address.');
}

/** There are no sessions to listen to (GET) or to end (DELETE). Throws Refused. */
export function checkMethod({ method }: HttpRequest): void {
  if (method !== 'POST')
    throw new Refused(405, 'Send each message as a POST.', { headers: { Allow: 'POST' } });
}

/**
 * One message in each request, whose id and resource address are short: replies repeat the id, and the library fails on
 * a long address. Throws Refused.
 */
export function checkMessage(body: unknown): void {
  if (Array.isArray(body))
    throw new Refused(400, 'Send each message as a request of its own.', { code: INVALID_REQUEST });
  const { id, params } = Object(body);
  if (typeof id === 'string' && id.length > limits.agent_id_max_characters)
    throw new Refused(400, `An id has at most ${limits.agent_id_max_characters} characters.`, {
      code: INVALID_REQUEST,
    });
  const { uri } = Object(params);
  if (typeof uri === 'string' && uri.length > limits.resource_address_max_characters)
    throw new Refused(
      400,
      `The address of a resource has at most ${limits.resource_address_max_characters} characters.`,
      { code: INVALID_PARAMS },
    );
}

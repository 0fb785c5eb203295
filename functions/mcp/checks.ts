// Checks of a request before its key is used (rules.md: agents 2).
import type { HttpRequest } from '#edge/http-request.ts';
import { env } from '#platform/env.ts';
import { Refused } from './refusal.ts';

/** Refuses pages of other sites: a browser sends the origin of the page, other programs send none. Throws Refused. */
export function checkOrigin({ headers }: HttpRequest): void {
  const { origin } = headers;
  if (origin !== undefined && origin !== new URL(env('SITE_URL')).origin)
    throw new Refused(403, 'Pages of other origins may not use this address.');
}

/** There are no sessions to listen to (GET) or to end (DELETE). Throws Refused. */
export function checkMethod({ method }: HttpRequest): void {
  if (method !== 'POST') throw new Refused(405, 'Send each message as a POST.', { Allow: 'POST' });
}

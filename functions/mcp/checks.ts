// What is judged of a request before its key is used (rules.md: agents 2).
import { fail } from '#contract/errors.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { env } from '#platform/env.ts';
import { Refused } from './refusal.ts';

/** Refuses pages of other sites: a browser names the page that asks, other programs name none. Throws Refused. */
export function checkOrigin({ headers }: HttpRequest): void {
  const { origin } = headers;
  if (origin !== undefined && origin !== new URL(env('SITE_URL')).origin)
    throw new Refused(403, 'Pages of other origins may not use this address.');
}

/** There are no sessions that could be listened to or ended. Throws Refused. */
export function checkMethod({ method }: HttpRequest): void {
  if (method !== 'POST') throw new Refused(405, 'Send each message as a POST.', { Allow: 'POST' });
}

/** The API key that the request brings. Throws auth_missing. */
export function keyOf({ headers }: HttpRequest): string {
  const key = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (key === undefined) throw fail('auth_missing');
  return key;
}

// The root of the site: redirects browsers to the console, and tells programs the addresses (rules.md: reads 6).
import type { HttpRequest } from '#edge/http-request.ts';
import { type Reply, reply } from '#edge/replies.ts';
import { env } from '#platform/env.ts';
import { hostOf } from './document.ts';

/** The stage is in the path unless a custom domain leads to it. */
const STAGE = /^\/api(\/|$)/;

/** The address of the API below the host, derived from a request for one of the site's pages. */
export const apiPathOf = (path: string) => (STAGE.test(path) ? 'api/v1' : 'v1');

/** 302 to `console` for clients that accept HTML, else the addresses as JSON. */
export function frontDoor({ path, headers }: Pick<HttpRequest, 'path' | 'headers'>): Reply {
  if (headers.accept?.includes('text/html')) {
    // Without a trailing slash, relative addresses would not resolve to the console's folder.
    const folder = path.endsWith('/') ? '' : `${path.split('/').at(-1)}/`;
    return reply(302, undefined, { Location: `${folder}console`, Vary: 'Accept' });
  }
  const siteUrl = env('SITE_URL');
  const addresses = {
    base_url: STAGE.test(path) ? `${hostOf(siteUrl)}/api/v1` : `${siteUrl}/v1`,
    docs_url: `${siteUrl}/docs`,
    openapi_url: `${siteUrl}/openapi.json`,
    console_url: `${siteUrl}/console`,
  };
  return reply(200, addresses, { Vary: 'Accept' });
}

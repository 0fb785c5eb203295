// The site's root: browsers are redirected to the console, programs get the addresses (rules.md: reads 6).
import { baseUrlOf, hasStage } from '#edge/base-url.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { type Reply, reply } from '#edge/replies.ts';
import { env } from '#platform/env.ts';

/** Path of the API below the host, derived from a request for one of the site's pages. */
export const apiPathOf = (path: string) => (hasStage({ path }) ? 'api/v1' : 'v1');

/** 302 to `console` for clients that accept HTML, else the addresses as JSON. */
export function frontDoor({ path, headers }: Pick<HttpRequest, 'path' | 'headers'>): Reply {
  if (headers.accept?.includes('text/html')) {
    // Without a trailing slash the address is a page, not the console's folder.
    const folder = path.endsWith('/') ? '' : `${path.split('/').at(-1)}/`;
    return reply(302, undefined, { Location: `${folder}console`, Vary: 'Accept' });
  }
  const siteUrl = env('SITE_URL');
  const addresses = {
    base_url: baseUrlOf({ path }),
    docs_url: `${siteUrl}/docs`,
    openapi_url: `${siteUrl}/openapi.json`,
    console_url: `${siteUrl}/console`,
  };
  return reply(200, addresses, { Vary: 'Accept' });
}

// The address of the site itself: browsers are led to the console, programs are told the addresses (rules.md: reads 6).
import type { HttpRequest } from '#edge/http-request.ts';
import { type Reply, reply } from '#edge/replies.ts';
import { env } from '#platform/env.ts';
import { hostOf } from './document.ts';

/** The stage stands in the path unless a domain of its own leads to it. */
const STAGE = /^\/api(\/|$)/;

/** Address of the API below the host, as a request for one of the site's pages shows it. */
export const apiPathOf = (path: string) => (STAGE.test(path) ? 'api/v1' : 'v1');

/** 302 to `console` for who accepts HTML, else the addresses as JSON. */
export function frontDoor({ path, headers }: Pick<HttpRequest, 'path' | 'headers'>): Reply {
  if (headers.accept?.includes('text/html')) {
    // Without a slash at its end the address is a page, and not the folder that the console is in.
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

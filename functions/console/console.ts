// Handler of the site's pages (reference, error pages, OpenAPI document, health) and of every path and method without a route.
import { API_VERSION } from '#contract/limits.ts';
import { buffered } from '#edge/buffered.ts';
import { edge } from '#edge/edge.ts';
import { envelope } from '#edge/envelope.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { type Reply, reply, type TextReply } from '#edge/replies.ts';
import { env } from '#platform/env.ts';
import { apiDocument, errorEntries, hostOf } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { referencePage } from './reference-page.ts';
import { style } from './style.ts';

const CACHE_SECONDS = 300;

const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // Tools in a browser may read the document from anywhere: it holds nothing private.
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id',
};

const page = (mediaType: string, text: string): TextReply => ({
  status: 200,
  text,
  headers: { 'Content-Type': mediaType, 'Cache-Control': `public, max-age=${CACHE_SECONDS}` },
});
const html = (text: string) => page('text/html; charset=utf-8', text);

const pages: Readonly<Record<string, (siteUrl: string) => TextReply>> = {
  '/docs': (siteUrl) => html(referencePage(siteUrl)),
  '/docs/errors': () => html(errorsPage()),
  '/docs/style.css': () => page('text/css; charset=utf-8', style),
  '/openapi.json': (siteUrl) => {
    const servers = [{ url: hostOf(siteUrl), description: 'This service' }];
    const externalDocs = { ...apiDocument.externalDocs, url: `${siteUrl}/docs` };
    return page('application/json', JSON.stringify({ ...apiDocument, servers, externalDocs }));
  },
};
const rendered = new Map<string, TextReply>();

class NotFound extends Error {}

/** The page at a path, rendered once. Throws NotFound. */
function pageAt(path: string): TextReply {
  const known = rendered.get(path);
  if (known) return known;
  const render = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (!render) throw new NotFound();
  const made = render(env('SITE_URL'));
  rendered.set(path, made);
  return made;
}

function answer({ method, resource, params }: HttpRequest): Reply | TextReply {
  if (method !== 'GET') throw new NotFound();
  if (resource === '/health') return reply(200, { status: 'ok', api_version: API_VERSION });
  return pageAt(resource.replace('{page}', params.page ?? ''));
}

/** Renders `not_found`. Anything else is a defect of this function and fails the invocation. */
function renderNotFound(thrown: unknown, requestId: string): Reply {
  const row = errorEntries.not_found;
  if (!(thrown instanceof NotFound) || !row) throw thrown;
  return reply(row.status, envelope({ code: 'not_found', type: row.type, message: row.message }, requestId));
}

/**
 * Answers the site's paths; any other path or method that the API has no route for is 404 `not_found` in the error envelope
 * (rules.md: request 3).
 */
export const handler = buffered(
  edge<TextReply>(renderNotFound, pageHeaders).handler((_event, { request }) => answer(request)),
);

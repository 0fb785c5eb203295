// Handler of the site's pages (reference, error pages, OpenAPI document, health) and of every path and method that nobody else answers.
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { API_VERSION, limits } from '#contract/limits.ts';
import { env } from '#platform/env.ts';
import { newId } from '#platform/ids.ts';
import { apiDocument, errorEntries, hostOf } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { referencePage } from './reference-page.ts';
import { style } from './style.ts';

/** What the handler reads of an event. */
type Asked = Pick<APIGatewayProxyEvent, 'httpMethod' | 'resource' | 'pathParameters' | 'headers'>;

interface Page {
  mediaType: string;
  body: string;
}

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${limits.request_id_max_characters}}$`);
const CACHE_SECONDS = 300;
const rendered = new Map<string, Page>();

const pages: Readonly<Record<string, (siteUrl: string) => Page>> = {
  '/docs': (siteUrl) => htmlPage(referencePage(siteUrl)),
  '/docs/errors': () => htmlPage(errorsPage()),
  '/docs/style.css': () => ({ mediaType: 'text/css; charset=utf-8', body: style }),
  '/openapi.json': (siteUrl) =>
    jsonPage({ ...apiDocument, servers: [{ url: hostOf(siteUrl), description: 'This service' }] }),
};

/**
 * Answers the site's paths; whatever else the API has no route for, path or method, is 404 `not_found` in the error envelope
 * (Contract 4.1).
 */
export async function handler(event: Asked): Promise<APIGatewayProxyResult> {
  const requestId = requestIdOf(event);
  if (event.httpMethod !== 'GET') return reply(404, requestId, 'no-store', notFound(requestId));
  if (event.resource === '/health')
    return reply(200, requestId, 'no-store', jsonPage({ status: 'ok', api_version: API_VERSION }));
  const found = pageAt(event.resource.replace('{page}', event.pathParameters?.page ?? ''));
  return found
    ? reply(200, requestId, `public, max-age=${CACHE_SECONDS}`, found)
    : reply(404, requestId, 'no-store', notFound(requestId));
}

function pageAt(path: string): Page | undefined {
  const known = rendered.get(path);
  if (known || !Object.hasOwn(pages, path)) return known;
  const page = pages[path]?.(env('SITE_URL'));
  if (page) rendered.set(path, page);
  return page;
}

function reply(
  statusCode: number,
  requestId: string,
  cacheControl: string,
  page: Page,
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: {
      'Content-Type': page.mediaType,
      'X-Request-Id': requestId,
      'Cache-Control': cacheControl,
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      // Tools in a browser may read the document from anywhere: it holds nothing private.
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'X-Request-Id',
    },
    body: page.body,
  };
}

function notFound(requestId: string): Page {
  const error = errorEntries.not_found;
  return jsonPage({
    error: {
      code: 'not_found',
      type: error?.type,
      message: error?.message,
      doc_url: `${env('SITE_URL')}/docs/errors#not_found`,
      request_id: requestId,
    },
  });
}

function requestIdOf(event: Asked): string {
  const sent = Object.entries(event.headers ?? {}).find(
    ([name]) => name.toLowerCase() === 'x-request-id',
  )?.[1];
  return sent !== undefined && REQUEST_ID.test(sent) ? sent : newId();
}

const htmlPage = (body: string): Page => ({ mediaType: 'text/html; charset=utf-8', body });
const jsonPage = (value: object): Page => ({ mediaType: 'application/json', body: JSON.stringify(value) });

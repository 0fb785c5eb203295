// Handler of the site's pages, assets, OpenAPI document and health, and of every path and method without a route.
import { fileURLToPath } from 'node:url';
import { corsHeaders, preflightHeaders } from '#contract/cors.ts';
import { API_VERSION } from '#contract/limits.ts';
import { buffered } from '#edge/buffered.ts';
import { edge } from '#edge/edge.ts';
import { envelope } from '#edge/envelope.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { type BytesReply, type Reply, reply, type TextReply } from '#edge/replies.ts';
import { env, optionalEnv } from '#platform/env.ts';
import { preferredType } from '#platform/preferred-type.ts';
import { appPage, assetPage, referenceScript } from './app-pages.ts';
import { apiDocument, errorEntries, hostOf } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { apiPathOf, frontDoor } from './front-door.ts';
import { groupPage } from './group-page.ts';
import { makePage, type Page, sendPage } from './http-page.ts';
import { indexPage } from './index-page.ts';
import { llmsPage } from './llms-page.ts';
import { markdownOf } from './markdown-page.ts';
import { policyFor } from './policy.ts';
import { groups } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { style } from './style.ts';

const pageHeaders = {
  'Content-Security-Policy': policyFor(),
  // A page that opened one of these cannot navigate it.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

type Render = (siteUrl: string) => string;

/** The pages of the reference. */
const reference: Readonly<Record<string, Render>> = {
  '/docs': indexPage,
  ...Object.fromEntries(
    groups.map((group) => [`/docs/${group.slug}`, (siteUrl: string) => groupPage(group, siteUrl)]),
  ),
  '/docs/errors': errorsPage,
  '/docs/rules': rulesPage,
};
/** A page has another form for clients that prefer it. */
const byAccept = { Vary: 'Accept, Accept-Encoding' };

const pages: Readonly<Record<string, (siteUrl: string) => Page>> = {
  ...Object.fromEntries(
    Object.entries(reference).flatMap(([path, render]) => [
      [path, (siteUrl: string) => makePage('text/html; charset=utf-8', render(siteUrl), byAccept)],
      [
        `${path}.md`,
        (siteUrl: string) => makePage('text/markdown; charset=utf-8', markdownOf(render(siteUrl)), byAccept),
      ],
    ]),
  ),
  '/llms.txt': (siteUrl) => makePage('text/plain; charset=utf-8', llmsPage(siteUrl)),
  '/docs/style.css': () => makePage('text/css; charset=utf-8', style),
  '/openapi.json': (siteUrl) => {
    const servers = [{ url: hostOf(siteUrl), description: 'This service' }];
    const externalDocs = { ...apiDocument.externalDocs, url: `${siteUrl}/docs` };
    return makePage('application/json', JSON.stringify({ ...apiDocument, servers, externalDocs }));
  },
};
const rendered = new Map<string, Page>();
/** The browser assets are next to this handler's bundle. */
const assets = fileURLToPath(new URL('./assets', import.meta.url));

class NotFound extends Error {}

/** The page at a path, rendered once. Throws NotFound. */
function pageAt(path: string, request: HttpRequest): Page {
  const apiPath = apiPathOf(request.path);
  const name = path === '/console' ? `${path} over ${apiPath}` : path;
  const made = rendered.get(name) ?? render(path, apiPath);
  if (!made) throw new NotFound();
  rendered.set(name, made);
  return made;
}

function render(path: string, apiPath: string): Page | undefined {
  if (path === '/console') return appPage({ folder: assets, apiPath, streamUrl: optionalEnv('STREAM_URL') });
  if (path === '/docs/script.js') return referenceScript(assets);
  if (path.startsWith('/console/')) return assetPage(assets, path.slice('/console/'.length));
  return Object.hasOwn(pages, path) ? pages[path]?.(env('SITE_URL')) : undefined;
}

/** OPTIONS below the base address tells browsers the methods of a path (rules.md: cors 2). Throws NotFound. */
function preflight(resource: string): Reply {
  const methods = resource.startsWith('/v1/') ? apiDocument.paths[`/api${resource}`] : undefined;
  if (!methods) throw new NotFound();
  const names = Object.keys(methods).map((method) => method.toUpperCase());
  return reply(204, undefined, preflightHeaders(names));
}

function answer(request: HttpRequest): Reply | TextReply | BytesReply {
  const { method, resource, params } = request;
  if (method === 'OPTIONS') return preflight(resource);
  if (method !== 'GET' && method !== 'HEAD') throw new NotFound();
  if (resource === '/') return frontDoor(request);
  if (resource === '/health') return reply(200, { status: 'ok', api_version: API_VERSION });
  return sendPage(pageAt(pathFor(resource.replace('{page}', params.page ?? ''), request), request), request);
}

/** The path of the form that the client prefers; a browser gets HTML (rules.md: reads 9). */
function pathFor(path: string, { headers: { accept } }: HttpRequest): string {
  if (!Object.hasOwn(reference, path)) return path;
  const preferred = preferredType(accept, ['text/html', 'text/markdown']);
  return preferred === 'text/markdown' ? `${path}.md` : path;
}

/** Replies have no private content, so any page may read them, except those to inbound sync (rules.md: cors 3). */
function headersFor({ resource, params }: HttpRequest): Readonly<Record<string, string>> {
  const path = resource.replace('{proxy+}', params.proxy ?? '');
  return /^\/webhooks(\/|$)/.test(path) ? pageHeaders : { ...pageHeaders, ...corsHeaders };
}

/** Renders `not_found`. Anything else is a defect of this function and fails the invocation. */
function renderNotFound(thrown: unknown, requestId: string): Reply {
  const row = errorEntries.not_found;
  if (!(thrown instanceof NotFound) || !row) throw thrown;
  return reply(row.status, envelope({ code: 'not_found', type: row.type, message: row.message }, requestId));
}

/** Serves the site's paths; any other path or method is 404 `not_found` in the error envelope (rules.md: request 3). */
export const handler = buffered(
  edge<TextReply | BytesReply>(renderNotFound, headersFor).handler((_event, { request }) => answer(request)),
);

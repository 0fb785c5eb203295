// Handler of the site's pages, assets, OpenAPI document and health, and of every path and method without a route.
import { fileURLToPath } from 'node:url';
import { corsHeaders } from '#contract/cors.ts';
import { API_VERSION, limits } from '#contract/limits.ts';
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
import { pageHtml, pageMarkdown, type ReferencePage } from './layout.ts';
import { llmsPage } from './llms-page.ts';
import { notFoundPage } from './not-found-page.ts';
import { policyFor } from './policy.ts';
import { groups } from './reference.ts';
import { operatorRulesPage, rulesPage } from './rules-page.ts';
import { searchIndex } from './search-index.ts';
import { style } from './style.ts';

const pageHeaders = {
  'Content-Security-Policy': policyFor(),
  // A page that opened one of these cannot navigate it.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The pages of the reference. */
const reference: Readonly<Record<string, (siteUrl: string) => ReferencePage>> = {
  '/docs': indexPage,
  ...Object.fromEntries(
    groups.map((group) => [`/docs/${group.slug}`, (siteUrl: string) => groupPage(group, siteUrl)]),
  ),
  '/docs/errors': errorsPage,
  '/docs/rules': rulesPage,
  '/docs/operator-rules': operatorRulesPage,
};
/** A page has another form for clients that prefer it. */
const byAccept = { Vary: 'Accept, Accept-Encoding' };
/** Its search reads the index. */
const forReaders = { ...byAccept, 'Content-Security-Policy': policyFor(["'self'"]) };
const HTML = 'text/html; charset=utf-8';

const pages: Readonly<Record<string, (siteUrl: string) => Page>> = {
  ...Object.fromEntries(
    Object.entries(reference).flatMap(([path, page]) => [
      [path, (siteUrl: string) => makePage(HTML, pageHtml(page(siteUrl)), forReaders)],
      [
        `${path}.md`,
        (siteUrl: string) => makePage('text/markdown; charset=utf-8', pageMarkdown(page(siteUrl)), byAccept),
      ],
    ]),
  ),
  '/llms.txt': (siteUrl) => makePage('text/plain; charset=utf-8', llmsPage(siteUrl)),
  '/docs/search.json': () => makePage('application/json', JSON.stringify(searchIndex)),
  '/docs/style.css': () => makePage('text/css; charset=utf-8', style),
  '/openapi.json': (siteUrl) => {
    const servers = [{ url: hostOf(siteUrl), description: 'This service' }];
    const externalDocs = { ...apiDocument.externalDocs, url: `${siteUrl}/docs` };
    return makePage('application/json', JSON.stringify({ ...apiDocument, servers, externalDocs }));
  },
};
const rendered = new Map<string, Page>();
/** The page of one question, whatever its job: its own link leads there (rules.md: console 21). */
const QUESTION = '/console/jobs/{id}';
/** The browser assets are next to this handler's bundle. */
const assets = fileURLToPath(new URL('./assets', import.meta.url));

/** Why a request gets no page. */
class Refused extends Error {
  readonly code: 'not_found' | 'payload_too_large';
  constructor(code: Refused['code'] = 'not_found') {
    super(code);
    this.name = 'Refused';
    this.code = code;
  }
}

/** The page at a path, rendered once. */
function pageAt(path: string, request: HttpRequest): Page | undefined {
  const apiPath = apiPathOf(request.path);
  const name = path === '/console' || path === QUESTION ? `${path} over ${apiPath}` : path;
  const made = rendered.get(name) ?? render(path, apiPath);
  if (made) rendered.set(name, made);
  return made;
}

function render(path: string, apiPath: string): Page | undefined {
  if (path === '/console' || path === QUESTION)
    return appPage({
      ...{ folder: assets, apiPath, toRoot: path === QUESTION ? '../../' : '' },
      streamUrl: optionalEnv('STREAM_URL'),
      demoKeyPath: optionalEnv('DEMO_KEY_PATH'),
    });
  if (path === '/docs/script.js') return referenceScript(assets);
  if (path.startsWith('/console/')) return assetPage(assets, path.slice('/console/'.length));
  return Object.hasOwn(pages, path) ? pages[path]?.(env('SITE_URL')) : undefined;
}

/** Throws Refused. */
function answer(request: HttpRequest): Reply | TextReply | BytesReply {
  const found = answerOf(request);
  if (request.body_bytes > limits.body_max_bytes) throw new Refused('payload_too_large');
  return found;
}

function answerOf(request: HttpRequest): Reply | TextReply | BytesReply {
  const { method, resource, params } = request;
  if (method !== 'GET' && method !== 'HEAD') throw new Refused();
  if (resource === '/') return frontDoor(request);
  if (resource === '/health') return reply(200, { status: 'ok', api_version: API_VERSION });
  const path = resource.replace('{proxy+}', params.proxy ?? '').replace('{page}', params.page ?? '');
  const moved = movedTo(path);
  if (moved !== undefined) return { status: 308, text: '', headers: { Location: moved } };
  const page = pageAt(pathFor(path, request), request);
  if (page) return sendPage(page, request);
  if (isForReader(path, request)) return notFound(path);
  throw new Refused();
}

/**
 * For the path of a page with a slash at its end, and for one that is easily guessed: where the page is, relative,
 * because of the stage before it.
 */
function movedTo(path: string): string | undefined {
  if (path === '/docs/start') return 'start-here';
  const page = path.slice(0, -1);
  const isPage = page === '/console' || Object.hasOwn(pages, page);
  return path.endsWith('/') && isPage ? `../${page.split('/').at(-1)}` : undefined;
}

/** Whether a browser asks for a page of the site; programs and paths of the API get the envelope. */
const isForReader = (path: string, { headers: { accept } }: HttpRequest): boolean =>
  !/^\/(v1|webhooks|mcp)(\/|$)/.test(path) &&
  preferredType(accept, ['application/json', 'text/html']) === 'text/html';

/** A page to go on from (rules.md: reads 13). */
function notFound(path: string): TextReply {
  const site = '../'.repeat(path.split('/').length - 2);
  const headers = { ...forReaders, 'Content-Type': HTML, 'Cache-Control': 'no-store' };
  return { status: 404, text: pageHtml(notFoundPage(site)), headers };
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

/** Renders a refusal. Anything else is a defect of this function and fails the invocation. */
function renderRefused(thrown: unknown, requestId: string): Reply {
  const row = thrown instanceof Refused ? errorEntries[thrown.code] : undefined;
  if (!(thrown instanceof Refused) || !row) throw thrown;
  return reply(row.status, envelope({ code: thrown.code, type: row.type, message: row.message }, requestId));
}

/** Serves the site's paths; any other path or method is 404 `not_found` in the error envelope (rules.md: request 3). */
export const handler = buffered(
  edge<TextReply | BytesReply>(renderRefused, headersFor).handler((_event, { request }) => answer(request)),
);

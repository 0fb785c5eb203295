// Checks replies against the committed OpenAPI document.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { routes } from '../../functions/contract/routes.ts';

export interface CheckedReply {
  method: string;
  /** Path or URL, with or without query; the site's pages with or without the stage's prefix. */
  path: string;
  status: number;
  headers: Headers | Readonly<Record<string, string>>;
  /** The parsed JSON body, the text of any other body; undefined or '' without one. */
  body: unknown;
}

interface Media {
  schema: object;
}
interface Reply {
  content?: Record<string, Media>;
  'x-error-codes'?: string[];
}
interface Operation {
  operationId: string;
  responses: Record<string, Reply>;
}
interface ErrorRow {
  status: number;
  type: string;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Error: { 'x-error-codes': Record<string, ErrorRow> } } };
}
interface ErrorBody {
  error: { code: string; type: string; doc_url: string; request_id: string };
}

const file = new URL('../../functions/contract/openapi.json', import.meta.url);
const document: Document = JSON.parse(readFileSync(file, 'utf8'), (key, value) => {
  // Ajv supports a discriminator only without its mapping; the constants in the variants are equivalent.
  if (key === 'mapping') return undefined;
  // Clients accept new fields; here an undocumented field is a fault.
  return isOpenObject(value) ? { ...value, additionalProperties: false } : value;
});

function isOpenObject(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    'properties' in value &&
    'type' in value &&
    value.type === 'object' &&
    !('additionalProperties' in value) &&
    !('oneOf' in value)
  );
}

const errorRows = document.components.schemas.Error['x-error-codes'];
const patternOf = (template: string) =>
  new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
const templates = Object.keys(document.paths).map((template) => ({
  template,
  pattern: patternOf(template),
  literal: !template.includes('{'),
}));
/** The site's pages for people, which are not in the document. */
const pages = [routes.Console.path, ...routes.Console.also].map(patternOf);
const retryable = new Set([429, 503, 504]);

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  discriminator: true,
  allowUnionTypes: true,
  validateFormats: true,
  // Each process uses what it compiles a few times: optimizing takes longer than it saves.
  code: { optimize: false },
});
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
for (const keyword of ['example', 'x-error-codes', 'x-enum-varnames']) ajv.addKeyword(keyword);
ajv.addVocabulary(['openapi', 'info', 'externalDocs', 'servers', 'tags', 'paths', 'webhooks', 'components']);
ajv.addSchema(document, 'openapi');
const compiled = new Map<string, ValidateFunction>();

/** Whether this is a preflight reply for a documented path, to any origin (rules.md: cors 2). */
function isPreflight({ method, status, path }: CheckedReply): boolean {
  return (
    method === 'OPTIONS' &&
    status === 204 &&
    ['GET', 'POST', 'DELETE'].some((asked) => operationAt(asked, path))
  );
}

/**
 * Throws an Error describing the difference when the document does not allow a reply: an undocumented status or media
 * type, an invalid body, an error code that does not belong to the route and status, invalid details, or a missing
 * `X-Request-Id` or `Retry-After`.
 */
export function checkReply(reply: CheckedReply): void {
  const where = `${reply.method} ${reply.path} answered ${reply.status}`;
  const headers = new Headers(reply.headers);
  if (!headers.get('x-request-id')) throw new Error(`${where} without X-Request-Id`);
  if (retryable.has(reply.status) && !headers.get('retry-after'))
    throw new Error(`${where} without Retry-After`);
  const found = operationAt(reply.method, reply.path);
  if (!found) {
    if (reply.status < 400 && isPage(reply.path)) return;
    if (isPreflight(reply) && headers.has('access-control-allow-methods')) return;
    // A body that is declared too long is refused whatever is asked, a preflight too (rules.md: request 10).
    if (reply.status === 413) {
      checkError(where, reply, headers, ['payload_too_large']);
      return;
    }
    if (reply.status !== 404) throw new Error(`${where}, but the document has no such route`);
    checkError(where, reply, headers, ['not_found']);
    return;
  }
  const documented = found.operation.responses[String(reply.status)];
  if (!documented)
    throw new Error(`${where}, a status that ${found.operation.operationId} does not document`);
  const pointer = ['paths', found.template, reply.method.toLowerCase(), 'responses', String(reply.status)];
  checkBody(where, reply, headers, documented, pointer);
  const codes = documented['x-error-codes'];
  if (codes) checkError(where, reply, headers, codes);
}

function operationAt(method: string, path: string): { template: string; operation: Operation } | undefined {
  const { pathname } = new URL(path, 'http://127.0.0.1');
  for (const candidate of [pathname, `/api${pathname}`]) {
    const matches = templates.filter(({ pattern }) => pattern.test(candidate));
    const match = matches.find(({ literal }) => literal) ?? matches[0];
    const operation = match && document.paths[match.template]?.[method.toLowerCase()];
    if (operation) return { template: match.template, operation };
  }
  return undefined;
}

function isPage(path: string): boolean {
  const { pathname } = new URL(path, 'http://127.0.0.1');
  return pages.some((page) => page.test(pathname) || page.test(`/api${pathname}`));
}

function checkBody(
  where: string,
  reply: CheckedReply,
  headers: Headers,
  documented: Reply,
  pointer: string[],
): void {
  if (!documented.content) {
    if (reply.body === undefined || reply.body === null || reply.body === '') return;
    throw new Error(`${where} with a body, where none is documented`);
  }
  const mediaType = (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  if (!documented.content[mediaType]) throw new Error(`${where} as ${mediaType || 'no media type'}`);
  for (const value of valuesIn(reply.body, mediaType))
    check(where, [...pointer, 'content', mediaType, 'schema'], value);
}

/** The values that the schema of a media type describes: the body, or the data of each frame of a stream. */
function valuesIn(body: unknown, mediaType: string): unknown[] {
  if (mediaType !== 'text/event-stream') return [body];
  return [...String(body).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}

function checkError(where: string, { status, body }: CheckedReply, headers: Headers, codes: string[]): void {
  // The schema of inbound sync's short error already restricts its codes.
  if (isShort(body)) {
    if (!codes.includes(body.error))
      throw new Error(`${where} with ${body.error}, not one of ${codes.join(', ')}`);
    return;
  }
  check(where, ['components', 'schemas', 'Error'], body);
  if (!isEnveloped(body)) throw new Error(`${where} without the error envelope`);
  const { code, type, doc_url, request_id } = body.error;
  const row = errorRows[code];
  if (!codes.includes(code)) throw new Error(`${where} with ${code}, not one of ${codes.join(', ')}`);
  if (row?.status !== status || row.type !== type) throw new Error(`${where} with ${code} of type ${type}`);
  if (request_id !== headers.get('x-request-id')) throw new Error(`${where}: request_id is not X-Request-Id`);
  if (!doc_url.endsWith(`/docs/errors#${code}`)) throw new Error(`${where} with doc_url ${doc_url}`);
}

function isShort(body: unknown): body is { success: false; error: string } {
  return typeof body === 'object' && body !== null && 'success' in body && body.success === false;
}

function isEnveloped(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body;
}

function check(where: string, pointer: string[], value: unknown): void {
  const ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')}`;
  const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
  compiled.set(ref, validate);
  if (validate(value)) return;
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error(
    `${where}, which is not what the document says:\n  ${problems.slice(0, 12).join('\n  ')}\n  body: ${JSON.stringify(value)?.slice(0, 600)}`,
  );
}

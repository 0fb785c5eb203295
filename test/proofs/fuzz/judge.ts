// What every answer must be: no failure, errors in the envelope under a known code, and valid by the document.
import type { IncomingHttpHeaders } from 'node:http';
import { errorCodes, errors } from '../../../functions/contract/errors.ts';
import { checkReply } from '../../support/schema-check.ts';
import type { FuzzedRequest } from './request.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Envelope {
  error: { code?: unknown; type?: unknown; message?: unknown; doc_url?: unknown; request_id?: unknown };
}

function parsed({ headers, text }: Answer): unknown {
  if (!String(headers['content-type']).includes('json') || text === '') return text;
  return JSON.parse(text);
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';
}

/** The error code of an answer, or undefined of a success; `sync` has its own short shape. */
export function codeOf(answer: Answer): string | undefined {
  const body = answer.status >= 400 && answer.text !== '' ? parsed(answer) : undefined;
  if (isEnvelope(body)) return String(body.error.code);
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : undefined;
}

/** What is wrong with an error's envelope itself, whichever part of the service wrote it. */
function envelopeFault({ error }: Envelope, { status, headers }: Answer): string | undefined {
  const code = errorCodes.find((known) => known === error.code);
  if (!code) return `unknown code ${error.code}`;
  const row = errors[code];
  if (row.status !== status) return `${code} with status ${status}`;
  if (row.type !== error.type) return `${code} of type ${error.type}`;
  if (error.request_id !== headers['x-request-id']) return 'request_id is not X-Request-Id';
  if (!String(error.doc_url).endsWith(`/docs/errors#${code}`)) return `doc_url ${error.doc_url}`;
  return undefined;
}

/** Whether the request asks for trouble of the model, as only the offline model understands. */
function rehearsesTrouble({ body }: FuzzedRequest): boolean {
  return body !== undefined && /\[\[(fail|transient)/.test(body.toString());
}

/**
 * Whether a machine that is too slow for the moment turned the request away, as it may: with the advice to come again.
 */
export function isTurnedAway(request: FuzzedRequest, { status, headers }: Answer): boolean {
  return [503, 504].includes(status) && headers['retry-after'] !== undefined && !rehearsesTrouble(request);
}

/** What is wrong with an answer; undefined when nothing is. */
export function faultOf(request: FuzzedRequest, answer: Answer): string | undefined {
  const passes = isTurnedAway(request, answer) || rehearsesTrouble(request);
  if (answer.status >= 500 && !(passes && [503, 504].includes(answer.status)))
    return `status ${answer.status}: ${answer.text.slice(0, 300)}`;
  if (!answer.headers['x-request-id']) return 'no X-Request-Id';
  if (request.method === 'HEAD') return undefined;
  try {
    const body = parsed(answer);
    if (isEnvelope(body)) {
      const fault = envelopeFault(body, answer);
      if (fault || request.astray) return fault;
    } else if (answer.status >= 400 && request.astray && !request.path.includes('/sync/'))
      return `status ${answer.status} without the envelope`;
    if (request.astray) return undefined;
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    checkReply({
      method: request.method,
      path: request.path,
      status: answer.status,
      headers: Object.fromEntries(headers),
      body,
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// One API call: key, request id, retries of transient failures, and errors by code.
import { linked, pause } from './abort.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { ErrorBody } from './types.ts';

export interface ClientOptions {
  /** The API key, or a function that returns it before each request. One that is not set throws TypeError. */
  apiKey: string | undefined | (() => string | Promise<string>);
  /** Address of the service; ends in `/api/v1`, on a custom domain in `/v1`. */
  baseUrl: string;
  fetch?: typeof fetch;
  /** Retries after 429, 500, 503, 504 and lost connections. Default: 4. */
  maxRetries?: number;
  /** The longest wait before a retry that the service may ask for; a longer one throws at once. Default: 60,000. */
  maxRetryDelayMs?: number;
  /** Time limit of one attempt. Default: 60,000. */
  timeoutMs?: number;
}

export interface CallOptions {
  /** Aborts the call; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Your id for the request; errors contain it. */
  requestId?: string | undefined;
  maxRetries?: number | undefined;
  timeoutMs?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Sending a key twice returns the same run. Default: a new UUID, reused by the retries of the call. */
  idempotencyKey?: string | undefined;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address. */
  path: string;
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The answer is a text, not JSON. */
  text?: true;
}

interface Reply<T> {
  body: T;
  headers: Headers;
}

/** Sends a call and returns its reply. Throws ApiError, ConnectionError, and the reason of an aborted signal. */
export type Send = <T>(call: Call, options?: CallOptions) => Promise<Reply<T>>;

const RETRIED = new Set([429, 500, 503, 504]);
/** Errors that a retry meets again, whatever their status. */
const FINAL = new Set<string>(['model_refused', 'model_answer_unusable']);
/** The default number of retries. */
export const MAX_RETRIES = 4;
const MAX_RETRY_DELAY_MS = 60_000;
const TIMEOUT_MS = 60_000;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 8000;

/** The wait before a retry: what the service asks for, else 1, 2, 4, 8 s; with jitter. */
export function retryDelayMs(failures: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * FIRST_DELAY_MS;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  return delay * (0.5 + Math.random() / 2);
}

/** The address of a call. */
export function urlOf(baseUrl: string, path: string, query: object = {}): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    Object.fromEntries(set.map(([name, value]) => [name, String(value)])),
  ).toString();
  return `${baseUrl.replace(/\/+$/, '')}${path}${text && `?${text}`}`;
}

/** The error of a reply; a ConnectionError when it is not one of the service. */
export async function errorOf(response: Response, attempts: number): Promise<ApiError | ConnectionError> {
  const text = await response.text();
  const body = parsed(text) as { error?: ErrorBody } | undefined;
  if (typeof body?.error?.code !== 'string') {
    const { status, type } = response;
    // Browsers hide the status of a redirect.
    const redirects = type === 'opaqueredirect' || (status >= 300 && status < 400);
    const what = redirects ? 'a redirect, which is not followed' : 'not an answer of the service';
    return new ConnectionError(`HTTP ${status}: ${what}`, attempts, undefined, status);
  }
  const retryAfterMs = retryAfter(response.headers.get('retry-after'));
  return new ApiError(body.error, { status: response.status, attempts, retryAfterMs });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The body of a call's reply. */
export async function bodyOf<T>(send: Send, call: Call, options?: CallOptions): Promise<T> {
  return (await send<T>(call, options)).body;
}

/** Such a segment would make another path of it. */
const NO_ID = /\/\.{0,2}(\/|$)/;

/** A key without blanks around it. Throws TypeError for one that is not set, and for what is no key. */
export function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || key.trim() === '') throw new TypeError('apiKey is not set.');
  const [odd] = /[^\w.~+/=-]/u.exec(key.trim()) ?? [];
  if (odd === undefined) return key.trim();
  const name = `U+${odd.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new TypeError(`The API key has a character that no key has: ${name}.`);
}

/** What a failed request says, with its causes: `fetch failed` alone does not help. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { message, cause } = thrown;
  // Several addresses were tried: the error of all of them has a code alone.
  const own = message || ('code' in thrown ? String(thrown.code) : thrown.name);
  return cause === undefined ? own : `${own}: ${reasonOf(cause)}`;
}

/** Creates the function that sends a client's calls. It throws TypeError for an id that leads to another path. */
export function sender(client: ClientOptions): Send {
  return async (call, options = {}) => {
    if (NO_ID.test(call.path)) throw new TypeError(`An id must not be empty, "." or "..": ${call.path}`);
    const maxRetries = options.maxRetries ?? client.maxRetries ?? MAX_RETRIES;
    for (let attempts = 1; ; attempts += 1) {
      const answer = await attempt(client, call, options, attempts);
      if ('reply' in answer) return answer.reply;
      const { error, passes } = answer;
      const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
      const tooLong = (asked ?? 0) > (client.maxRetryDelayMs ?? MAX_RETRY_DELAY_MS);
      if (!passes || tooLong || attempts > maxRetries) throw error;
      await pause(retryDelayMs(attempts, asked), options.signal);
    }
  };
}

/** The result of one attempt: the reply, or an error and whether it may be transient. */
type Answer = { reply: Reply<never> } | { error: ApiError | ConnectionError; passes: boolean };

async function attempt(
  client: ClientOptions,
  call: Call,
  options: CallOptions,
  attempts: number,
): Promise<Answer> {
  options.signal?.throwIfAborted();
  const url = urlOf(client.baseUrl, call.path, call.query);
  const request = {
    method: call.method,
    headers: await headersOf(client, call, options),
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  };
  const { signal, abort, release } = linked(options.signal);
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS;
  const timer = setTimeout(() => abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    // A redirect would take the key or the body elsewhere.
    const response = await (client.fetch ?? fetch)(url, { ...request, redirect: 'manual', signal });
    if (response.ok) {
      const parsed = () => (call.text ? response.text() : response.json());
      const body = response.status === 204 ? undefined : await parsed();
      return { reply: { body: body as never, headers: response.headers } };
    }
    const error = await errorOf(response, attempts);
    const away = error instanceof ConnectionError && response.status >= 500;
    const final = error instanceof ApiError && FINAL.has(error.code);
    return { error, passes: away || (RETRIED.has(response.status) && !final) };
  } catch (cause) {
    options.signal?.throwIfAborted();
    // Without the query, which may have a token.
    const message = `${call.method} ${urlOf(client.baseUrl, call.path)}: ${reasonOf(cause)}`;
    return { error: new ConnectionError(message, attempts, cause), passes: true };
  } finally {
    clearTimeout(timer);
    release();
  }
}

async function headersOf(
  { apiKey }: ClientOptions,
  call: Call,
  { requestId }: CallOptions,
): Promise<Headers> {
  const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
  return new Headers({
    Authorization: `Bearer ${checkedKey(key)}`,
    ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    ...call.headers,
  });
}

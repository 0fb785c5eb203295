// A request of a client whose answer is taken as it comes, and a way to watch all requests.
import type { HttpReply } from '../support/service.ts';

export interface Asked {
  method: string;
  /** Below the base address. */
  path: string;
  body?: unknown;
  idempotency_key?: string | undefined;
  /** The bearer, in place of the key. */
  token?: string;
  /** Longer than the ten seconds that any answer takes but that of a model. */
  timeout_ms?: number;
}

/** Sends one request. Rejects when no answer comes. */
export type Ask = (asked: Asked) => Promise<HttpReply>;

/** Sees each request and its outcome; must pass on both. */
export type Watch = (asked: Asked, send: () => Promise<HttpReply>) => Promise<HttpReply>;

const TIMEOUT_MS = 10_000;

/** Sends a request with a key to the service at `base_url`. */
export async function ask(
  access: { base_url: string; api_key: string },
  { method, path, body, idempotency_key, token, timeout_ms = TIMEOUT_MS }: Asked,
): Promise<HttpReply> {
  const response = await fetch(`${access.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token ?? access.api_key}`,
      'content-type': 'application/json',
      ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout_ms),
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

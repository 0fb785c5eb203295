// What browsers of any origin may do below the base address (rules.md: cors). No cookie is read, so any origin is safe.

/** On every reply below the base address. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Idempotency-Replayed, Content-Disposition',
} as const;

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, X-Request-Id, Last-Event-ID, X-Service-Api-Version, ' +
  'traceparent, tracestate, Cache-Control, X-Requested-With';
const MAX_AGE_SECONDS = 7200;

/** The headers of the reply to OPTIONS on a path with these methods. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return {
    'Access-Control-Allow-Methods': [...allowed, 'OPTIONS'].join(', '),
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
  };
}

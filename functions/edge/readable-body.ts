// Whether the body of a request can be read at all: its encoding, then its size (rules.md: request 1).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { cut } from '#platform/cut.ts';
import type { HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';

const SHOWN_MAX = 200;

/** Throws unsupported_media_type for a compressed body, and payload_too_large. */
export function requireReadable({ headers, body_bytes }: HttpRequest): void {
  const encoding = headers['content-encoding']?.trim() ?? '';
  if (body_bytes > 0 && !/^(identity)?$/i.test(encoding))
    throw fail('unsupported_media_type', { details: { received: cut(encoding, SHOWN_MAX) } });
  if (body_bytes > limits.body_max_bytes)
    throw fail('payload_too_large', {
      details: { max_bytes: limits.body_max_bytes, received_bytes: body_bytes },
    });
}

/** Refuses such a body on every route, also where none is read. */
export function readableBody(): Middleware {
  return { before: ({ context }) => requireReadable(context.request) };
}

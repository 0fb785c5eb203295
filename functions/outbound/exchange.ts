// One HTTP/1.1 exchange over an open connection: the request as given, the status, the body only if wanted.
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { OutboundError } from './failure.ts';

/** The request as it goes over the wire. */
export interface WireRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  /** Sent byte by byte as given. */
  body?: string | Uint8Array;
  /** Reads the response body up to this many bytes; left out, no body is read at all. */
  readBodyBytes?: number;
}

export interface WireResponse {
  status: number;
  body?: Buffer;
}

/** An honest server sends one or two (early hints); more is a way to keep us busy. */
const maxInformational = 16;

/**
 * Resolves as soon as the status is known, or the whole body when it was asked for. It has no clock: the
 * caller ends it by destroying the socket. Rejects with an error that has a `code`; ours are
 * `too_many_informational`, `body_too_large`, `content_encoding`, `invalid_http` and `connection_closed`.
 */
export async function exchange(socket: Socket, url: URL, request: WireRequest): Promise<WireResponse> {
  // No timers: an idle timer is fed by every dripped byte.
  const client = new Client(url.origin, { connect: handOver(socket), headersTimeout: 0, bodyTimeout: 0 });
  const pulls = request.readBodyBytes !== undefined;
  const options = {
    method: request.method,
    path: url.pathname + url.search,
    headers: pulls ? { ...request.headers, 'accept-encoding': 'identity' } : request.headers,
    body: request.body ?? null,
    reset: true,
  };
  try {
    return await new Promise((resolve, reject) => {
      client.dispatch(options, reader(request.readBodyBytes, resolve, reject));
    });
  } finally {
    await client.destroy();
  }
}

function reader(
  maxBytes: number | undefined,
  resolve: (response: WireResponse) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let status = 0;
  let informational = 0;
  let received = 0;
  return {
    onRequestStart: () => undefined,
    onResponseStart(controller, statusCode, headers) {
      if (statusCode < 200) {
        informational += 1;
        if (informational > maxInformational) controller.abort(new OutboundError('too_many_informational'));
        return;
      }
      status = statusCode;
      if (maxBytes === undefined) return resolve({ status });
      // A compressed body can be a thousand times what is counted on the wire.
      const encoding = headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity') controller.abort(new OutboundError('content_encoding'));
    },
    onResponseData(controller, chunk) {
      if (maxBytes === undefined) return;
      received += chunk.length;
      if (received > maxBytes) controller.abort(new OutboundError('body_too_large'));
      else chunks.push(chunk);
    },
    onResponseEnd: () => resolve({ status, body: Buffer.concat(chunks) }),
    // The parser's errors come without a code.
    onResponseError: (_controller, error) =>
      reject(error.name === 'HTTPParserError' ? new OutboundError('invalid_http') : error),
  };
}

/** Gives the client the open socket, and nothing when it asks for a second one. */
function handOver(
  socket: Socket,
): (options: unknown, callback: (...args: [null, Socket] | [Error, null]) => void) => void {
  let given = false;
  return (_options, callback) => {
    const first = !given;
    given = true;
    // Later, as a real connector would answer: the client is still at work when it asks.
    queueMicrotask(() => {
      if (first && !socket.destroyed) callback(null, socket);
      else callback(new OutboundError('connection_closed'), null);
    });
  };
}

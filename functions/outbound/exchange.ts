// One HTTP/1.1 exchange over an open connection: sends the request, returns the status and, on demand, the body.
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
} from 'node:http';
import type { Socket } from 'node:net';
import { OutboundError } from './failure.ts';

/** The request as sent. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  body?: string | Uint8Array;
  /** Reads the body of a response with status 200, at most this many bytes; when absent, none. */
  readBodyBytes?: number;
}

export interface WireResponse {
  status: number;
  /** Present when the body was wanted. */
  headers?: IncomingHttpHeaders;
  body?: Buffer;
}

/** A normal server sends one or two (early hints); more would keep us busy. */
const maxInformational = 16;

/** Failures of Node's client, by their code in delivery logs; other parser errors are `invalid_http`. */
const codes: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'UND_ERR_HEADERS_OVERFLOW',
  ERR_INVALID_CHAR: 'UND_ERR_INVALID_ARG',
  ERR_INVALID_HTTP_TOKEN: 'UND_ERR_INVALID_ARG',
};

/**
 * Resolves as soon as the status is known or, when the body of a 200 is wanted, with the whole body. It has no
 * timeout: the caller ends it by destroying the socket. Rejects with an error that has a `code`: one of the socket, or
 * an OutboundError with `connection_closed` (before the request), `UND_ERR_SOCKET` (after it),
 * `too_many_informational`, `body_too_large`, `content_encoding`, `invalid_http`, `UND_ERR_HEADERS_OVERFLOW` or
 * `UND_ERR_INVALID_ARG` (a header that cannot be sent).
 */
export async function exchange(socket: Socket, url: URL, wire: WireRequest): Promise<WireResponse> {
  if (socket.destroyed) throw new OutboundError('connection_closed');
  let request: ClientRequest | undefined;
  try {
    request = openRequest({
      // Without an agent the socket is used once and no second connection is possible.
      createConnection: () => socket,
      method: wire.method,
      path: url.pathname + url.search,
      headers: headersOf(url, wire),
      // Strict, whatever the process flags are.
      insecureHTTPParser: false,
    });
    return await answerTo(request, socket, wire);
  } catch (error) {
    throw recorded(error);
  } finally {
    request?.destroy();
  }
}

function headersOf(url: URL, { headers, readBodyBytes }: WireRequest): Record<string, string> {
  const always = { host: url.host, connection: 'close', ...headers };
  return readBodyBytes === undefined ? always : { ...always, 'accept-encoding': 'identity' };
}

/** Sends the request. The first event settles it; a failure counts only until the response is complete. */
function answerTo(
  request: ClientRequest,
  socket: Socket,
  { body, readBodyBytes }: WireRequest,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    let informational = 0;
    const fail = (error: Error) => {
      // Bytes after a complete response are a parser error too, while the reader still drains the body.
      if (!answer?.complete) reject(error);
    };
    request.on('information', () => {
      informational += 1;
      if (informational > maxInformational) fail(new OutboundError('too_many_informational'));
    });
    request.on('response', (response) => {
      answer = response;
      const { statusCode: status = 0, headers } = response;
      // The parser accepts 000 to 099, and 101 without an upgrade.
      if (status < 200) fail(new OutboundError('invalid_http'));
      else if (readBodyBytes === undefined) resolve({ status });
      else if (status !== 200) resolve({ status, headers });
      else
        readBody(response, readBodyBytes).then((bytes) => resolve({ status, headers, body: bytes }), reject);
    });
    request.on('error', fail);
    // After an unsolicited upgrade, the client destroys the socket without an error.
    socket.once('close', () => fail(new OutboundError('UND_ERR_SOCKET')));
    request.end(body);
  });
}

/** The body; fails when the connection closes early. */
function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A compressed body can be a thousand times its size on the wire.
    const encoding = response.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') return reject(new OutboundError('content_encoding'));
    const chunks: Buffer[] = [];
    let received = 0;
    response.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) reject(new OutboundError('body_too_large'));
      else chunks.push(chunk);
    });
    response.on('error', reject);
    response.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

/** The error with its recorded code. */
function recorded(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  // Node reports a peer that closes; a reset by the peer comes from a system call.
  if (error.code === 'ECONNRESET' && !('syscall' in error)) return new OutboundError('UND_ERR_SOCKET');
  const code = codes[error.code] ?? (error.code.startsWith('HPE_') ? 'invalid_http' : undefined);
  return code ? new OutboundError(code) : error;
}

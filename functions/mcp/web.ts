// Requests and replies in the form of the web standard, which the protocol's library speaks.
import { Readable } from 'node:stream';
import type { HttpRequest } from '#edge/http-request.ts';
import type { StreamedReply, TextReply } from '#edge/replies.ts';

/** The request without its body, which was read before. The library looks at no address. */
export function requestOf({ headers }: HttpRequest): Request {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: sent });
}

/** The reply, piece by piece where it is a stream. A reader who leaves ends the work, where the platform tells of it. */
export async function replyOf(response: Response): Promise<TextReply | StreamedReply> {
  const { status, body } = response;
  const type = response.headers.get('content-type') ?? 'application/json';
  const headers = { 'Content-Type': type };
  if (!body || !type.startsWith('text/event-stream')) return { status, text: await response.text(), headers };
  // A stream of Node is let go of at once; the web's own would first wait for its next piece.
  return { status, stream: Readable.fromWeb(body).setEncoding('utf8'), headers };
}

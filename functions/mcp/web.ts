// Requests and replies as Fetch API objects, which the protocol's library uses.
import { Readable } from 'node:stream';
import type { HttpRequest } from '#edge/http-request.ts';
import type { StreamedReply, TextReply } from '#edge/replies.ts';
import { shortEvents, shortMessage } from './short-message.ts';

/** The request without its body, which was parsed before. The library ignores the address. */
export function requestOf({ headers }: HttpRequest): Request {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: sent });
}

/**
 * The reply, piece by piece when it is a stream. A client that disconnects ends the work, where the platform reports
 * that.
 */
export async function replyOf(response: Response): Promise<TextReply | StreamedReply> {
  const { status, body } = response;
  const type = response.headers.get('content-type') ?? 'application/json';
  const headers = { 'Content-Type': type };
  if (!body) return { status, text: '', headers };
  if (!type.startsWith('text/event-stream'))
    return { status, text: shortMessage(await response.text()), headers };
  // A Node stream can be destroyed at once; a web stream would first wait for its next piece.
  return { status, stream: Readable.fromWeb(body.pipeThrough(shortEvents())).setEncoding('utf8'), headers };
}

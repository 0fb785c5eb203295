// A function's answer as HTTP: buffered, or streamed with backpressure and disconnects.
import type { ServerResponse } from 'node:http';
import { isObject, type Json, type JsonObject } from '../json-values.ts';
import type { InvokeResult } from '../lambda/host/lambda-host.ts';
import type { Receiver } from '../lambda/host/worker.ts';
import type { FunctionError } from '../lambda/host/worker-messages.ts';

type Headers = [name: string, value: string][];

/** Headers of the connection, which the server writes itself. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/** Headers that a REST API renames because it sets its own. */
const REMAPPED = new Set(['authorization', 'date', 'server', 'www-authenticate']);

/** The name under which a REST API forwards a header. */
export function restName(name: string): string {
  return REMAPPED.has(name.toLowerCase()) ? `x-amzn-remapped-${name.toLowerCase()}` : name;
}

/** Sends a buffered answer. Returns false, having sent nothing, when it is not a valid proxy response. */
export function sendProxyResponse(response: ServerResponse, result: InvokeResult): boolean {
  if (!result.ok) return false;
  const answer = parsed(result.payload);
  if (!answer || !isStatus(answer.statusCode)) return false;
  if (answer.body !== undefined && answer.body !== null && typeof answer.body !== 'string') return false;
  const body = Buffer.from(answer.body ?? '', answer.isBase64Encoded === true ? 'base64' : 'utf8');
  if (response.destroyed) return true;
  writeHead(response, answer.statusCode, headersOf(answer, restName), body.length);
  response.end(body);
  return true;
}

/**
 * Writes a streamed answer to a response. Calls `failed`, having sent nothing, when the function fails before its
 * first byte or sends no head; a later failure cuts the connection. `nameOf` renames headers.
 */
export function streamOnto(
  response: ServerResponse,
  nameOf: (name: string) => string,
  failed: (error?: FunctionError) => void,
): Receiver {
  const abandon = (error?: FunctionError) => {
    if (response.headersSent) response.destroy();
    else failed(error);
  };
  // All chunks wait for one drain: a reader that is slow or gone may have many of them behind it.
  let drained: Promise<void> | undefined;
  return {
    result: () => abandon(),
    fail: abandon,
    head(prelude) {
      if (!response.destroyed && !response.headersSent) {
        writeHead(
          response,
          isStatus(prelude.statusCode) ? prelude.statusCode : 200,
          headersOf(prelude, nameOf),
          undefined,
        );
        response.flushHeaders();
        if (isEventStream(response)) endWithReader(response);
      }
    },
    async chunk(data) {
      if (!response.headersSent || response.destroyed || response.write(data)) return;
      drained ??= drainOf(response).finally(() => {
        drained = undefined;
      });
      await drained;
    },
    end() {
      if (response.headersSent) response.end();
      else failed();
    },
  };
}

/** Resolves when the response takes data again, or is closed. */
async function drainOf(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

const isEventStream = (response: ServerResponse): boolean =>
  String(response.getHeader('content-type')).startsWith('text/event-stream');

/** A stream of events has no end to wait for: a reader that ends its side has left. */
function endWithReader(response: ServerResponse): void {
  const { socket } = response;
  const leave = () => response.destroy();
  if (socket?.readableEnded) leave();
  socket?.once('end', leave);
  response.once('close', () => socket?.off('end', leave));
}

function parsed(payload: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStatus(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599;
}

function headersOf(answer: JsonObject, nameOf: (name: string) => string): Headers {
  const many = isObject(answer.multiValueHeaders) ? answer.multiValueHeaders : {};
  const single = isObject(answer.headers) ? answer.headers : {};
  const named = new Set(Object.keys(many).map((name) => name.toLowerCase()));
  const headers: Headers = [];
  for (const [name, values] of Object.entries(many)) {
    for (const value of Array.isArray(values) ? values : [values]) headers.push([name, String(value)]);
  }
  for (const [name, value] of Object.entries(single))
    if (!named.has(name.toLowerCase())) headers.push([name, String(value)]);
  if (Array.isArray(answer.cookies))
    for (const cookie of answer.cookies) headers.push(['set-cookie', String(cookie)]);
  return headers
    .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => [nameOf(name), value]);
}

function writeHead(
  response: ServerResponse,
  status: number,
  headers: Headers,
  length: number | undefined,
): void {
  for (const [name, value] of headers) response.appendHeader(name, value);
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  if (length !== undefined && status !== 204 && status !== 304) response.setHeader('content-length', length);
  response.writeHead(status);
}

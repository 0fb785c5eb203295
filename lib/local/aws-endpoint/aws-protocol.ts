// What all local services share of the AWS protocols: errors, bodies, JSON replies.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { JsonObject } from '../json-values.ts';

/** AWS JSON names the operation in a header; REST protocols derive it from method and path. */
export type Protocol =
  | { format: 'json'; version: '1.0' | '1.1' }
  | { format: 'rest-json' | 'rest-xml'; operationOf(method: string, path: string): string | undefined };

/** A reply of a local service. */
export interface AwsReply {
  status: number;
  headers: Record<string, string>;
  /** A stream has its `content-length` among the headers. */
  body: string | Buffer | Readable;
}

/** An operation of a local service. Throws AwsError for what AWS would refuse. */
export type Operation = (input: JsonObject) => JsonObject | Promise<JsonObject>;

/** An error as an AWS service reports it; the SDK uses `code` as the error's name. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number;
  /** Further fields of the error's body. */
  readonly details: JsonObject;
  constructor(code: string, message: string, status = 400, details: JsonObject = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** Reads a request's body. Throws AwsError (413) beyond `limitBytes`; a reply can still be sent. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= limitBytes) parts.push(part);
    else reject(new AwsError('RequestEntityTooLarge', `The body exceeds ${limitBytes} bytes.`, 413));
  });
  request.once('end', () => resolve(Buffer.concat(parts)));
  request.once('error', reject);
  request.once('close', () => {
    if (!request.readableEnded) reject(new AwsError('RequestAborted', 'The client went away.', 400));
  });
  return promise;
}

/** A reply in AWS JSON. */
export function jsonReply(value: JsonObject, version = '1.0'): AwsReply {
  return {
    status: 200,
    headers: { 'content-type': `application/x-amz-json-${version}` },
    body: JSON.stringify(value),
  };
}

/** An error in AWS JSON, for the JSON and REST-JSON protocols. */
export function jsonError(error: AwsError): AwsReply {
  return {
    status: error.status,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': error.code },
    body: JSON.stringify({
      __type: error.code,
      message: error.message,
      Message: error.message,
      ...error.details,
    }),
  };
}

/** An error in S3's XML. */
export function xmlError(error: AwsError): AwsReply {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message></Error>`;
  return { status: error.status, headers: { 'content-type': 'application/xml' }, body };
}

function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Sends a reply. */
export function sendReply(response: ServerResponse, reply: AwsReply): void {
  const { status, headers, body } = reply;
  if (body instanceof Readable) {
    response.writeHead(status, headers);
    // A failure cuts the connection: the length then tells the client that the body is not whole.
    pipeline(body, response, () => {});
    return;
  }
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

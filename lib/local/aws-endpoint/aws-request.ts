// A request to an AWS service: caller, service, operation and input.
import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../json-values.ts';
import { AwsError, type Protocol } from './aws-protocol.ts';

/** A request as received. */
export interface AwsRequest {
  /** The function that signed it, or `operator` for the admin CLI. */
  caller: string;
  /** The service name in its signature: `dynamodb`, `states`, `secretsmanager`. */
  service: string;
  /** AWS's name of the operation: `PutItem`, `SendMessage`, `GetObject`, `Invoke`. */
  operation: string;
  /** The parsed body; `{}` in REST protocols. Only they use the following fields. */
  input: JsonObject;
  method: string;
  /** Percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Buffer;
}

/** Reads access key id and service from a signature, without verifying it. Undefined when there is none. */
export function signatureOf(
  authorization: string | undefined,
): { accessKeyId: string; service: string } | undefined {
  const scope = /Credential=([^/,\s]+)\/[^/,\s]+\/[^/,\s]+\/([^/,\s]+)\//.exec(authorization ?? '');
  return scope?.[1] && scope[2] ? { accessKeyId: scope[1], service: scope[2] } : undefined;
}

/** A request as a function's thread sends it. */
interface SentRequest extends Pick<AwsRequest, 'service' | 'method' | 'path' | 'headers'> {
  body: string;
}

/** Reads the request of a thread. Throws AwsError for an unknown operation or a text that is not a JSON object. */
export function messageRequest(
  caller: string,
  { service, method, path, headers, body }: SentRequest,
  protocol: Protocol | undefined,
): AwsRequest {
  const operation = operationOf(protocol, { method, path, headers });
  const input = protocol?.format === 'json' ? parsed(body) : {};
  const query = new URLSearchParams();
  return { caller, service, operation, input, method, path, query, headers, body: Buffer.from(body) };
}

/** Reads a request in its service's protocol. Throws AwsError for an unknown operation. */
export function readAwsRequest(
  request: IncomingMessage,
  body: Buffer,
  signed: { caller: string; service: string },
  protocol: Protocol,
): AwsRequest {
  const method = request.method ?? 'GET';
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://endpoint');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const operation = operationOf(protocol, { method, path, headers });
  const input = protocol.format === 'json' ? parsed(body.toString()) : {};
  return { ...signed, operation, input, method, path, query, headers, body };
}

function operationOf(
  protocol: Protocol | undefined,
  { method, path, headers }: Pick<AwsRequest, 'method' | 'path' | 'headers'>,
): string {
  const target = headers['x-amz-target'];
  const operation =
    protocol && 'operationOf' in protocol ? protocol.operationOf(method, path) : target?.split('.')[1];
  if (operation) return operation;
  throw new AwsError('UnknownOperationException', `${target ?? `${method} ${path}`} is not known locally.`);
}

function parsed(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body || '{}');
    if (isObject(value)) return value;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new AwsError('SerializationException', 'The body is not a JSON object.');
}

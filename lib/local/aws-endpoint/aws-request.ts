// One AWS call as the local door understands it: who asks which operation of which service, and of what.
import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../json-values.ts';
import { AwsError } from './aws-protocol.ts';

export type ServiceName = 'dynamodb' | 'sqs' | 's3' | 'states' | 'kms' | 'secretsmanager' | 'lambda';

/** A call that came in, before anything was done with it. */
export interface AwsRequest {
  /** The function that signed it, or `operator` for the admin CLI. */
  caller: string;
  service: ServiceName;
  /** As AWS names it: `PutItem`, `SendMessage`, `GetObject`, `Invoke`. */
  operation: string;
  /** The parsed body; `{}` for S3 and Lambda. */
  input: JsonObject;
  /** The bucket, object or function that the path names; empty for the JSON services. */
  path: { bucket: string; key: string; functionName: string };
  body: Buffer;
}

const targets: Record<string, ServiceName> = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  AWSStepFunctions: 'states',
  TrentService: 'kms',
  secretsmanager: 'secretsmanager',
};
const s3Operations: Record<string, string> = {
  GET: 'GetObject',
  HEAD: 'HeadObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
};
const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** The access key id that a request was signed with; undefined for an unsigned one. Signatures are not verified. */
export function accessKeyOf(authorization: string | undefined): string | undefined {
  return /Credential=([^/,\s]+)\//.exec(authorization ?? '')?.[1];
}

/** Says what a request asks for. Throws AwsError for what no local service answers. */
export function readAwsRequest(request: IncomingMessage, url: URL, body: Buffer, caller: string): AwsRequest {
  const target = request.headers['x-amz-target'];
  const path = { bucket: '', key: '', functionName: '' };
  if (typeof target === 'string') {
    const [prefix = '', operation = ''] = target.split('.');
    const service = Object.hasOwn(targets, prefix) ? targets[prefix] : undefined;
    if (!service) throw new AwsError('UnknownOperationException', `${target} is not known locally.`);
    return { caller, service, operation, input: inputOf(body), path, body };
  }
  const invoked = INVOKE_PATH.exec(url.pathname)?.[1];
  if (invoked !== undefined && request.method === 'POST') {
    const functionName = decodeURIComponent(invoked)
      .replace(/^arn:.*:function:/, '')
      .replace(/:.*$/, '');
    return {
      caller,
      service: 'lambda',
      operation: 'Invoke',
      input: {},
      path: { ...path, functionName },
      body,
    };
  }
  const [, bucket = '', ...rest] = url.pathname.split('/');
  const key = rest.map(decodeURIComponent).join('/');
  const operation = key === '' ? 'ListObjectsV2' : (s3Operations[request.method ?? ''] ?? 'Unknown');
  return { caller, service: 's3', operation, input: {}, path: { ...path, bucket, key }, body };
}

function inputOf(body: Buffer): JsonObject {
  try {
    const parsed: unknown = JSON.parse(body.toString() || '{}');
    if (isObject(parsed)) return parsed;
  } catch {
    // Falls through to the refusal below.
  }
  throw new AwsError('SerializationException', 'The body is no JSON object.');
}

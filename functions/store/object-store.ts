// Objects in the bucket: JSON texts too large for an item.
import { AwsClient } from 'aws4fetch';
import { env, optionalEnv } from '#platform/env.ts';
import { describe, log } from '#platform/log.ts';

// The S3 client of the SDK would add a quarter to the size of every function, for two plain requests.
let client: AwsClient | undefined;

/** One request to the bucket, signed with the function's credentials. Tries 5xx and throttling again; throws any other failure. */
async function request(
  method: 'GET' | 'PUT' | 'DELETE',
  key: string,
  body?: Buffer<ArrayBuffer>,
): Promise<Response> {
  client ??= new AwsClient({
    accessKeyId: env('AWS_ACCESS_KEY_ID'),
    secretAccessKey: env('AWS_SECRET_ACCESS_KEY'),
    sessionToken: optionalEnv('AWS_SESSION_TOKEN'),
    service: 's3',
    region: env('AWS_REGION'),
    retries: 4,
  });
  const endpoint = optionalEnv('AWS_ENDPOINT_URL_S3');
  const bucket = env('BUCKET_NAME');
  const base = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${env('AWS_REGION')}.amazonaws.com`;
  const response = await client.fetch(`${base}/${key}`, {
    method,
    body,
    headers: body && { 'Content-Type': 'application/json' },
  });
  if (!response.ok) throw new Error(`${method} of object ${key} answered ${response.status}`);
  return response;
}

/** Saves a JSON text under `key`. Throws when the bucket refuses it. */
export async function putObject(key: string, json: Buffer<ArrayBuffer>): Promise<void> {
  await request('PUT', key, json);
}

/** The JSON text under `key`. Throws when there is none. */
export async function getObject(key: string): Promise<string> {
  return (await request('GET', key)).text();
}

/** Saves bytes under `key`. Throws when the bucket refuses them. */
export async function putBytes(key: string, bytes: Buffer<ArrayBuffer>): Promise<void> {
  await request('PUT', key, bytes);
}

/** The bytes under `key`; undefined when they cannot be had. */
export async function getBytes(key: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return Buffer.from(await (await request('GET', key)).arrayBuffer());
  } catch (error) {
    log.warn('object not read', { key, error: describe(error) });
    return undefined;
  }
}

/** Removes what is under `key`; repeating it is harmless. */
export async function deleteObject(key: string): Promise<void> {
  await request('DELETE', key);
}

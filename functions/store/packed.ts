// Bodies of any size: compressed into their item while small, in the bucket when over 64 KB.
import { gunzipSync, gzipSync } from 'node:zlib';
import { AwsClient } from 'aws4fetch';
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { env, optionalEnv } from '#platform/env.ts';

/** What an item holds of a body: the body itself, or where it lies. */
export const Packed = z.union([z.object({ gz: z.instanceof(Uint8Array) }), z.object({ s3_key: z.string() })]);
export type Packed = z.infer<typeof Packed>;

/** An item that is a body and its key. */
export const PackedItem = z.object({ body: Packed });

// Two plain requests need no S3 client, which would add a quarter to the size of every function.
let client: AwsClient | undefined;

/** One request to the bucket, signed with the function's credentials; 5xx and throttling are tried again. Throws on any other failure. */
async function request(method: 'GET' | 'PUT', key: string, body?: Buffer<ArrayBuffer>): Promise<Response> {
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

/**
 * Packs a JSON value. `key` names the object of a large one: it must be unique to this write, so that a write that is
 * lost in a race leaves an orphan and never overwrites what was committed.
 */
export async function pack(value: unknown, key: string): Promise<Packed> {
  const json = Buffer.from(JSON.stringify(value));
  if (json.length <= limits.inline_body_max_bytes) return { gz: gzipSync(json, { level: 1 }) };
  await request('PUT', key, json);
  return { s3_key: key };
}

/** The JSON text of a packed value. Throws when its object is gone. */
export async function unpackText(packed: Packed): Promise<string> {
  if ('gz' in packed) return gunzipSync(packed.gz).toString();
  return (await request('GET', packed.s3_key)).text();
}

/** The packed value, checked by `parse`. */
export async function unpack<T>(packed: Packed, parse: (value: unknown) => T): Promise<T> {
  return parse(JSON.parse(await unpackText(packed)));
}

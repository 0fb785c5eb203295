// Bodies of any size: compressed into their item while small, in the bucket when over 64 KB.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { limits } from '#contract/limits.ts';
import { env, optionalEnv } from '#platform/env.ts';

/** What an item holds of a body: the body itself, or where it lies. */
export type Packed = { gz: Uint8Array } | { s3_key: string };

// A single-machine endpoint has no host name per bucket.
const client = new S3Client({ forcePathStyle: optionalEnv('AWS_ENDPOINT_URL_S3') !== undefined });
const zip = promisify(gzip);
const unzip = promisify(gunzip);

/**
 * Packs a JSON value. `key` names the object of a large one: it must be unique to this write, so that a write that is
 * lost in a race leaves an orphan and never overwrites what was committed.
 */
export async function pack(value: unknown, key: string): Promise<Packed> {
  const json = Buffer.from(JSON.stringify(value));
  if (json.length <= limits.inline_body_max_bytes) return { gz: await zip(json) };
  await client.send(
    new PutObjectCommand({
      Bucket: env('BUCKET_NAME'),
      Key: key,
      Body: json,
      ContentType: 'application/json',
    }),
  );
  return { s3_key: key };
}

/** The JSON text of a packed value. Throws when its object is gone. */
export async function unpackText(packed: Packed): Promise<string> {
  if ('gz' in packed) return (await unzip(packed.gz)).toString();
  const { Body } = await client.send(
    new GetObjectCommand({ Bucket: env('BUCKET_NAME'), Key: packed.s3_key }),
  );
  if (!Body) throw new Error(`object ${packed.s3_key} has no body`);
  return Body.transformToString();
}

/** The packed value, checked by `parse`. */
export async function unpack<T>(packed: Packed, parse: (value: unknown) => T): Promise<T> {
  return parse(JSON.parse(await unpackText(packed)));
}

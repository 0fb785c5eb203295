// Objects in the bucket: JSON texts too large for an item.
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { env, optionalEnv } from '#platform/env.ts';
import { fetchPool, replacePool } from '#platform/fetch-pool.ts';
import { describe, log } from '#platform/log.ts';
import { jitter, pause } from '#platform/pause.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';

// The S3 client of the SDK would make every function a quarter larger, for two plain requests.
let client: AwsClient | undefined;

const TRIES = 6;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 1000;
/** Time until a reply begins, extended by the size of what is sent: a connection that died never replies. */
const SILENCE_MS = 5000;
const BYTES_SENT_PER_MS = 1000;
/** Time until a reply has been read: of few bytes, and of bytes that may be many. */
const READ_MS = 5000;
const LARGE_READ_MS = 60_000;

interface Request<T> {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Includes the query, if any. */
  key: string;
  body?: Buffer<ArrayBuffer>;
  timeoutMs?: number;
  /** Reads the reply. A connection that breaks during the read is retried. */
  read: (response: Response) => Promise<T>;
}

/**
 * One request to the bucket, signed with the function's credentials. All methods are idempotent, so network errors, 5xx
 * and throttling are retried. Throws ServiceTrouble if they persist, and another error for a refusal.
 */
export async function request<T>(asked: Request<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt(asked);
    } catch (error) {
      if (!(error instanceof ServiceTrouble) || tried === TRIES) throw error;
      await pause(jitter(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** tried)));
    }
  }
}

async function attempt<T>({ method, key, body, timeoutMs = READ_MS, read }: Request<T>): Promise<T> {
  const late = new AbortController();
  const sendMs = Math.ceil((body?.length ?? 0) / BYTES_SENT_PER_MS);
  const silence = setTimeout(() => late.abort(), SILENCE_MS + sendMs);
  const signal = AbortSignal.any([late.signal, AbortSignal.timeout(timeoutMs + sendMs)]);
  const headers = body && { 'Content-Type': 'application/json' };
  const signed = await signedClient().sign(urlOf(key), { method, body, headers });
  const pool = fetchPool();
  // A signal of the signed request would be lost with the first collection of garbage, and nothing would end the call.
  const asked = fetch(signed, { signal }).finally(() => clearTimeout(silence));
  asked.catch(() => replacePool(pool));
  const response = await passing(asked);
  if (response.ok) return passing(read(response));
  const message = `${method} of object ${key} answered ${response.status}`;
  if (method === 'GET' && GONE.includes(response.status)) throw new ObjectGone(message);
  throw response.status >= 500 || response.status === 429 ? new ServiceTrouble(message) : new Error(message);
}

/** S3 answers 403 for an object that does not exist to callers that may not list the bucket. */
const GONE = [403, 404];

/** There is no object of this key: what it belonged to was deleted. */
class ObjectGone extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ObjectGone';
  }
}

/** For `catch` on a read: undefined if the object is gone. Throws every other error. */
export function absentIfGone(error: unknown): undefined {
  if (!(error instanceof ObjectGone)) throw error;
  log.warn('object is gone', { error: error.message });
}

/** A broken request or reply is transient. */
async function passing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ServiceTrouble('the bucket did not answer', error);
  }
}

function signedClient(): AwsClient {
  client ??= new AwsClient({
    accessKeyId: env('AWS_ACCESS_KEY_ID'),
    secretAccessKey: env('AWS_SECRET_ACCESS_KEY'),
    sessionToken: optionalEnv('AWS_SESSION_TOKEN'),
    service: 's3',
    region: env('AWS_REGION'),
    retries: 0,
  });
  return client;
}

function urlOf(key: string): string {
  const endpoint = optionalEnv('AWS_ENDPOINT_URL_S3');
  const bucket = env('BUCKET_NAME');
  const base = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${env('AWS_REGION')}.amazonaws.com`;
  return `${base}/${key}`;
}

/** Reads a reply without a meaningful body. */
export const drained = async (response: Response) => void (await response.arrayBuffer());

/** Saves a JSON text under `key`. Throws if the bucket refuses it. */
export async function putObject(key: string, json: Buffer<ArrayBuffer>): Promise<void> {
  await request({ method: 'PUT', key, body: json, read: drained });
}

/** The JSON text under `key`. Throws if there is none. */
export async function getObject(key: string): Promise<string> {
  return request({ method: 'GET', key, read: (response) => response.text() });
}

/** The JSON text under `key`, piece by piece. Throws if there is none. */
export async function openObject(key: string): Promise<Readable> {
  const read = async ({ body }: Response) => (body ? Readable.fromWeb(body) : Readable.from([]));
  return request({ method: 'GET', key, timeoutMs: LARGE_READ_MS, read });
}

/** Saves bytes under `key`. Throws if the bucket refuses them. */
export async function putBytes(key: string, bytes: Buffer<ArrayBuffer>): Promise<void> {
  await request({ method: 'PUT', key, body: bytes, read: drained });
}

/** The bytes under `key`; undefined if they are not readable. */
export async function getBytes(key: string): Promise<Buffer<ArrayBuffer> | undefined> {
  const read = async (response: Response) => Buffer.from(await response.arrayBuffer());
  try {
    return await request({ method: 'GET', key, timeoutMs: LARGE_READ_MS, read });
  } catch (error) {
    log.warn('object not read', { key, error: describe(error) });
    return undefined;
  }
}

/** The bytes under `key`; undefined if there are none. Throws ServiceTrouble if the bucket does not answer. */
export async function findBytes(key: string): Promise<Buffer<ArrayBuffer> | undefined> {
  const read = async (response: Response) => Buffer.from(await response.arrayBuffer());
  try {
    return await request({ method: 'GET', key, read });
  } catch (error) {
    if (error instanceof ObjectGone) return undefined;
    throw error;
  }
}

/** Removes the object under `key`. Safe to repeat. */
export async function deleteObject(key: string): Promise<void> {
  await request({ method: 'DELETE', key, read: drained });
}

// Imported first by every simulation: ids come from a seed, the indexes answer from the table and from memory,
// jobs go to simulated workers, no two processes share a read, and the variables of a function are set.
import crypto from 'node:crypto';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { AwsClient } from 'aws4fetch';
import { type Random, random } from '../../support/random.ts';

const recordIndex = new URL('./index-in-memory.ts', import.meta.url).href;
const readsOfProcess = new URL('../../support/reads-of-process.ts', import.meta.url).href;
let chance: Random = random(1);

/** The code whose import of a file is another one in a simulation. */
const replaced = [
  {
    file: '#outbound/request.ts',
    by: '/functions/domain/jobs/tell.ts',
    other: new URL('./worker-wire.ts', import.meta.url).href,
  },
  {
    file: '#record-index/record-index.ts',
    by: '/functions/domain/execution/run-sources.ts',
    other: new URL('./items-in-memory.ts', import.meta.url).href,
  },
];

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'dataloader') return next(readsOfProcess, context);
    const found = replaced.find(({ file, by }) => file === specifier && context.parentURL?.endsWith(by));
    if (found) return next(found.other, context);
    const resolved = next(specifier, context);
    return resolved.url.endsWith('/functions/domain/records/records-transport.ts')
      ? { ...resolved, url: recordIndex }
      : resolved;
  },
});

function randomBytes(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, () => chance.below(256)));
}

function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

Object.assign(crypto, { randomBytes, randomUUID });
syncBuiltinESMExports();
Math.random = () => chance.below(2 ** 32) / 2 ** 32;

/** From here on ids, nonces and jitter follow from the seed. */
export function reseed(seed: number): void {
  chance = random(seed);
}

// The bucket has no objects: whatever runs save here fits into items.
// Signing would take real time in threads, while virtual time goes on.
AwsClient.prototype.sign = async (url, init) => new Request(url.toString(), init ?? {});
globalThis.fetch = async () => new Response('<ListVersionsResult/>');

Object.assign(process.env, {
  BUCKET_NAME: 'bodies',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  TABLE_NAME: 'Table',
  AWS_REGION: 'us-east-1',
  STATE_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:Runs',
  SITE_URL: 'http://127.0.0.1',
  BASE_URL: 'http://127.0.0.1/api',
  SERVICE_SECRET_ARN: 'secret',
  DELIVERY_QUEUE_URL: 'http://127.0.0.1/queue',
  COMPACTION_QUEUE_URL: 'http://127.0.0.1/compaction-queue',
  AUDIT_QUEUE_URL: 'http://127.0.0.1/audit-queue',
  FIRE_QUEUE_URL: 'http://127.0.0.1/fire-queue',
  SIGNING_KEY_ID: 'key',
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  POWERTOOLS_METRICS_DISABLED: 'true',
});

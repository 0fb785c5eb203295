// The service's own secret: one root in Secrets Manager, one key derived from it per purpose.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings } from './aws-client.ts';
import { hmacSha256 } from './crypto.ts';
import { env } from './env.ts';

const client = new SecretsManagerClient(clientSettings('secretsmanager'));
export type Purpose = 'api-key' | 'cursor' | 'event-token' | 'artifact-link' | 'job-token';
const derived = new Map<Purpose, KeyObject>();
let root: Promise<string> | undefined;

async function readRoot(): Promise<string> {
  const { SecretString } = await client.send(
    new GetSecretValueCommand({ SecretId: env('SERVICE_SECRET_ARN') }),
  );
  if (!SecretString) throw new Error('the service secret is empty');
  return SecretString;
}

/**
 * 32-byte key for one purpose: `api-key` to look up keys, the others for the MACs of what clients send back.
 * The root is read once per process. Throws when Secrets Manager cannot be read; the next call tries again.
 */
export async function serviceKey(purpose: Purpose): Promise<KeyObject> {
  const known = derived.get(purpose);
  if (known) return known;
  root ??= readRoot();
  try {
    const key = createSecretKey(hmacSha256(await root, purpose));
    derived.set(purpose, key);
    return key;
  } catch (error) {
    root = undefined;
    throw error;
  }
}

// Secrets at rest: encrypted with the signing key of KMS, decrypted only where a signature is made or checked.
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { clientSettings } from './aws-client.ts';
import { env } from './env.ts';

const client = new KMSClient(clientSettings('kms'));
const opened = new Map<string, string>();
const MAX_OPENED = 1000;

/** Encrypts `secret` for `owner` (a key or bridge id, bound in as encryption context); base64. */
export async function seal(secret: string, owner: string): Promise<string> {
  const { CiphertextBlob } = await client.send(
    new EncryptCommand({
      KeyId: env('SIGNING_KEY_ID'),
      Plaintext: Buffer.from(secret),
      EncryptionContext: { owner },
    }),
  );
  if (!CiphertextBlob) throw new Error('KMS returned no ciphertext');
  return Buffer.from(CiphertextBlob).toString('base64');
}

/** The sealed secret; cached in memory because it never changes. Throws when it was sealed for another owner. */
export async function unseal(sealed: string, owner: string): Promise<string> {
  const known = opened.get(`${owner} ${sealed}`);
  if (known !== undefined) return known;
  const { Plaintext } = await client.send(
    new DecryptCommand({
      KeyId: env('SIGNING_KEY_ID'),
      CiphertextBlob: Buffer.from(sealed, 'base64'),
      EncryptionContext: { owner },
    }),
  );
  if (!Plaintext) throw new Error('KMS returned no plaintext');
  const secret = Buffer.from(Plaintext).toString();
  if (opened.size >= MAX_OPENED) opened.clear();
  opened.set(`${owner} ${sealed}`, secret);
  return secret;
}

// Signed claims: what the service tells a client, who hands it back as a token. Nothing of it is stored.
import { base64urlDecode, constantTimeEqual, hmacSha256 } from './crypto.ts';
import { type Purpose, serviceKey } from './service-keys.ts';

const MAC_BYTES = 32;

async function macOf(purpose: Purpose, claims: string): Promise<Buffer> {
  return hmacSha256(await serviceKey(purpose), claims);
}

/** The claims as a token. */
export async function signClaims(purpose: Purpose, claims: string): Promise<string> {
  return Buffer.concat([await macOf(purpose, claims), Buffer.from(claims)]).toString('base64url');
}

/** The claims of a token; undefined for one that this service did not sign for this purpose. */
export async function readClaims(purpose: Purpose, token: string): Promise<string | undefined> {
  const bytes = base64urlDecode(token);
  if (!bytes || bytes.length <= MAC_BYTES) return undefined;
  const claims = bytes.subarray(MAC_BYTES).toString();
  return constantTimeEqual(bytes.subarray(0, MAC_BYTES), await macOf(purpose, claims)) ? claims : undefined;
}

// The keys that sign webhooks, and the bytes that are signed. Web Crypto only, so it runs anywhere.

/**
 * The signing key: the API key that created the run, or its secret, the lowercase hex SHA-256 of that key. One that is
 * not set is refused when it is used.
 */
export type SigningKey = { apiKey: string | undefined } | { secret: string | undefined };

const utf8 = new TextEncoder();

/** The bytes of a body. */
export const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? utf8.encode(body) : body);

/** What is signed: a text that says when, and the body. */
export function signedBytes(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8.encode(prefix);
  const text = new Uint8Array(head.length + body.length);
  text.set(head);
  text.set(body, head.length);
  return text;
}

/** The secrets of keys. Throws TypeError for none, and where one is not set. */
export function secretsIn(keys: readonly (SigningKey | undefined)[]): Promise<string[]> {
  if (keys.length === 0) throw unset();
  return Promise.all(
    keys.map((key) => (key && 'secret' in key ? textOf(key.secret) : secretOf(key?.apiKey))),
  );
}

/** The text of a key or secret. Throws TypeError for one that everybody would know. */
export function textOf(key: unknown): string {
  if (typeof key !== 'string' || key.trim() === '') throw unset();
  return key;
}

function unset(): TypeError {
  return new TypeError('A key or secret is not set: it must be a text that is not blank.');
}

/** The key that signs with a secret: its text, not the bytes that it encodes. */
export async function macKey(secret: string, use: 'sign' | 'verify') {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', utf8.encode(secret), hmac, false, [use]);
}

/** The secret that signs the webhooks of runs that this key created. Throws TypeError for a key that is not set. */
export async function secretOf(apiKey: string | undefined): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(textOf(apiKey))));
  return hexOf(digest);
}

/** Lowercase hex. */
export const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

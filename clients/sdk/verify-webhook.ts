// Verifies webhooks: the signature over the exact body, and its age. Uses Web Crypto only, so it runs anywhere.
import type { WebhookBody } from './types.ts';
import { bytesOf, macKey, type SigningKey, secretsIn, signedBytes } from './webhook-keys.ts';

/** The signature: all headers of the request, or the value of `X-Service-Signature`. */
export type SignatureHeader =
  | string
  | null
  | undefined
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Allowed age of the signature, in either direction. Default: 300. */
  toleranceSeconds?: number;
  /** Epoch ms to compare the age with. Default: now. */
  now?: number;
}

/** A webhook that failed verification. */
export class WebhookError extends Error {
  readonly reason: 'no_header' | 'malformed' | 'too_old' | 'mismatch';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}

const TOLERANCE_SECONDS = 300;

/** A signature in either header format. */
interface Signature {
  /** The signed text before the body. */
  prefix: string;
  seconds: number;
  /** One of these must match. */
  macs: Uint8Array<ArrayBuffer>[];
}

/**
 * Verifies a delivery and returns its parsed body. `body`: the exact bytes received. Of several keys one must match
 * (after a rotation). Throws WebhookError; TypeError if a key is not set, or a time is no finite number.
 */
export async function verify(
  body: string | Uint8Array,
  header: SignatureHeader,
  key: SigningKey | readonly SigningKey[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookBody> {
  // A mistake of the caller shows with every request, not only with one that was forged.
  const secrets = await secretsIn([key].flat());
  if (![toleranceSeconds, now].every(Number.isFinite))
    throw new TypeError('toleranceSeconds and now must be finite numbers.');
  const signature = signatureOf(header);
  const bytes = bytesOf(body);
  if (!(await isSigned(bytes, signature, secrets)))
    throw new WebhookError('mismatch', 'No key matches the signature of this body.');
  if (Math.abs(now / 1000 - signature.seconds) > toleranceSeconds)
    throw new WebhookError(
      'too_old',
      `The time of the signature is more than ${toleranceSeconds} seconds off.`,
    );
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookBody;
}

async function isSigned(body: Uint8Array, { prefix, macs }: Signature, secrets: string[]): Promise<boolean> {
  const text = signedBytes(prefix, body);
  const judged = await Promise.all(
    secrets.map(async (secret) => {
      const mac = await macKey(secret, 'verify');
      // `subtle.verify` compares in constant time.
      return Promise.all(macs.map((claimed) => crypto.subtle.verify('HMAC', mac, claimed, text)));
    }),
  );
  return judged.flat().includes(true);
}

function signatureOf(header: SignatureHeader): Signature {
  const get = (name: string) => (typeof header === 'object' && header ? headerIn(header, name) : undefined);
  // After a rotation, only this header has the signatures of both keys.
  const signatures = get('webhook-signature');
  if (signatures) return standardForm(get('webhook-id'), get('webhook-timestamp'), signatures);
  const own = typeof header === 'string' ? header : get('x-service-signature');
  if (!own) throw new WebhookError('no_header', 'The request has no signature.');
  return ownForm(own);
}

function headerIn(
  headers: Exclude<SignatureHeader, string | null | undefined>,
  name: string,
): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value[0] : value;
}

/** `t=<unix seconds>,v1=<64 lowercase hex>` over `<t>.<body>`. */
function ownForm(header: string): Signature {
  const [, seconds, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (seconds === undefined || hex === undefined) throw malformed();
  const mac = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return { prefix: `${seconds}.`, seconds: Number(seconds), macs: [mac] };
}

/** Standard Webhooks: `v1,<base64>`, possibly several separated by spaces, over `<id>.<seconds>.<body>`. */
function standardForm(id = '', seconds = '', signatures: string): Signature {
  const macs = signatures.split(' ').flatMap((one) => {
    const [, base64] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one) ?? [];
    return base64 === undefined ? [] : [Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))];
  });
  if (id === '' || !/^\d{1,12}$/.test(seconds) || macs.length === 0) throw malformed();
  return { prefix: `${id}.${seconds}.`, seconds: Number(seconds), macs };
}

function malformed(): WebhookError {
  return new WebhookError('malformed', 'The signature is malformed.');
}

// Signs a body as the service signs a delivery: for the tests of a receiver.
import { bytesOf, hexOf, macKey, type SigningKey, secretsIn, signedBytes } from './webhook-keys.ts';

export interface SignOptions {
  /** When it is sent, epoch ms. Default: now. */
  now?: number;
}

/**
 * The headers of a delivery of this body, by name. `body`: the exact text or bytes that are sent. `key`: the API key
 * that created the run, or its secret. Throws TypeError if the key is not set, or `now` is no finite number.
 */
export async function sign(
  body: string | Uint8Array,
  key: SigningKey,
  { now = Date.now() }: SignOptions = {},
): Promise<Record<string, string>> {
  const [secret = ''] = await secretsIn([key]);
  if (!Number.isFinite(now)) throw new TypeError('now must be a finite number.');
  const seconds = String(Math.floor(now / 1000));
  const bytes = bytesOf(body);
  const { event_id = 'evt_test', api_version = '', run_id = '' } = namesIn(bytes);
  const mac = async (prefix: string) => {
    const signed = signedBytes(prefix, bytes);
    return new Uint8Array(await crypto.subtle.sign('HMAC', await macKey(secret, 'sign'), signed));
  };
  const trace = /^[0-9a-f]{32}$/.exec(run_id.replaceAll('-', ''))?.[0] ?? hexOf(random(16));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1',
    'X-Service-Signature': `t=${seconds},v1=${hexOf(await mac(`${seconds}.`))}`,
    'X-Service-Event-Id': event_id,
    'X-Service-Api-Version': api_version,
    traceparent: `00-${trace}-${hexOf(random(8))}-01`,
    'webhook-id': event_id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...(await mac(`${event_id}.${seconds}.`))))}`,
  };
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

/** The texts of the body's first level. A receiver may be tested with a body that is no delivery. */
function namesIn(body: Uint8Array): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
    return Object.fromEntries(
      Object.entries(Object(parsed)).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    );
  } catch {
    return {};
  }
}

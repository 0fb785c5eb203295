// Signatures and headers of a delivery: the service's scheme and that of Standard Webhooks.
import { type Bytes, hmacSha256, hmacSha256Hex } from '#platform/crypto.ts';

/**
 * What is signed, and when. The first secret is the lowercase hex SHA-256 of the API key that created the run; others
 * are those of keys that replace it.
 */
export interface Signing {
  secretsHex: readonly [string, ...string[]];
  /** The exact bytes sent. */
  body: Bytes;
  /** Of this attempt, not of the event. */
  timestampSeconds: number;
}

/**
 * The value of `X-Service-Signature`: `t=<unix seconds>,v1=<64 lowercase hex>`. The MAC key is the secret's 64
 * characters as text, not the 32 bytes they encode (rules.md: webhooks 2).
 */
export function signWebhook({ secretsHex, body, timestampSeconds }: Signing): string {
  const [secretHex] = secretsHex;
  return `t=${timestampSeconds},v1=${hmacSha256Hex(secretHex, signedText(`${timestampSeconds}.`, body))}`;
}

/**
 * The three headers that any Standard Webhooks verifier reads. Its secret is `standardWebhooksSecret`; the event id is
 * the message id, so retries carry the same one. Each secret has its signature in the list.
 */
export function standardWebhooksHeaders(eventId: string, signing: Signing): Record<string, string> {
  const { secretsHex, body, timestampSeconds } = signing;
  const signed = signedText(`${eventId}.${timestampSeconds}.`, body);
  const signatures = secretsHex.map((secretHex) => `v1,${hmacSha256(secretHex, signed).toString('base64')}`);
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * The signing secret as Standard Webhooks libraries take it: `whsec_` and the base64 of the hex text. They decode it to
 * those 64 bytes, so both schemes share one key.
 */
export function standardWebhooksSecret(secretHex: string): string {
  return `whsec_${Buffer.from(secretHex, 'utf8').toString('base64')}`;
}

/** All headers of one attempt, signed for that attempt (rules.md: webhooks 2). */
export function webhookHeaders(
  event: { eventId: string; apiVersion: string; traceparent: string },
  signing: Signing,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1',
    'X-Service-Signature': signWebhook(signing),
    'X-Service-Event-Id': event.eventId,
    'X-Service-Api-Version': event.apiVersion,
    traceparent: event.traceparent,
    ...standardWebhooksHeaders(event.eventId, signing),
  };
}

function signedText(prefix: string, body: Bytes): Buffer {
  return Buffer.concat([Buffer.from(prefix), Buffer.from(body)]);
}

// Verifies a sync message: the signature over its raw bytes, and the age of its timestamp header.
import { limits } from '#contract/limits.ts';
import { type Bytes, constantTimeEqual, hmacSha256Hex } from '#platform/crypto.ts';

/** The value of `X-Webhook-Signature`; the MAC key is the hex text of the secret's digest (rules.md: sync 2). */
export function syncSignature(body: Bytes, secretSha256Hex: string): string {
  return `sha256=${hmacSha256Hex(secretSha256Hex, body)}`;
}

/**
 * Whether the header signs exactly these bytes, in constant time; anything but `sha256=` and 64 lowercase hex
 * characters is refused (rules.md: sync 2).
 */
export function verifySyncSignature(
  header: string | undefined,
  body: Uint8Array,
  secretSha256Hex: string,
): boolean {
  const expected = syncSignature(body, secretSha256Hex);
  return header !== undefined && constantTimeEqual(header, expected);
}

export type TimestampVerdict = 'ok' | 'missing' | 'unreadable' | 'expired';

const timestampForm = new RegExp(
  [
    '^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})',
    'T(?<hour>\\d{2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?)?',
    '(?<zone>Z|[+-]\\d{2}(?::?\\d{2})?)$',
  ].join(''),
);

/** Checks `X-Webhook-Timestamp`: ISO 8601 with date, time and zone, at most five minutes off (rules.md: sync 3). */
export function checkTimestamp(header: string | undefined, nowMs: number): TimestampVerdict {
  if (header === undefined || header === '') return 'missing';
  const sentMs = epochMsOf(header);
  if (sentMs === undefined) return 'unreadable';
  return Math.abs(nowMs - sentMs) > limits.sync_timestamp_age_ms ? 'expired' : 'ok';
}

function epochMsOf(text: string): number | undefined {
  const parts = timestampForm.exec(text)?.groups;
  if (!parts) return undefined;
  const { year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z' } = parts;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const wallMs = Date.parse(`${local}Z`);
  // The parser turns 30 February into March: a date is valid only if it prints exactly as sent.
  if (Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(local)) return undefined;
  const offsetMs = zoneOffsetMs(zone);
  if (offsetMs === undefined) return undefined;
  return wallMs + Number(`0.${fraction || '0'}`) * 1000 - offsetMs;
}

function zoneOffsetMs(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

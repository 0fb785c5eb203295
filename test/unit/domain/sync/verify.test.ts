// Proof of sync messages: the signature over the raw bytes and the age of the timestamp.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTimestamp, syncSignature, verifySyncSignature } from '#domain/sync/verify.ts';
import { sha256Hex } from '#platform/crypto.ts';

const secret = sha256Hex('bridge_secret_0001');
const body = Buffer.from('{"resource":{"type":"company","id":"1"},"operation":"create"}');
const header = 'sha256=1b8b912c8815bb83435409cb240dcb5796b7f9e07cebba1df2fb5c05f219dd5f';
const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0);

describe('the signature (rules.md: sync 2)', () => {
  test('the known vector is accepted', () => {
    expect(verifySyncSignature(header, body, secret)).toBe(true);
  });

  test('bytes that are not UTF-8 are distinguished', () => {
    const signature = syncSignature(Buffer.from([0xff]), secret);
    expect(verifySyncSignature(signature, Buffer.from([0xff]), secret)).toBe(true);
    expect(verifySyncSignature(signature, Buffer.from([0xfe]), secret)).toBe(false);
  });

  test.each([
    undefined,
    '',
    'sha256=',
    header.slice(7),
    header.toUpperCase(),
    `sha256=${header.slice(7).toUpperCase()}`,
    header.slice(0, -1),
    `${header}0`,
    `${header}\n`,
    ` ${header}`,
    `${header},${header}`,
    header.replace('sha256', 'sha1'),
    `sha256=${'0'.repeat(64)}`,
    `sha256=${'é'.repeat(64)}`,
    'x'.repeat(100_000),
  ])('%j is no signature', (bad) => {
    expect(verifySyncSignature(bad, body, secret)).toBe(false);
  });

  test('any change of a byte, and any other secret, is refused', () => {
    const change = fc.tuple(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(change, ([at, by]) => {
        const changed = Buffer.from(body);
        changed.writeUInt8(changed.readUInt8(at) ^ by, at);
        expect(verifySyncSignature(header, changed, secret)).toBe(false);
      }),
    );
    expect(verifySyncSignature(header, body, sha256Hex('bridge_secret_0002'))).toBe(false);
  });
});

describe('the timestamp (rules.md: sync 3)', () => {
  test.each([
    '2026-11-21T12:00:00Z',
    '2026-11-21T12:00Z',
    '2026-11-21T12:00:00.123456Z',
    '2026-11-21T12:00:00,5Z',
    '2026-11-21T14:00:00+02:00',
    '2026-11-21T14:00:00+0200',
    '2026-11-21T14:00:00+02',
    '2026-11-20T22:30:00-13:30',
    '2026-11-21T11:55:00Z',
    '2026-11-21T12:05:00Z',
    '2026-11-21T12:00:00+00:00',
  ])('%s is in time', (text) => {
    expect(checkTimestamp(text, nowMs)).toBe('ok');
  });

  test.each([
    '2026-11-21T11:54:59.999Z',
    '2026-11-21T12:05:00.001Z',
    '2026-11-21T12:00:00+01:00',
    '2025-11-21T12:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('%s is expired', (text) => {
    expect(checkTimestamp(text, nowMs)).toBe('expired');
  });

  test.each([undefined, ''])('%j is missing', (text) => {
    expect(checkTimestamp(text, nowMs)).toBe('missing');
  });

  test.each([
    'now',
    String(nowMs),
    String(nowMs / 1000),
    '2026-11-21',
    '2026-11-21T12:00:00',
    '2026-11-21 12:00:00Z',
    '2026-11-21T12Z',
    '2026-02-30T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-11-21T12:00:60Z',
    '2026-11-21T12:00:00+24:00',
    '2026-11-21T12:00:00+02:60',
    '2026-11-21T12:00:00Zulu',
    ' 2026-11-21T12:00:00Z',
    'Sat, 21 Nov 2026 12:00:00 GMT',
    '+002026-11-21T12:00:00Z',
  ])('%s is unreadable', (text) => {
    expect(checkTimestamp(text, nowMs)).toBe('unreadable');
  });

  test('every instant in any zone is read as itself', () => {
    const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const zoneMinutes = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(instant, zoneMinutes, (ms, offset) => {
        const wall = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
        const clock = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
        expect(checkTimestamp(`${wall}${offset < 0 ? '-' : '+'}${clock}`, ms + 300_000)).toBe('ok');
        expect(checkTimestamp(`${wall}${offset < 0 ? '-' : '+'}${clock}`, ms + 300_001)).toBe('expired');
      }),
    );
  });
});

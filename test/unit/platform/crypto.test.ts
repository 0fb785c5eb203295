// Digests, comparison and strict encodings.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  base64urlDecode,
  canonicalJson,
  constantTimeEqual,
  fingerprint,
  hmacSha256,
  hmacSha256Hex,
  isUuid,
  sha256,
  sha256Hex,
  uuidFrom,
} from '#platform/crypto.ts';

test('the digest of nothing is the well-known one', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('the MAC is that of RFC 4231, case 2, in every form', () => {
  const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  const [key, data] = ['Jefe', 'what do ya want for nothing?'];
  expect(hmacSha256Hex(key, data)).toBe(hex);
  expect(hmacSha256(key, data)).toEqual(Buffer.from(hex, 'hex'));
});

test('a comparison never throws and agrees with equality', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (a, b) => constantTimeEqual(a, b) === (a === b) && constantTimeEqual(a, a)),
  );
  expect(constantTimeEqual('a', Buffer.from('a'))).toBe(true);
});

test('base64url comes back as the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) =>
      base64urlDecode(Buffer.from(bytes).toString('base64url'))?.equals(bytes),
    ),
  );
});

test.each(['YWJj!!', 'YWK', 'YWI=', 'YW\nI', 'a+b/', 'A', ' YWI'])(
  '%j is not the base64url of any bytes',
  (text) => {
    expect(base64urlDecode(text)).toBeUndefined();
  },
);

test('canonical JSON does not depend on the order of keys and is parsed back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const shuffled = JSON.parse(JSON.stringify(value), (_key, member) =>
        member !== null && typeof member === 'object' && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).reverse())
          : member,
      );
      expect(canonicalJson(shuffled)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('canonical JSON has sorted keys, no spacing and no undefined members', () => {
  const value = { b: [1, { d: null, c: 'é"' }], a: 1e21, '€': 0, '10': true, '9': -0, gone: undefined };
  expect(canonicalJson(value)).toBe('{"10":true,"9":0,"a":1e+21,"b":[1,{"c":"é\\"","d":null}],"€":0}');
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, undefined, [undefined], () => 1, Symbol('s')])(
  'a value without faithful JSON is refused (%#)',
  (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  },
);

test('a fingerprint is the digest of the canonical JSON', () => {
  expect(fingerprint({ b: 1, a: 2 })).toBe(sha256Hex('{"a":2,"b":1}'));
});

test('a UUID made of a digest is one of version 8, and always the same', () => {
  expect(uuidFrom(sha256('x'))).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(uuidFrom(sha256('x'))).toBe(uuidFrom(sha256('x')));
  expect(isUuid(uuidFrom(sha256('x')))).toBe(true);
  expect(() => uuidFrom(Buffer.alloc(15))).toThrow(RangeError);
});

test.each([
  '',
  'abc',
  '00000000-0000-0000-0000-00000000000',
  '{00000000-0000-0000-0000-000000000000}',
  '00000000-0000-0000-0000-000000000000\n',
  42,
  null,
])('%j is no UUID', (value) => {
  expect(isUuid(value)).toBe(false);
});

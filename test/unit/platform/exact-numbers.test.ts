// rules.md: json 7. Which numbers of a JSON text a double keeps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inexactLiteral, markInexact } from '#platform/exact-numbers.ts';

const literalIn = (text: string) => inexactLiteral(JSON.parse(markInexact(text)));

describe('a literal', () => {
  test.each([
    '9007199254740993',
    '-9007199254740993',
    '0.1234567890123456789',
    '1e-400',
    '100000000000000000000000000000000000001',
    '1.00000000000000000001e5',
  ])('%s would change', (literal) => {
    expect(literalIn(literal)).toBe(literal);
  });

  test.each([
    ...['0', '-0', '0.0000000000000000000', '0e999', '1e-300', '5e-324', '1e126', '1E+126', '0.10'],
    ...['9007199254740992', '9007199254740994', '123456789012345680000', '1.7976931348623157e308', '1e22'],
    ...['100000000000000000000', '0.000000000000000000001', '1000000000000000.0'],
  ])('%s stays as it is', (literal) => {
    expect(literalIn(literal)).toBeUndefined();
  });
});

test('every number that JSON writes is exact, in whatever it stands', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(markInexact(text)).toBe(text);
    }),
  );
});

test('a whole number is marked exactly where a double is another one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (number) => {
      expect(literalIn(String(number)) !== undefined).toBe(
        BigInt(Number(number)) !== number && !isWritten(number),
      );
    }),
  );
});

/** Whether the number that is written for the double of this one is the same. */
const isWritten = (number: bigint) => {
  const [digits = '', exponent = '0'] = String(Number(number)).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length) === number;
};

test('digits in texts and names are none, and what is no JSON stays none', () => {
  const inText = JSON.stringify({ '9007199254740993': '9007199254740993 \\" 9007199254740993' });
  expect(markInexact(inText)).toBe(inText);
  for (const broken of ['09007199254740993', '9007199254740993.', '1-9007199254740993', '"9007199254740993'])
    expect(() => JSON.parse(markInexact(broken))).toThrow(SyntaxError);
});

test('a literal of a million digits costs no more than its length', () => {
  const literal = `1${'0'.repeat(1_000_000)}1`;
  expect(literalIn(`0.${literal}`)?.length).toBeLessThan(1000);
});

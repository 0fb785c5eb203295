// Prices and exact costs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PriceTable } from '#contract/models.ts';
import { builtInPrices } from '#contract/prices.ts';
import { costPicoUsd, picoToUsd, priceOf, pricesFrom, usdToPico } from '#models/pricing.ts';

const usage = (input: number, cached: number, output: number, thinking: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  thinking_tokens: thinking,
});

describe('cost', () => {
  test('of the example in the contract is 3.04 USD', () => {
    const offline = priceOf(builtInPrices, 'offline');
    if (!offline) throw new Error('no price');
    expect(picoToUsd(costPicoUsd(usage(1_000_000, 400_000, 500_000, 100_000), offline))).toBe(3.04);
  });
  test('is exact: the sum of parts is the whole, and a price is read digit by digit', () => {
    const count = fc.nat({ max: 10_000_000 });
    // Micro-USD per million tokens: the oracle computes with whole numbers from the start.
    const micro = fc.nat({ max: 100_000_000 });
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        micro,
        micro,
        micro,
        (rest, cached, output, thinking, a, b, c) => {
          const price = { input: a / 1e6, cached_input: b / 1e6, output: c / 1e6 };
          const exact =
            BigInt(rest) * BigInt(a) + BigInt(cached) * BigInt(b) + BigInt(output + thinking) * BigInt(c);
          expect(costPicoUsd(usage(rest + cached, cached, output, thinking), price)).toBe(exact);
        },
      ),
    );
  });
  test('as a JSON number is the one nearest to the exact amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (pico) => {
        const text = pico.toString().padStart(13, '0');
        expect(picoToUsd(pico)).toBe(Number(`${text.slice(0, -12)}.${text.slice(-12)}`));
        expect(picoToUsd(-pico)).toBe(-picoToUsd(pico) + 0);
      }),
    );
  });
  test('of three times a tenth of a dollar has no binary noise', () => {
    const tenth = costPicoUsd(usage(100_000, 0, 0, 0), { input: 1, cached_input: 0, output: 0 });
    expect(picoToUsd(tenth * 3n)).toBe(0.3);
  });
});

describe('price table', () => {
  test('lacks a model it does not name, and names of Object.prototype', () => {
    expect(priceOf(builtInPrices, 'no-such-model')).toBeUndefined();
    expect(priceOf(builtInPrices, 'constructor')).toBeUndefined();
  });
  test('built in is one itself, and dated where prices are a provider’s', () => {
    const table = PriceTable.parse(builtInPrices);
    expect(
      Object.entries(table).every(([name, price]) => name === 'offline' || price.as_of !== undefined),
    ).toBe(true);
  });
  test.each([
    ['seven decimals', { m: { input: 0.0000001, cached_input: 0, output: 0 } }],
    ['a negative price', { m: { input: -1, cached_input: 0, output: 0 } }],
    ['a price left out', { m: { input: 1, output: 0 } }],
    ['an unknown property', { m: { input: 1, cached_input: 0, output: 0, extra: 1 } }],
  ])('with %s is refused', (_, table) => {
    expect(() => pricesFrom(JSON.stringify(table))).toThrow(/price table is wrong/);
  });
  test('of the settings replaces the one built in', () => {
    expect(pricesFrom('{"m":{"input":1,"cached_input":0.5,"output":2}}')).toEqual({
      m: { input: 1, cached_input: 0.5, output: 2 },
    });
    expect(pricesFrom(undefined)).toBe(builtInPrices);
  });
});

test('an amount that a client sends is counted exactly, to the twelfth decimal', () => {
  for (const [usd, pico] of [
    [0, 0n],
    [1e-12, 1n],
    [0.1, 100_000_000_000n],
    [3.75e-8, 37_500n],
    [0.1234567890128, 123_456_789_013n],
    [123_456.1, 123_456_100_000_000_000n],
    [1e6, 1_000_000_000_000_000_000n],
  ] as const)
    expect(usdToPico(usd)).toBe(pico);
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), (pico) => {
      expect(usdToPico(picoToUsd(pico))).toBe(pico);
    }),
  );
});

// Prices and exact costs: integer arithmetic in 1e-12 USD, never a rounded sum.
import { PRICE_DECIMALS, type Price, type PriceTable, parsePriceTable } from '#contract/models.ts';
import { builtInPrices } from '#contract/prices.ts';
import type { TokenUsage } from './model.ts';

/** The price table of a setting (JSON), or the default one. Throws Error naming every fault. */
export function pricesFrom(setting: string | undefined): PriceTable {
  return setting ? parsePriceTable(JSON.parse(setting)) : builtInPrices;
}

/** The price of a model; undefined when the table lacks it: the model cannot be used (rules.md: usage 3). */
export function priceOf(table: PriceTable, model: string): Price | undefined {
  return Object.hasOwn(table, model) ? table[model] : undefined;
}

/**
 * What one call costs in 1e-12 USD, exactly. Cached input has its own price; reasoning tokens are billed as output
 * (rules.md: usage 2). Token counts must be integers of at least 0.
 */
export function costPicoUsd(usage: TokenUsage, price: Price): bigint {
  const input = BigInt(usage.input_tokens);
  const reported = BigInt(usage.cached_input_tokens);
  const cached = reported < input ? reported : input;
  const output = BigInt(usage.output_tokens) + BigInt(usage.thinking_tokens);
  return (
    (input - cached) * perToken(price.input) +
    cached * perToken(price.cached_input) +
    output * perToken(price.output)
  );
}

/** USD per million tokens as 1e-12 USD per token; exact for prices with at most six decimals. */
function perToken(usdPerMillion: number): bigint {
  return BigInt(usdPerMillion.toFixed(PRICE_DECIMALS).replace('.', ''));
}

const PICO_DIGITS = 12;

/** The amount in USD, as the nearest JSON number. */
export function picoToUsd(pico: bigint): number {
  const sign = pico < 0n ? '-' : '';
  const digits = String(pico < 0n ? -pico : pico).padStart(PICO_DIGITS + 1, '0');
  return Number(`${sign}${digits.slice(0, -PICO_DIGITS)}.${digits.slice(-PICO_DIGITS)}`);
}

/** A USD amount of at least 0 in 1e-12 USD: exactly the decimal that JSON has for it, rounded at its twelfth place. */
export function usdToPico(usd: number): bigint {
  const [digits = '', exponent = ''] = usd.toExponential().split('e');
  const [whole = '', decimals = ''] = digits.split('.');
  const power = PICO_DIGITS + Number(exponent) - decimals.length;
  const scale = 10n ** BigInt(Math.abs(power));
  const amount = BigInt(whole + decimals);
  return power >= 0 ? amount * scale : (amount + scale / 2n) / scale;
}

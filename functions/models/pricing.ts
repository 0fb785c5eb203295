// Prices and exact costs: integer arithmetic in 1e-12 USD, never a rounded sum.
import {
  modelName,
  PRICE_DECIMALS,
  type Price,
  type PriceTable,
  parseModelSpec,
  parsePriceTable,
} from '#contract/models.ts';
import { env, optionalEnv } from '#platform/env.ts';
import type { TokenUsage } from './model.ts';

/** The default table. Bedrock: us-east-1, on demand. */
export const builtInPrices: PriceTable = {
  offline: { input: 1, cached_input: 0.1, output: 4 },
  'amazon.nova-micro-v1:0': { input: 0.035, cached_input: 0.00875, output: 0.14, as_of: '2026-11-01' },
  'amazon.nova-lite-v1:0': { input: 0.06, cached_input: 0.015, output: 0.24, as_of: '2026-11-01' },
  'amazon.nova-pro-v1:0': { input: 0.8, cached_input: 0.2, output: 3.2, as_of: '2026-11-01' },
  'amazon.titan-embed-text-v2:0': { input: 0.02, cached_input: 0.02, output: 0, as_of: '2026-11-01' },
  'global.anthropic.claude-haiku-4-5-20251001-v1:0': {
    input: 1,
    cached_input: 0.1,
    output: 5,
    as_of: '2026-11-01',
  },
  'global.anthropic.claude-sonnet-4-5-20250929-v1:0': {
    input: 3,
    cached_input: 0.3,
    output: 15,
    as_of: '2026-11-01',
  },
  'gpt-4o-mini': { input: 0.15, cached_input: 0.075, output: 0.6, as_of: '2026-11-01' },
  'gpt-4.1-mini': { input: 0.4, cached_input: 0.1, output: 1.6, as_of: '2026-11-01' },
  'text-embedding-3-small': { input: 0.02, cached_input: 0.02, output: 0, as_of: '2026-11-01' },
};

/** The price table of a setting (JSON), or the default one. Throws Error naming every fault. */
export function pricesFrom(setting: string | undefined): PriceTable {
  return setting ? parsePriceTable(JSON.parse(setting)) : builtInPrices;
}

/** The configured model's name and the price table. Throws when a setting is invalid. */
export function configuredPrices(): { name: string; prices: PriceTable } {
  return { name: modelName(parseModelSpec(env('MODEL'))), prices: pricesFrom(optionalEnv('PRICES')) };
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

const PICO_PER_NANO = 1000n;

/** A USD amount of a setting in 1e-12 USD, rounded to 1e-9 USD. */
export function usdToPico(usd: number): bigint {
  return BigInt(Math.round(usd * 1e9)) * PICO_PER_NANO;
}

// Units of fields: converts a requested amount to the unit of a field's numbers.
import { keyWords } from './items.ts';
import type { Amount } from './numbers.ts';

const UNITS: [RegExp, number][] = [
  [/^(million|mn|mio|m|musd|meur)$/, 1e6],
  [/^(billion|bn|busd)$/, 1e9],
  [/^(thousand|k|kusd|tsd)$/, 1e3],
];

/** What one unit of a field counts for, by its name: `revenue_musd` is in millions. */
export function unitOf(key: string): number {
  const words = keyWords(key);
  return UNITS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1] ?? 1;
}

const BARE_MAX = 1e5;

/** A small amount without a magnitude ("over 10") is in the field's own unit. */
export function isBare(amount: Amount): boolean {
  return amount.scale === 1 && amount.value < BARE_MAX;
}

const SMALL_MAX = 1e5;

/** Whether a field of small numbers uses the amount's magnitude: 12.5 where "10 million" is asked for. */
export function isMeantInUnitOf(amount: Amount, key: string, largest: number): boolean {
  return amount.scale >= 1e6 && unitOf(key) === 1 && largest < SMALL_MAX;
}

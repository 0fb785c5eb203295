// What of JSON cannot be stored and returned unchanged: its users refuse it, or mend it.
import type { JsonPath } from './walk-json.ts';

export type JsonFault = 'malformed' | 'deep' | 'number';

export interface JsonBounds {
  /** How many objects and arrays may nest, the root included. */
  levels: number;
  /** The least and the greatest magnitude of a number that is not 0. */
  magnitudes: readonly [number, number];
}

/** The numbers that the table can store (DynamoDB: from 1E-130 to 1E126, 38 digits). */
export const STORED_MAGNITUDES = [1e-130, 1e125] as const;
/** All numbers of JSON but those that are read as infinite. */
export const FINITE_MAGNITUDES = [0, Number.MAX_VALUE] as const;

/** What is wrong with a value, without its members, and with its name, which ends the path. */
export function jsonFault(value: unknown, path: JsonPath, bounds: JsonBounds): JsonFault | undefined {
  const name = path.at(-1);
  if (typeof name === 'string' && !name.isWellFormed()) return 'malformed';
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'malformed';
  if (typeof value === 'number') return isWithin(bounds.magnitudes, Math.abs(value)) ? undefined : 'number';
  const isDeep = typeof value === 'object' && value !== null && path.length >= bounds.levels;
  return isDeep ? 'deep' : undefined;
}

function isWithin([least, greatest]: JsonBounds['magnitudes'], magnitude: number): boolean {
  return magnitude === 0 || (magnitude >= least && magnitude <= greatest);
}

// Measures of a group of records, accumulated value by value.
import type { Measure } from '#contract/conditions.ts';
import { compareKeys, type MeasureParts } from '#contract/record-queries.ts';
import { fromStored } from './stored-values.ts';

/** Accumulates stored values; its parts can be merged with those of another file. */
export interface Tally {
  take(stored: unknown): void;
  parts(): MeasureParts;
}

/** A measure without values. */
export function tallyOf({ op, field }: Measure): Tally {
  switch (op) {
    case 'count':
      return countTally(field !== undefined);
    case 'sum':
    case 'avg':
      return sumTally();
    case 'min':
    case 'max':
      return extremeTally(op === 'min' ? -1 : 1);
  }
}

/** Counts records, or those that have the value. */
function countTally(presentOnly: boolean): Tally {
  let count = 0;
  return {
    take(stored) {
      if (!presentOnly || stored !== null) count += 1;
    },
    parts: () => ({ count, sum: null, number: null, text: null }),
  };
}

/** Counts and adds numbers; the rounding error of each addition is added at the end (Neumaier). */
function sumTally(): Tally {
  let count = 0;
  let sum = 0;
  let lost = 0;
  return {
    take(stored) {
      if (typeof stored !== 'number') return;
      count += 1;
      const next = sum + stored;
      lost += Math.abs(sum) >= Math.abs(stored) ? sum - next + stored : stored - next + sum;
      sum = next;
    },
    parts: () => ({ count, sum: count > 0 ? sum + lost : null, number: null, text: null }),
  };
}

/** Counts scalars; remembers the least (`sign` -1) or greatest number and text. */
function extremeTally(sign: number): Tally {
  let count = 0;
  let number: number | null = null;
  let text: string | null = null;
  return {
    take(stored) {
      if (fromStored(stored) === null) return;
      count += 1;
      if (typeof stored === 'number') {
        if (number === null || (stored - number) * sign > 0) number = stored;
      } else if (typeof stored === 'string') {
        if (text === null || compareKeys(stored, text) * sign > 0) text = stored;
      }
    },
    parts: () => ({ count, sum: null, number, text }),
  };
}

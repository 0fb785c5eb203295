// How values are stored: SQLite orders numbers before texts before blobs, the contract's order with booleans as blobs.
import type { SortKey } from '#contract/record-queries.ts';

/** A value of a column without a type: number, text, or a mark of one byte. */
export type Stored = number | string | Uint8Array | null;

const FALSE = 0;
const TRUE = 1;
/** Marks of values that are not scalars; their elements are stored separately. */
export const LIST_MARK = Uint8Array.of(2);
export const OBJECT_MARK = Uint8Array.of(3);
/** The mark of a long text, which is a scalar, but stored separately. */
export const LONG_MARK = Uint8Array.of(4);
/** The marks as SQL, and the condition that an expression is one of them. */
export const LIST_SQL = "x'02'";
export const LONG_SQL = "x'04'";
export const isMark = (expression: string) =>
  `(typeof(${expression}) = 'blob' AND ${expression} >= ${LIST_SQL})`;

/** The value in its stored form, also for binding. */
export function toStored(value: string | number | boolean): number | string | Uint8Array {
  return typeof value === 'boolean' ? Uint8Array.of(value ? TRUE : FALSE) : value;
}

/** A stored scalar read back; marks are absent. */
export function fromStored(value: unknown): SortKey {
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (!(value instanceof Uint8Array)) return null;
  const [mark] = value;
  return mark === FALSE ? false : mark === TRUE ? true : null;
}

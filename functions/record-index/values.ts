// How values stand in the file: SQLite orders numbers before texts before blobs, which is the order of the contract with booleans as blobs.
import type { SortKey } from '#contract/record-queries.ts';

/** A value of a column without a type: number, text, or a mark of one byte. */
export type Stored = number | string | Uint8Array | null;

const FALSE = 0;
const TRUE = 1;
/** Marks of values that are no scalars; their elements stand apart. */
export const LIST_MARK = Uint8Array.of(2);
export const OBJECT_MARK = Uint8Array.of(3);
/** The marks as SQL, and the condition that an expression holds one of them. */
export const LIST_SQL = "x'02'";
export const isMark = (expression: string) =>
  `(typeof(${expression}) = 'blob' AND ${expression} >= ${LIST_SQL})`;

/** The value as it is stored or bound. */
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

/** How a group's value is written in its name. */
export function labelOf(value: unknown): string {
  const key = fromStored(value);
  return key === null ? '(none)' : String(key);
}

// Attribute values as the table keeps them: what the document client makes of what it is given, and the order and sums of numbers.
import type { Item } from '#store/table.ts';

/** A copy of a value as it comes back from the table: undefined members are left out, integers too large for a number are bigints. */
export function stored(value: unknown): unknown {
  if (typeof value === 'bigint') return asNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(stored);
  return storedItem(value);
}

/** The same of a whole item or map. */
export function storedItem(value: object): Item {
  const copy: Item = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) copy[name] = stored(member);
  return copy;
}

const asNumber = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** The sum of two numbers, exact for integers. Throws when one is no number. */
export function sumOf(left: unknown, right: unknown, sign: 1 | -1): number | bigint {
  if (!isNumber(left) || !isNumber(right)) throw new InvalidRequest('an operand is no number');
  const exact = [left, right].every((one) => typeof one === 'bigint' || Number.isInteger(one));
  return exact ? asNumber(BigInt(left) + BigInt(sign) * BigInt(right)) : Number(left) + sign * Number(right);
}

/** Below zero, zero or above it; undefined for values that have no order between them. */
export function order(left: unknown, right: unknown): number | undefined {
  const comparable =
    (isNumber(left) && isNumber(right)) || (typeof left === 'string' && typeof right === 'string');
  if (!comparable) return left === right ? 0 : undefined;
  return left < right ? -1 : Number(left > right);
}

/** A request that the table refuses whatever is in it. */
export class InvalidRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ValidationException';
  }
}

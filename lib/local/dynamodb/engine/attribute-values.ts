// Attribute values on the wire: validation, size, equality and order.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
import { isObject, type JsonObject } from '../../json-values.ts';
import { canonicalNumber, compareNumbers, sizeOfNumber } from './decimal.ts';
import { invalid, unreadable } from './refusals.ts';

/** A value in canonical form: exactly one member, canonical numbers, binaries as base64. */
export interface AttributeValue extends JsonObject {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  SS?: string[];
  NS?: string[];
  BS?: string[];
  L?: AttributeValue[];
  M?: Item;
}
export type Item = { [name: string]: AttributeValue };

export type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M';
const TYPES: readonly ValueType[] = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M'];
/** Maximum nesting of lists and maps, not counting the item itself. */
export const LEVELS_MAX = 31;
const LIST_OVERHEAD_BYTES = 3;
const ELEMENT_OVERHEAD_BYTES = 1;

/** Parses an item, or the values of an expression. Throws ValidationException or SerializationException. */
export function readItem(value: unknown): Item {
  return readMap(value, 1);
}

/** The nesting depth of lists and maps. */
export function levelsOf({ L, M }: AttributeValue): number {
  if (!L && !M) return 0;
  let deepest = 0;
  for (const one of L ?? Object.values(M ?? {})) deepest = Math.max(deepest, levelsOf(one));
  return deepest + 1;
}

/** Parses one value. Clients in this process pass binaries as bytes. Throws as `readItem`. */
export function readValue(value: unknown, level = 1): AttributeValue {
  if (!isObject(value)) throw unreadable('Unexpected value type in payload');
  const given = Object.keys(value).filter((name) => value[name] !== undefined);
  const [type] = given;
  if (type === undefined || !TYPES.some((one) => one === type))
    throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  if (given.length > 1)
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  const content: unknown = value[type];
  switch (type) {
    case 'S':
      return { S: readString(content) };
    case 'N':
      return { N: canonicalNumber(readString(content)) };
    case 'B':
      return { B: readBinary(content) };
    case 'BOOL':
      if (typeof content !== 'boolean') throw unreadable('Unexpected token received from parser');
      return { BOOL: content };
    case 'NULL':
      if (content !== true)
        throw invalid(
          'One or more parameter values were invalid: Null attribute value types must have the value of true',
        );
      return { NULL: true };
    case 'SS':
      return { SS: readSet(content, readString, 'string') };
    case 'NS':
      return { NS: readSet(content, (one) => canonicalNumber(readString(one)), 'number') };
    case 'BS':
      return { BS: readSet(content, readBinary, 'binary') };
    case 'L':
      if (!Array.isArray(content)) throw unreadable('Unexpected value type in payload');
      return { L: content.map((one) => readValue(one, deeper(level))) };
    default:
      return { M: readMap(content, deeper(level)) };
  }
}

function deeper(level: number): number {
  if (level > LEVELS_MAX)
    throw invalid(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  return level + 1;
}

function readMap(value: unknown, level: number): Item {
  if (!isObject(value)) throw unreadable('Unexpected value type in payload');
  const item: Item = {};
  for (const [name, one] of Object.entries(value)) {
    const read = readValue(one, level);
    // Assigning to this name would change the prototype.
    if (name === '__proto__')
      Object.defineProperty(item, name, {
        value: read,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else item[name] = read;
  }
  return item;
}

function readString(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  throw unreadable(
    `${typeof value === 'number' ? 'NUMBER_VALUE' : typeof value} cannot be converted to String`,
  );
}

function readBinary(value: unknown): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  const text = readString(value);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return text;
  throw unreadable('Invalid base64');
}

function readSet(value: unknown, readOne: (one: unknown) => string, kind: string): string[] {
  if (!Array.isArray(value)) throw unreadable('Unexpected value type in payload');
  if (value.length === 0)
    throw invalid(
      `One or more parameter values were invalid: ${kind === 'binary' ? 'Binary sets should not be empty' : `An ${kind} set  may not be empty`}`,
    );
  const members = value.map(readOne);
  if (new Set(members).size < members.length)
    throw invalid(
      kind === 'string'
        ? `One or more parameter values were invalid: Input collection [${members.join(', ')}] contains duplicates.`
        : 'Input collection contains duplicates',
    );
  return members;
}

/** The type of a value. */
export function typeOf(value: AttributeValue): ValueType {
  for (const type of TYPES) if (value[type] !== undefined) return type;
  throw unreadable('Unexpected value type in payload');
}

/** Size of an item in bytes as DynamoDB counts it: names and values. */
export function sizeOfItem(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += Buffer.byteLength(name) + sizeOfValue(item[name] ?? {});
  return bytes;
}

function sizeOfValue(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return sizeOfNumber(value.N);
  if (value.M) {
    const members = Object.values(value.M).length;
    return LIST_OVERHEAD_BYTES + members * ELEMENT_OVERHEAD_BYTES + sizeOfItem(value.M);
  }
  if (value.L)
    return value.L.reduce((sum, one) => sum + ELEMENT_OVERHEAD_BYTES + sizeOfValue(one), LIST_OVERHEAD_BYTES);
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64');
  if (value.SS) return value.SS.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  if (value.NS) return value.NS.reduce((sum, one) => sum + sizeOfNumber(one), 0);
  if (value.BS) return value.BS.reduce((sum, one) => sum + Buffer.byteLength(one, 'base64'), 0);
  return 1;
}

/** Whether two values have the same type and are equal; sets in any order. */
export function equalValues(left: AttributeValue, right: AttributeValue): boolean {
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  if (left.M && right.M) return equalItems(left.M, right.M);
  if (left.L && right.L) {
    const others = right.L;
    return left.L.length === others.length && left.L.every((one, i) => equalValues(one, others[i] ?? {}));
  }
  const [a, b] = [membersOf(left), membersOf(right)];
  if (a && b) return a.length === b.length && a.every((one) => b.includes(one));
  return left[type] === right[type];
}

function equalItems(left: Item, right: Item): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const [a, b] = [left[name], Object.hasOwn(right, name) ? right[name] : undefined];
    return a !== undefined && b !== undefined && equalValues(a, b);
  });
}

/** The members of a set; undefined for other values. */
export function membersOf({ SS, NS, BS }: AttributeValue): string[] | undefined {
  return SS ?? NS ?? BS;
}

/** Negative, zero or positive; undefined for values without an order. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.S !== undefined && right.S !== undefined) return compareStrings(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return compareNumbers(left.N, right.N);
  if (left.B !== undefined && right.B !== undefined)
    return Buffer.compare(Buffer.from(left.B, 'base64'), Buffer.from(right.B, 'base64'));
  return undefined;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Strings sort by their UTF-8 bytes. UTF-16 order differs beyond the basic plane. */
function compareStrings(left: string, right: string): number {
  if (BEYOND_ASCII.test(left) || BEYOND_ASCII.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : Number(left > right);
}

// Attribute values on the wire: validation, size, equality and order.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
import { isObject, type JsonObject } from '../../json-values.ts';
import { canonicalNumber, compareNumbers, sizeOfNumber } from './decimal.ts';
import { invalid, unknown } from './refusals.ts';

/** A value in canonical form: exactly one member, canonical numbers, binaries as base64. */
export interface AttributeValue extends JsonObject {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  SS?: string[];
  L?: AttributeValue[];
  M?: Item;
}
export type Item = { [name: string]: AttributeValue };

/** Maximum nesting of lists and maps, not counting the item itself. */
const LEVELS_MAX = 31;
const LIST_OVERHEAD_BYTES = 3;
const ELEMENT_OVERHEAD_BYTES = 1;

/** Parses an item. Throws ValidationException. */
export function readItem(value: unknown): Item {
  return readMap(value, 1);
}

/** Throws ValidationException for an item that is nested too deep. */
export function requireLevels(item: Item): void {
  if (levelsOf({ M: item }) > LEVELS_MAX + 1) throw tooDeep();
}

function levelsOf({ L, M }: AttributeValue): number {
  if (!L && !M) return 0;
  let deepest = 0;
  for (const one of L ?? Object.values(M ?? {})) deepest = Math.max(deepest, levelsOf(one));
  return deepest + 1;
}

/** Parses one value. Clients in this process pass binaries as bytes. Throws ValidationException. */
export function readValue(value: unknown, level = 1): AttributeValue {
  const given = isObject(value) ? Object.keys(value).filter((name) => value[name] !== undefined) : [];
  const [type = ''] = given;
  const content: unknown = isObject(value) && given.length === 1 ? value[type] : undefined;
  if (type === 'S' && typeof content === 'string') return { S: content.toWellFormed() };
  if (type === 'N' && typeof content === 'string') return { N: canonicalNumber(content) };
  if (type === 'B') return { B: readBinary(content) };
  if (type === 'BOOL' && typeof content === 'boolean') return { BOOL: content };
  if (type === 'NULL' && content === true) return { NULL: true };
  if (type === 'SS' && Array.isArray(content)) return { SS: readSet(content) };
  if (type === 'L' && Array.isArray(content))
    return { L: content.map((one) => readValue(one, deeper(level))) };
  if (type === 'M') return { M: readMap(content, deeper(level)) };
  throw unknown('the value', value);
}

function deeper(level: number): number {
  if (level > LEVELS_MAX) throw tooDeep();
  return level + 1;
}

const tooDeep = () => invalid('An item has at most 32 levels of lists and maps');

function readMap(value: unknown, level: number): Item {
  if (!isObject(value)) throw unknown('the item', value);
  const item: Item = {};
  for (const [name, one] of Object.entries(value)) setMember(item, name, readValue(one, level));
  return item;
}

/** Sets a member of a map. */
export function setMember(map: Item, name: string, value: AttributeValue): void {
  // Assigning to this name would change the prototype.
  if (name === '__proto__')
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  else map[name] = value;
}

function readBinary(value: unknown): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value) return value;
  throw unknown('the binary', value);
}

function readSet(members: unknown[]): string[] {
  const texts = members.map((one) => {
    if (typeof one !== 'string') throw unknown('the member', one);
    return one.toWellFormed();
  });
  if (texts.length === 0 || new Set(texts).size < texts.length)
    throw invalid('A set has members, each of them once');
  return texts;
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
  return 1;
}

/** Whether two values have the same type and are equal; sets in any order. */
export function equalValues(left: AttributeValue, right: AttributeValue): boolean {
  if (left.M && right.M) return equalItems(left.M, right.M);
  if (left.L && right.L) {
    const others = right.L;
    return left.L.length === others.length && left.L.every((one, i) => equalValues(one, others[i] ?? {}));
  }
  if (left.SS && right.SS) {
    const others = right.SS;
    return left.SS.length === others.length && left.SS.every((one) => others.includes(one));
  }
  const [type = ''] = Object.keys(left);
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

/** Negative, zero or positive; undefined for values without an order. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.S !== undefined && right.S !== undefined) return compareStrings(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return compareNumbers(left.N, right.N);
  return undefined;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Strings sort by their UTF-8 bytes. UTF-16 order differs beyond the basic plane. */
function compareStrings(left: string, right: string): number {
  if (BEYOND_ASCII.test(left) || BEYOND_ASCII.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : Number(left > right);
}

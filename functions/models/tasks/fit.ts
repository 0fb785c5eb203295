// What of records and texts fits a part of a prompt. Sizes are bytes of JSON: a byte is at most a third of a token.
import { isJsonObject, type Json, type JsonObject } from '#contract/json.ts';
import type { ModelItem } from './model-task.ts';

/** Where something was left out. */
const CUT_MARK = ' […]';
/** Texts are not cut below this. */
const TEXT_BYTES_MIN = 24;

/** A value as it stands in a prompt: no text in it can open or close a block. */
export function asJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c').replace(/>/g, '\\u003e');
}

export const sizeOf = (value: unknown): number => Buffer.byteLength(asJson(value));

/** The beginning of a text, with a mark if that is not all. */
function cutText(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || sizeOf(text) <= bytes) return text;
  // The longest beginning that fits; escaped, a character has up to six bytes.
  const room = Math.max(bytes - Buffer.byteLength(CUT_MARK), 0);
  let [low, high] = [0, Math.min(text.length, room)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(text.slice(0, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).toWellFormed() + CUT_MARK;
}

/** A value with every text in it cut. */
function withTexts(value: Json, bytes: number): Json {
  if (typeof value === 'string') return cutText(value, bytes);
  if (Array.isArray(value)) return value.map((inner) => withTexts(inner, bytes));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, bytes)]));
}

/** As many members as fit, then a mark. */
function firstMembers(fields: JsonObject, bytes: number): JsonObject {
  const kept: JsonObject = {};
  let left = bytes - sizeOf({ [CUT_MARK]: '1000 more' });
  const all = Object.entries(fields);
  for (const [i, [name, value]] of all.entries()) {
    left -= sizeOf({ [name]: value });
    if (left < 0) return { ...kept, [CUT_MARK]: `${all.length - i} more` };
    Object.defineProperty(kept, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return kept;
}

/** A record that fits: its longest texts are cut first, all to the same length, then its last fields. */
export function fitItem<T extends ModelItem>(item: T, bytes: number): { item: T; is_cut: boolean } {
  if (sizeOf(item) <= bytes) return { item, is_cut: false };
  const named = { ...item, name: cutText(item.name, Math.max(bytes / 4, TEXT_BYTES_MIN)) };
  const with_fields = (fields: JsonObject): T => ({ ...named, fields });
  let [low, high] = [TEXT_BYTES_MIN, Math.max(bytes, TEXT_BYTES_MIN)];
  while (high - low > TEXT_BYTES_MIN / 2) {
    const middle = (low + high) / 2;
    if (sizeOf(with_fields(textsTo(item.fields, middle))) <= bytes) low = middle;
    else high = middle;
  }
  const cut = with_fields(textsTo(item.fields, low));
  if (sizeOf(cut) <= bytes) return { item: cut, is_cut: true };
  const room = bytes - sizeOf(with_fields({}));
  return { item: with_fields(firstMembers(textsTo(item.fields, TEXT_BYTES_MIN), room)), is_cut: true };
}

const textsTo = (fields: JsonObject, bytes: number): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withTexts(value, bytes)]));

/** The items that fit, of which the first are cut rather than the last ones left out, down to a fair share each. */
export function fitItems<T extends ModelItem>(
  items: readonly T[],
  bytes: number,
): { items: T[]; left_out: number } {
  const sizes = items.map(sizeOf);
  const share = shareOf(sizes, bytes);
  const kept: T[] = [];
  let left = bytes;
  let left_out = 0;
  for (const whole of items) {
    const { item, is_cut } = fitItem(whole, Math.min(share, left));
    left -= sizeOf(item) + 1;
    if (left < 0) return { items: kept, left_out: left_out + items.length - kept.length };
    kept.push(item);
    if (is_cut) left_out += 1;
  }
  return { items: kept, left_out };
}

const ITEM_BYTES_MIN = 200;

/** What each may take at most so that all fit: the small ones leave their rest to the large ones. */
function shareOf(sizes: readonly number[], bytes: number): number {
  let left = bytes - sizes.length;
  let share = Number.POSITIVE_INFINITY;
  for (const [i, size] of sizes.toSorted((one, other) => one - other).entries()) {
    share = left / (sizes.length - i);
    if (size > share) return Math.max(share, ITEM_BYTES_MIN);
    left -= size;
  }
  return Math.max(bytes, share);
}

/** The texts cut to a fair share each. */
export function fitTexts(texts: readonly string[], bytes: number): { texts: string[]; left_out: number } {
  const share = shareOf(texts.map(sizeOf), bytes);
  const cut = texts.map((text) => cutText(text, share));
  return { texts: cut, left_out: cut.filter((text, i) => text !== texts[i]).length };
}
/** Positions of consecutive items that fit together, at most `most` each; one that is too large is alone. */
export function groupsThatFit(
  sizes: readonly number[],
  bytes: number,
  most = Number.POSITIVE_INFINITY,
): number[][] {
  const groups: number[][] = [];
  let left = -1;
  for (const [position, size] of sizes.entries()) {
    const group = groups.at(-1);
    left -= size + 1;
    if (group && left >= 0 && group.length < most) group.push(position);
    else {
      groups.push([position]);
      left = bytes - size - 1;
    }
  }
  return groups;
}

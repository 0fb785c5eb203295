// The shape of a set of items: their fields and kinds, so that an instruction's words can refer to them.
import type { ModelItem } from '#models/tasks/model-task.ts';
import { wordsOf } from '#platform/words.ts';
import { type Field, fieldsOf, humanName, keyWords, shown } from './items.ts';
import { quantityOf } from './numbers.ts';
import { coverage } from './relevance.ts';
import type { Token } from './tokens.ts';
import { fieldSynonyms, typeOf } from './vocabulary.ts';

interface Key {
  key: string;
  words: string[];
  /** The words, separated by spaces. */
  name: string;
  sort: 'text' | 'number' | 'flag';
}

export interface Shape {
  keys: Key[];
  types: Set<string>;
  items: ModelItem[];
}

/** Reads the shape off the items: every field name with its words and the kind of its values. */
export function shapeOf(items: ModelItem[]): Shape {
  const keys = new Map<string, Key>();
  for (const { key, value } of items.flatMap(fieldsOf)) {
    const sort = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'flag' : 'text';
    const known = keys.get(key);
    if (!known) keys.set(key, keyOf(key, sort));
    else if (known.sort !== sort) known.sort = 'text';
  }
  const types = new Set(items.map(({ type }) => typeOf(wordsOf(humanName(type)).join(' '))));
  return { keys: [...keys.values()], types, items };
}

/** A field by its name. */
function keyOf(key: string, sort: Key['sort']): Key {
  const words = keyWords(key);
  return { key, words, name: words.join(' '), sort };
}

/** The fields that the tokens from `i` on name, and the tokens consumed; undefined when they name none. */
export function mentionAt(
  shape: Shape,
  tokens: Token[],
  i: number,
): { keys: string[]; length: number } | undefined {
  const words: string[] = [];
  for (let at = i; at < tokens.length && words.length < 4; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word') break;
    words.push(token.word);
  }
  for (let length = words.length; length > 0; length--) {
    const said = words.slice(0, length).join(' ');
    const exact = shape.keys.filter((key) => key.name === said);
    if (exact.length > 0) return { keys: exact.map(({ key }) => key), length };
  }
  const [word] = words;
  if (word === undefined || word.length < 3) return undefined;
  const near = shape.keys.filter((key) => key.words.includes(word));
  const loose =
    near.length > 0
      ? near
      : shape.keys.filter((key) => fieldSynonyms(word).some((name) => key.words.includes(name)));
  return loose.length > 0 ? { keys: loose.map(({ key }) => key), length: 1 } : undefined;
}

/** Those of the fields that have values of a kind. */
export function keysOfSort(shape: Shape, keys: string[], sort: Key['sort']): string[] {
  return shape.keys.filter((key) => key.sort === sort && keys.includes(key.key)).map(({ key }) => key);
}

/** Whether one field has either wording, in different items: then "Berlin and Munich" means either. */
export function shareField(shape: Shape, a: string[], b: string[]): boolean {
  const others = holdersOf(shape, b);
  return [...holdersOf(shape, a)].some((key) => others.has(key));
}

/** A cache of a shape's values: a long list of words asks for them repeatedly. */
interface Values {
  shown: { key: string; text: string }[];
  /** The fields that contain a wording in some item, by wording. */
  holders: Map<string, Set<string>>;
  /** The largest magnitude of the numbers of a field. */
  largest: Map<string, number>;
}
const valuesOfShapes = new WeakMap<Shape, Values>();

function shownValues(shape: Shape): Values {
  const known = valuesOfShapes.get(shape);
  if (known) return known;
  const all = shape.items.flatMap(fieldsOf);
  const fields = all.map(({ key, value }) => ({ key, text: shown(value) }));
  const different = new Map(fields.map((field) => [`${field.key} ${field.text}`, field]));
  const values: Values = { shown: [...different.values()], holders: new Map(), largest: largestOf(all) };
  valuesOfShapes.set(shape, values);
  return values;
}

function largestOf(fields: Field[]): Map<string, number> {
  const largest = new Map<string, number>();
  for (const { key, value } of fields) {
    const size = Math.abs(quantityOf(value)?.number ?? 0);
    largest.set(key, Math.max(largest.get(key) ?? 0, size));
  }
  return largest;
}

/** The largest magnitude of the numbers of a field in any item; 0 without any. */
export function largestNumber(shape: Shape, key: string): number {
  return shownValues(shape).largest.get(key) ?? 0;
}

function holdersOf(shape: Shape, words: string[]): Set<string> {
  const { shown: fields, holders } = shownValues(shape);
  const wording = words.join(' ');
  const known = holders.get(wording);
  if (known) return known;
  const found = new Set(fields.filter(({ text }) => coverage(words, text) === 1).map(({ key }) => key));
  holders.set(wording, found);
  return found;
}

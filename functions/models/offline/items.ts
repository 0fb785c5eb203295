// How the offline model reads and renders items: fields, names as words, links, prose.
import pluralize from 'pluralize';
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { asMarkdown, recordLink } from '#platform/linked-markdown.ts';
import { plainText, wordsOf } from '#platform/words.ts';
import { cached } from './cached.ts';

/** One leaf field of an item; `key` is dotted for nested objects. */
export interface Field {
  key: string;
  value: Json;
}

const knownFields = new WeakMap<ModelItem, readonly Field[]>();

/** The non-empty fields of an item, nested objects flattened, lists intact; read once, however many conditions ask. */
export function fieldsOf(item: ModelItem): readonly Field[] {
  const fields = knownFields.get(item) ?? leaves('', item.fields);
  knownFields.set(item, fields);
  return fields;
}

function leaves(prefix: string, value: { [key: string]: Json }): Field[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix + key;
    if (inner === null || inner === '') return [];
    if (Array.isArray(inner)) return inner.length > 0 ? [{ key: path, value: inner }] : [];
    return typeof inner === 'object' ? leaves(`${path}.`, inner) : [{ key: path, value: inner }];
  });
}

const NAMES_CACHED = 1000;

/** A field name in words: `foundedYear` and `founded_year` are `founded year`. */
export const humanName = cached(NAMES_CACHED, (key) =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.\-\s]+/g, ' ')
    .trim()
    .toLowerCase(),
);

/** The words of a field name. */
export const keyWords = cached(NAMES_CACHED, (key) => wordsOf(humanName(key)));

/** First letter in upper case. */
export function capitalised(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

/** A value as words in a sentence. */
export function shown(value: Json): string {
  if (Array.isArray(value)) return value.map(shown).filter(Boolean).join(', ');
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, inner]) => `${humanName(key)} ${shown(inner)}`)
      .join(', ');
  return String(value).replace(/\s+/g, ' ').trim();
}

/** Everything readable in an item, as one text. */
export function textOf(item: ModelItem): string {
  return `${item.name} ${item.type} ${plainText(item.fields)}`;
}

/** The item's name, as a record link when a link can point to the item (rules.md: artifacts 4). */
export function linkTo(item: { id: string; type: string; name: string }): string {
  const label = shown(item.name) || item.id;
  if (item.type === 'text' || item.type === 'relationship') return asMarkdown(label);
  const kind = item.type === 'note' || item.type === 'artifact' ? item.type : 'entity';
  return recordLink(kind, item.id, label);
}

/** The name of a type for so many records. */
export const plural = (type: string, count: number) => pluralize(humanName(type), count);

/** "3 companies and 1 person": counts by type, as Markdown. */
export function counted(counts: { type: string; count: number }[]): string {
  return asMarkdown(listed(counts.map(({ type, count }) => `${count} ${plural(type, count)}`))) || 'no items';
}

/** "a, b and c". */
export function listed(parts: string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** A part of a word of Markdown with the blanks before it; a record link is never in two. */
const WORD = /\s*(?:\[(?:\\.|[^\\[\]]){0,2000}\]\([^)\s]{1,300}\)|\\.|\S){1,40}/gsu;

/** The text cut to about this many tokens (4 characters each) at the end of a word, never inside a record link. */
export function within(text: string, maxTokens: number): string {
  const limit = maxTokens * 4;
  if (text.length <= limit) return text;
  let end = 0;
  for (const { index, 0: word } of text.matchAll(WORD)) {
    if (index + word.length > limit - 2) break;
    end = index + word.length;
  }
  return `${text.slice(0, end)}\n…`;
}

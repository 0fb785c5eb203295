// Record values as cells. Strings become Markdown, so that none is taken for a link (rules.md: artifacts 5).
import type { Json } from '#contract/json.ts';
import { asMarkdown, asPlainText, onlyLink } from '#platform/linked-markdown.ts';

/** The value with all strings in it, at any depth, as Markdown; keys, numbers and booleans are unchanged. */
export function cellOf(value: Json): Json {
  return mapStrings(value, asMarkdown);
}

/** The value that a cell was made from; for a record link its label. */
export function plainValue(cell: Json): Json {
  return mapStrings(cell, (text) => onlyLink(text)?.label ?? asPlainText(text));
}

function mapStrings(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, map));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, map)]));
}

// The step kind `fetch`: records of a source, by words or all of them.
import { rankByWords } from '#platform/lexical-ranking.ts';
import { searchText } from '#sources/items.ts';
import { fixedSource } from '#sources/names.ts';
import { warnUnknownSource } from './context.ts';
import type { Item, Step } from './step.ts';

const LIMIT = 100;
const alphabetical = new Intl.Collator('en');

/**
 * Retrieves records (rules.md: steps 1): those that match a word of `query`, or all; sorted, then cut to `limit` with the warning
 * `results_truncated` {matched, returned}. An unknown source gives no items and `source_not_found`.
 */
export const fetch: Step<'fetch'> = async (context) => {
  const {
    source = 'entities',
    query = '',
    limit = LIMIT,
    entity_types,
    fields = [],
    sort = 'relevance',
  } = context.params;
  const records = await context.sources.list(source, entity_types);
  if (!records) {
    warnUnknownSource(context, source);
    return { items: [] };
  }
  const matched = query.trim() === '' ? records : matching(records, query, source);
  const items = inOrder(matched, sort).slice(0, limit);
  if (items.length < matched.length)
    context.warn({
      code: 'results_truncated',
      message: `${matched.length} records matched; the first ${items.length} were taken.`,
      details: { matched: matched.length, returned: items.length },
    });
  return { items: items.map((item) => projected(item, fields)) };
};

/** The records with at least one of the words, best first. Their type counts as a word unless the source is that type. */
function matching(records: Item[], query: string, source: string): Item[] {
  const byType = fixedSource(source) !== undefined;
  const known = new Map(records.map((item) => [item.id, item]));
  const texts = records.map((item) => ({
    id: item.id,
    text: (byType ? `${item.type} ` : '') + searchText(item),
  }));
  return rankByWords(query, texts).flatMap(({ id, score }) => {
    const item = known.get(id);
    return item ? [{ ...item, score }] : [];
  });
}

/** `relevance` is the order in which the records were found. */
function inOrder(items: Item[], sort: 'relevance' | 'updated_desc' | 'created_desc' | 'name_asc'): Item[] {
  switch (sort) {
    case 'relevance':
      return items;
    case 'updated_desc':
      return items.toSorted((left, right) => (right.updated_at ?? 0) - (left.updated_at ?? 0));
    case 'created_desc':
      return items.toSorted((left, right) => (right.created_at ?? 0) - (left.created_at ?? 0));
    case 'name_asc':
      return items.toSorted((left, right) => alphabetical.compare(left.name, right.name));
  }
}

/** The item with only these fields, in this order; an empty list keeps all. */
function projected(item: Item, fields: string[]): Item {
  if (fields.length === 0) return item;
  const kept = fields.flatMap((field) => {
    const value = Object.hasOwn(item.fields, field) ? item.fields[field] : undefined;
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...item, fields: Object.fromEntries(kept) };
}

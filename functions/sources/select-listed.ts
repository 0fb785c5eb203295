// Items that are few enough to list in full (notes, artifacts): selected by words and sorted here.
import { rankByWords } from '#platform/lexical-ranking.ts';
import { nearest } from './similarity.ts';
import type { FoundItems, Item, ItemQuery } from './source-port.ts';
import { searchText } from './to-items.ts';

const alphabetical = new Intl.Collator('en');

/** The first items that have a word of the query; a blank query selects all. */
export function selectListed(
  items: Item[],
  { query = '', sort, limit }: Pick<ItemQuery, 'query' | 'sort' | 'limit'>,
): FoundItems {
  const matching = query.trim() === '' ? items : ranked(items, query);
  return { items: inOrder(matching, sort).slice(0, limit), matched: matching.length };
}

function ranked(items: Item[], query: string): Item[] {
  const known = new Map(items.map((item) => [item.id, item]));
  const texts = items.map((item) => ({ id: item.id, text: `${item.type} ${searchText(item)}` }));
  return rankByWords(query, texts).flatMap(({ id, score }) => {
    const item = known.get(id);
    return item ? [{ ...item, score }] : [];
  });
}

/** `relevance` is the order in which the items were found. */
function inOrder(items: Item[], sort: ItemQuery['sort']): Item[] {
  switch (sort) {
    case 'updated_desc':
      return items.toSorted((left, right) => (right.updated_at ?? 0) - (left.updated_at ?? 0));
    case 'created_desc':
      return items.toSorted((left, right) => (right.created_at ?? 0) - (left.created_at ?? 0));
    case 'name_asc':
      return items.toSorted((left, right) => alphabetical.compare(left.name, right.name));
    default:
      return items;
  }
}

/** The items most similar to a text, for items without stored vectors, which are embedded together with it. */
export async function similarListed(
  text: string,
  items: Item[],
  embed: (texts: string[]) => Promise<ArrayLike<number>[]>,
  best: { limit: number; min_score: number },
): Promise<Item[]> {
  if (items.length === 0) return [];
  const [query, ...vectors] = await embed([text, ...items.map(searchText)]);
  const embedded = items.map(({ id }, i) => ({ id, vector: vectors[i] ?? [] }));
  const known = new Map(items.map((item) => [item.id, item]));
  return nearest(query ?? [], embedded, best.min_score)
    .slice(0, best.limit)
    .flatMap(({ id, score }) => {
      const item = known.get(id);
      return item ? [{ ...item, score }] : [];
    });
}

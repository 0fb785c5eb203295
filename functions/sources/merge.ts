// Merges the records of several workspaces in a common order.
import type { FieldSort, SortWord } from '#contract/conditions.ts';
import { compareOne } from '#contract/record-groups.ts';
import { compareText, type Hit, type SortKey } from '#contract/record-queries.ts';

/** The first hits of all parts, and the total size of their selections. */
export function mergeFound<H extends Pick<Hit, 'id' | 'keys'>>(
  parts: { hits: H[]; matched: number }[],
  { sort, limit }: { sort: SortWord | FieldSort[]; limit: number },
): { hits: H[]; matched: number } {
  const directions = directionsOf(sort);
  const order = (left: H, right: H) =>
    compareAll(left.keys, right.keys, directions) || compareText(left.id, right.id);
  const hits = parts.flatMap((part) => part.hits);
  return {
    hits: (parts.length > 1 ? hits.toSorted(order) : hits).slice(0, limit),
    matched: parts.reduce((sum, { matched }) => sum + matched, 0),
  };
}

/** The order of each key of a hit. */
function directionsOf(sort: SortWord | FieldSort[]): ('asc' | 'desc')[] {
  if (typeof sort !== 'string') return sort.map(({ direction = 'asc' }) => direction);
  return sort === 'name_asc' ? ['asc', 'asc'] : ['desc'];
}

function compareAll(left: SortKey[], right: SortKey[], directions: ('asc' | 'desc')[]): number {
  for (const [i, direction] of directions.entries()) {
    const order = compareOne(left[i] ?? null, right[i] ?? null, direction);
    if (order !== 0) return order;
  }
  return 0;
}

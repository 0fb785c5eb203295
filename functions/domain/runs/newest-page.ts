// A page of a list, newest first, whose keys grow with time.
import { decodeCursor, encodeCursor, type PagedList } from './list-cursor.ts';

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * The page after the cursor. `read` gives the newest entries before a key, `keyOf` the key of an entry. Throws
 * schema_validation_failed (`cursor`).
 */
export async function newestPage<T>(
  list: PagedList,
  { limit, cursor }: PageQuery & { limit: number },
  read: (limit: number, before: string | undefined) => Promise<T[]>,
  keyOf: (entry: T) => string,
): Promise<{ object: 'list'; data: T[]; next_cursor: string | null; has_more: boolean }> {
  const before = cursor === undefined ? undefined : await decodeCursor(list, cursor);
  const found = await read(limit + 1, before);
  const data = found.slice(0, limit);
  const last = found.length > limit ? data.at(-1) : undefined;
  return {
    object: 'list',
    data,
    next_cursor: last ? await encodeCursor(list, keyOf(last)) : null,
    has_more: last !== undefined,
  };
}

// Work on many items, some at a time, in which a failure does not stop the others.
import { chunks } from './chunks.ts';

/** The result of `act` for each item, `atOnce` items at a time. Throws the first failure after trying all items. */
export async function settleAll<T, R>(
  items: T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: PromiseSettledResult<R>[] = [];
  for (const some of chunks(items, atOnce)) results.push(...(await Promise.allSettled(some.map(act))));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

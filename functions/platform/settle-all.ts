// Work on many items, some at a time, in which a failure does not stop the others.

/**
 * The result of `act` for each item, `atOnce` items at a time: the next one begins when one ends. Throws the first
 * failure after trying all items.
 */
export async function settleAll<T, R>(
  items: T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: Promise<R>[] = [];
  const left = items.entries();
  const actOnNext = async () => {
    for (const [i, item] of left) {
      results[i] = act(item);
      await results[i].catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, actOnNext));
  return Promise.all(results);
}

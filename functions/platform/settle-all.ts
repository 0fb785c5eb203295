// Work on many items, some at a time, in which a failure does not stop the others.

/** The result of `act` for each item, `atOnce` items at a time. Throws the first failure after trying all items. */
export async function settleAll<T, R>(
  items: T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: PromiseSettledResult<R>[] = [];
  for (let i = 0; i < items.length; i += atOnce)
    results.push(...(await Promise.allSettled(items.slice(i, i + atOnce).map(act))));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

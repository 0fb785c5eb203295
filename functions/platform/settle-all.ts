// Work on many subjects, some at a time, in which one failure holds up none of the others.

/** What `act` gives for each item, `atOnce` of them at a time. Throws the first failure after all items were tried. */
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

// Works on many things at once and hands the results on in order.

/**
 * The results of `work`, in the order of the items. At most `atOnce` are under way; no further item is read before there is room for
 * it. Throws what the first failed work throws, when nothing is under way any more.
 */
export async function* inOrder<A, B>(
  items: AsyncIterable<A>,
  atOnce: number,
  work: (item: A) => Promise<B>,
): AsyncGenerator<B> {
  const running: Promise<B>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // It is awaited later; a failure meanwhile is not an unhandled one.
      result.catch(() => undefined);
      running.push(result);
      if (running.length === atOnce) yield* first(running);
    }
    while (running.length > 0) yield* first(running);
  } finally {
    await Promise.allSettled(running);
  }
}

async function* first<B>(running: Promise<B>[]): AsyncGenerator<B> {
  const result = running.shift();
  if (result) yield await result;
}

// Stands in for the index of the items of a live source in simulations: without threads, which would take real time
// while virtual time goes on.

/** As the real one, for fetches without conditions. */
export async function readItems(
  _reading: object,
  { items }: { items: { id: string }[] },
  operation: string,
): Promise<unknown> {
  if (operation === 'fields') return [];
  if (operation !== 'find') throw new Error(`no simulation needs ${operation}`);
  return {
    hits: items.map((one) => ({ id: one.id, body: JSON.stringify(one), score: 0, keys: [one.id] })),
    matched: items.length,
  };
}

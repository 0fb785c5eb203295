// What was erased is soon not in the table's file either (rules.md: deletion 4).

/** The sweep erases within a minute of a delete; together they stay below two. */
const EVERY_MS = 30_000;

/** Removes the traces of erased items from the file, again and again; returns a function that ends it. */
export function keepForgettingErased(engine: { forgetErased(): void }): () => void {
  const timer = setInterval(() => {
    try {
      engine.forgetErased();
    } catch {
      // Other threads keep the file busy: the next round forgets.
    }
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

// Repeating a decision that another process has overtaken.

/** Repeats a decision while it fails with an error of this class. `decide` must read its state itself. */
export async function retryStale<T>(
  stale: new (...args: never[]) => Error,
  decide: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof stale)) throw error;
    }
  }
}

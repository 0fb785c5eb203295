// Work that could be interrupted, but is not.

/** The result of work that yields wherever it may be interrupted, without a turn for others. */
export function atOnce<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

// Coalescing: callers of the same work share its result.

/** The calls of one key: the one that runs, and the next one, which later callers share. */
interface Calls<T> {
  running: Promise<T>;
  next: Promise<T> | undefined;
}

/**
 * Runs `work` at most once at a time per key. A call that arrives while another one runs may need what happened since
 * that one started, so it shares the next run with all that arrive until then. The next run gets the `input` of its
 * first caller.
 */
export function coalesce<I, T>(
  work: (key: string, input: I) => Promise<T>,
): (key: string, input: I) => Promise<T> {
  const calls = new Map<string, Calls<T>>();
  function start(key: string, input: I): Promise<T> {
    const running = work(key, input).finally(() => {
      if (calls.get(key) === own) calls.delete(key);
    });
    const own: Calls<T> = { running, next: undefined };
    calls.set(key, own);
    return running;
  }
  return (key, input) => {
    const present = calls.get(key);
    if (!present) return start(key, input);
    const startNext = () => start(key, input);
    present.next ??= present.running.then(startNext, startNext);
    return present.next;
  };
}

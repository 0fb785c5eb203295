// Who is next: calls wait by name, and names take turns, so that one with many calls does not delay the others.

/** Calls that wait, at most one of each name under way. */
export interface FairQueue<T> {
  add(call: T): void;
  /** Takes the next call of the name whose turn it is; undefined when none may start. */
  next(): T | undefined;
  /** A call that `next` returned has ended. */
  done(call: T): void;
  /** Removes a waiting call. */
  remove(call: T): void;
  /** Whether `next` has a call. */
  isReady(): boolean;
}

/** Nothing waits yet. `mayStart`: whether a call can start at present. */
export function createFairQueue<T extends { name: string }>(mayStart: (call: T) => boolean): FairQueue<T> {
  /** By name, in the order of their turns. */
  const waiting = new Map<string, T[]>();
  const busy = new Set<string>();
  function ready(): T | undefined {
    for (const [name, [call]] of waiting) if (call && !busy.has(name) && mayStart(call)) return call;
    return undefined;
  }
  return {
    add(call) {
      const calls = waiting.get(call.name);
      if (calls) calls.push(call);
      else waiting.set(call.name, [call]);
    },
    next() {
      const call = ready();
      if (!call) return undefined;
      busy.add(call.name);
      const others = (waiting.get(call.name) ?? []).slice(1);
      // Its next turn comes after those of all others.
      waiting.delete(call.name);
      if (others.length > 0) waiting.set(call.name, others);
      return call;
    },
    done: ({ name }) => void busy.delete(name),
    remove(call) {
      const others = (waiting.get(call.name) ?? []).filter((other) => other !== call);
      if (others.length > 0) waiting.set(call.name, others);
      else waiting.delete(call.name);
    },
    isReady: () => ready() !== undefined,
  };
}

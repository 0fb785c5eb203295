// As many requests of an endpoint at once as it takes: waiting for one is no part of its time (rules.md: models 8).

/** Does work in one of the slots, in order; rejects with the reason of the signal if that fires before there is one. */
export type Slots = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/** Slots of one process. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  function release(): void {
    const [next] = waiting;
    if (!next) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  }
  async function take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      waiting.delete(resolve);
      reject(signal?.reason);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', abort);
    await promise.finally(() => signal?.removeEventListener('abort', abort));
  }
  return async (work, signal) => {
    await take(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}

// Waiting, and the jitter that spreads waiters over time.

/** Resolves after `ms` milliseconds, or as soon as the signal fires. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || ms <= 0) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}

/** A random share of `ms`, at least half of it. */
export function jitter(ms: number): number {
  return Math.round(ms * (0.5 + Math.random() / 2));
}

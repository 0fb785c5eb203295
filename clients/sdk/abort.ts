// Waits and works under an AbortSignal without leaking timers or listeners.

/** Waits. Throws the signal's reason when it fires first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that also fires with another one, and a way to unlink them. */
export interface Linked {
  signal: AbortSignal;
  abort(reason: unknown): void;
  release(): void;
}

/** Links a new signal to the given one. */
export function linked(outer?: AbortSignal): Linked {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => outer?.removeEventListener('abort', follow),
  };
}

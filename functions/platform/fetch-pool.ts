// The pool of idle connections that `fetch` has in this thread.

/** Under this name undici, which is Node's `fetch`, documents it; there is none before the first call. */
const POOL = Symbol.for('undici.globalDispatcher.1');

interface Pool {
  close(): Promise<void>;
}

const isPool = (value: unknown): value is Pool =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';

/** The pool that the next call uses; undefined if it has no idle connection. */
export function fetchPool(): Pool | undefined {
  const pool: unknown = Reflect.get(globalThis, POOL);
  return isPool(pool) ? pool : undefined;
}

/**
 * Replaces the pool that a call used which got no answer. What freezes an environment lets all its idle connections
 * die: else later calls would try the others. Calls in progress end on the pool that they use.
 */
export function replacePool(used: Pool | undefined): void {
  if (!used || used !== fetchPool()) return;
  Reflect.set(globalThis, POOL, Reflect.construct(used.constructor, []));
  void used.close();
}

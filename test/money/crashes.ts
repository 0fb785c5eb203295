// Invocations that die at a store call: before it took effect, or after, when nobody learns of it any more.
import { AsyncLocalStorage } from 'node:async_hooks';
import { table } from '#store/table.ts';

/** What stands for the end of a process. It looks like trouble of the store, so that nobody takes it for a failed step. */
class Crash extends Error {
  readonly $metadata = {};
  constructor() {
    super('the process died');
    this.name = 'Crash';
  }
}

interface Invocation {
  id: number;
  calls: number;
  /** The store call at which it dies, from 1; 0: it lives. */
  dies_at: number;
  after_effect: boolean;
  dead: boolean;
}

const invocations = new AsyncLocalStorage<Invocation>();

/** Must be called once, before any invocation. */
export function armCrashes(): void {
  table.middlewareStack.add(
    (next) => async (args) => {
      const invocation = invocations.getStore();
      if (!invocation) return next(args);
      if (invocation.dead) throw new Crash();
      invocation.calls += 1;
      const last = invocation.calls === invocation.dies_at;
      if (last) invocation.dead = true;
      if (last && !invocation.after_effect) throw new Crash();
      const reply = await next(args);
      if (invocation.dead) throw new Crash();
      return reply;
    },
    { step: 'initialize', name: 'crashes' },
  );
}

/** True once the invocation that asks has died: whatever it still does is done by nobody. */
export function isDead(): boolean {
  return invocations.getStore()?.dead === true;
}

/** The invocation that asks; 0 outside of any. */
export function currentInvocation(): number {
  return invocations.getStore()?.id ?? 0;
}

/** Runs an invocation that may die; tells whether it did. Other errors are thrown as they are. */
export async function invocation<T>(
  death: { id: number; dies_at: number; after_effect: boolean },
  work: () => Promise<T>,
): Promise<{ died: true } | { died: false; value: T }> {
  const state: Invocation = { calls: 0, dead: false, ...death };
  try {
    const value = await invocations.run(state, work);
    return state.dead ? { died: true } : { died: false, value };
  } catch (error) {
    if (state.dead) return { died: true };
    throw error;
  }
}

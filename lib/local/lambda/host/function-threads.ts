// The pool of function threads: one per function, up to three while tasks take long. Where their number is limited,
// idle threads collect their garbage, and beyond the limit they end: this halved the memory of a service after a burst.
import type { FunctionWorker } from './worker.ts';

/** The pool. */
export interface FunctionThreads {
  /**
   * The thread with the fewest invocations in flight; starts the first one on demand. `isCrowd`: one invocation among
   * many of its kind, which leaves the last of three threads to others (rules.md: local 14).
   */
  take(name: string, isCrowd?: boolean): FunctionWorker;
  /** Invocations in flight. */
  busy(name: string): number;
  /** Starts one more thread: an invocation takes long, and on AWS new ones would not share its environment. */
  startAnother(name: string): void;
  /** Ends a function's threads as a crash would. */
  kill(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a thread of a function; `retired` is called when it takes no more invocations. */
export type StartThread = (name: string, retired: () => void) => FunctionWorker;

/** After this idle time a thread ends. */
const IDLE_MS = 5 * 60_000;
/** After this idle time it collects its garbage, or ends if the pool is over its limit. */
const REST_MS = 1000;
const THREADS_MAX = 3;

/**
 * Creates an empty pool. Beyond `limit` threads, those idle longest end. Infinite: memory does not matter, and idle
 * ones keep their garbage.
 */
export function createThreads(startThread: StartThread, limit: number): FunctionThreads {
  const active = new Map<string, FunctionWorker[]>();
  const retiring = new Set<FunctionWorker>();
  const of = (name: string) => active.get(name) ?? [];
  const all = () => [...active.values()].flat();

  function start(name: string): FunctionWorker {
    const thread: FunctionWorker = startThread(name, () => {
      active.set(
        name,
        of(name).filter((other) => other !== thread),
      );
      retiring.add(thread);
    });
    active.set(name, [...of(name), thread]);
    return thread;
  }

  function take(name: string, isCrowd = false): FunctionWorker {
    const open = isCrowd ? of(name).slice(0, THREADS_MAX - 1) : of(name);
    const ready = open.filter((thread) => thread.isReady());
    const [least] = (ready.length > 0 ? ready : open).toSorted((a, b) => a.busy() - b.busy());
    return least ?? start(name);
  }

  const idleMs = (thread: FunctionWorker) => Date.now() - thread.idleSince();
  const isIdle = (thread: FunctionWorker) =>
    thread.isReady() && thread.busy() === 0 && idleMs(thread) > REST_MS;

  async function tidy(thread: FunctionWorker): Promise<void> {
    if (all().length > limit || idleMs(thread) > IDLE_MS) await thread.terminate('idle');
    else if (Number.isFinite(limit)) await thread.collectGarbage();
  }

  let tidying = false;
  const tidier = setInterval(async () => {
    if (tidying) return;
    tidying = true;
    for (const thread of retiring) if (thread.busy() === 0) retiring.delete(thread);
    // One after the other: all at once would stall the service after each burst. Some may be busy again by then.
    for (const thread of all().toSorted((a, b) => a.idleSince() - b.idleSince()))
      if (isIdle(thread)) await tidy(thread);
    tidying = false;
  }, REST_MS / 2).unref();

  return {
    take,
    busy: (name) => of(name).reduce((sum, thread) => sum + thread.busy(), 0),
    startAnother(name) {
      if (of(name).length < THREADS_MAX) start(name);
    },
    async kill(name) {
      await Promise.all(of(name).map((thread) => thread.terminate('signal: killed')));
    },
    async stop() {
      clearInterval(tidier);
      await Promise.all([...all(), ...retiring].map((thread) => thread.terminate('the service stops')));
    },
  };
}

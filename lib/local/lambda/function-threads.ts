// The threads of the functions: one each, and another where work lasts; idle ones collect their garbage and end after a while.
import type { FunctionWorker } from './worker.ts';

/** The threads in operation. */
export interface FunctionThreads {
  /** The thread with the least in hand; the first one is started when it is needed. */
  take(name: string): FunctionWorker;
  /** Invocations in hand. */
  busy(name: string): number;
  /** Says that an invocation lasts: those to come get a thread apart from it, as on AWS each has an environment to itself. */
  keepApart(name: string): void;
  /** Ends a function's threads as a crash would. */
  kill(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a thread of a function; `retired` is called when it takes no more invocations. */
export type StartThread = (name: string, retired: () => void) => FunctionWorker;

const IDLE_MS = 5 * 60_000;
const REAP_MS = 30_000;
/** How long a thread must be idle before it collects its garbage. */
const REST_MS = 1000;
const THREADS_MAX = 2;

/** Manages them; none runs until a function is used. */
export function createThreads(startThread: StartThread): FunctionThreads {
  const working = new Map<string, FunctionWorker[]>();
  const leaving = new Set<FunctionWorker>();
  const of = (name: string) => working.get(name) ?? [];
  const all = () => [...working.values()].flat();

  function start(name: string): FunctionWorker {
    const thread: FunctionWorker = startThread(name, () => {
      working.set(
        name,
        of(name).filter((other) => other !== thread),
      );
      leaving.add(thread);
    });
    working.set(name, [...of(name), thread]);
    return thread;
  }

  function take(name: string): FunctionWorker {
    const ready = of(name).filter((thread) => thread.isReady());
    const [least] = (ready.length > 0 ? ready : of(name)).toSorted((a, b) => a.busy() - b.busy());
    return least ?? start(name);
  }

  const reaper = setInterval(() => {
    for (const thread of all()) {
      if (thread.busy() === 0 && Date.now() - thread.idleSince() > IDLE_MS) void thread.terminate('idle');
    }
    for (const thread of leaving) if (thread.busy() === 0) leaving.delete(thread);
  }, REAP_MS).unref();

  let resting = false;
  // One after the other: all at once, they would hold up the service whenever a burst has passed.
  const rester = setInterval(async () => {
    if (resting) return;
    resting = true;
    for (const thread of all()) {
      if (thread.busy() === 0 && Date.now() - thread.idleSince() > REST_MS) await thread.rest();
    }
    resting = false;
  }, REST_MS / 2).unref();

  return {
    take,
    busy: (name) => of(name).reduce((sum, thread) => sum + thread.busy(), 0),
    keepApart(name) {
      if (of(name).length < THREADS_MAX) start(name);
    },
    async kill(name) {
      await Promise.all(of(name).map((thread) => thread.terminate('signal: killed')));
    },
    async stop() {
      clearInterval(rester);
      clearInterval(reaper);
      await Promise.all([...all(), ...leaving].map((thread) => thread.terminate('the service stops')));
    },
  };
}

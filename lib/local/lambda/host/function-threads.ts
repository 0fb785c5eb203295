// The threads of the functions: one each, and another where work lasts; idle ones collect their garbage, and the longest idle end.
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
/** How long a thread must be idle before it collects its garbage, or ends. */
const REST_MS = 1000;
const THREADS_MAX = 2;

/** Manages them; none runs until a function is used. Beyond `kept` threads in operation, the longest idle end. */
export function createThreads(startThread: StartThread, kept: number): FunctionThreads {
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

  const idleMs = (thread: FunctionWorker) => Date.now() - thread.idleSince();
  const isIdle = (thread: FunctionWorker) =>
    thread.isReady() && thread.busy() === 0 && idleMs(thread) > REST_MS;

  async function calm(thread: FunctionWorker): Promise<void> {
    if (all().length > kept || idleMs(thread) > IDLE_MS) await thread.terminate('idle');
    else await thread.rest();
  }

  let calming = false;
  const calmer = setInterval(async () => {
    if (calming) return;
    calming = true;
    for (const thread of leaving) if (thread.busy() === 0) leaving.delete(thread);
    // One after the other: all at once, they would hold up the service whenever a burst has passed. Some may have work again by then.
    for (const thread of all().toSorted((a, b) => a.idleSince() - b.idleSince()))
      if (isIdle(thread)) await calm(thread);
    calming = false;
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
      clearInterval(calmer);
      await Promise.all([...all(), ...leaving].map((thread) => thread.terminate('the service stops')));
    },
  };
}

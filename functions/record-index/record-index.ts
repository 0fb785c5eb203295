// The index of a workspace's records, for the threads that serve requests: every call is a message to a thread that
// reads and writes files. Files take turns, and while the work on one takes long, others get another thread.
import type { IndexedRecord } from './apply.ts';
import { createFairQueue } from './fair-queue.ts';
import { errorOf } from './index-errors.ts';
import {
  isFollowing,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from './index-operations.ts';
import { type IndexThread, startIndexThread } from './index-thread.ts';
import { type Allowance, ReadingStopped } from './reading-limits.ts';
import { removeFile } from './schema.ts';
import type { Reply } from './thread.ts';

/** The readings of one step: what they may still use, and what ends them early. */
export interface LimitedReading {
  left: Allowance;
  signal: AbortSignal;
}

interface Call {
  /** Whose turn it takes. */
  name: string;
  file: string;
  /** Whether it compares vectors. */
  isNearest: boolean;
  begin(thread: IndexThread): Promise<Reply>;
}

/** The most threads of a function. The system divides the processors among them, and so among their files. */
const THREADS_MAX = 4;
/** A call that waits this long gets another thread. */
const WAIT_MS = 50;
/** A thread beyond the first ends after this idle time, unless it retains vectors. */
const IDLE_MS = 10_000;

const threads = new Set<IndexThread>();
/** Files that are about to be removed. */
const removing = new Set<string>();
const queue = createFairQueue<Call>(({ file }) => !removing.has(file));
let isGrowing = false;
/** The one that retains vectors, so that the process has them once. */
let vectorThread: IndexThread | undefined;

function startThread(): IndexThread {
  const thread: IndexThread = startIndexThread(() => threads.delete(thread));
  threads.add(thread);
  return thread;
}

function endThread(thread: IndexThread): void {
  if (threads.delete(thread)) thread.end();
}

const idleThreads = () => [...threads].filter((thread) => !thread.isBusy());

/** Starts as many waiting calls as there are threads for. */
function startCalls(): void {
  for (;;) {
    const idle = idleThreads();
    if (idle.length === 0 && threads.size > 0) {
      if (threads.size < THREADS_MAX && queue.isReady()) growLater();
      return;
    }
    const call = queue.next();
    if (!call) return;
    void carryOut(call, threadFor(call, idle));
  }
}

function threadFor({ file, isNearest }: Call, idle: IndexThread[]): IndexThread {
  if (!isNearest) return idle.find((thread) => thread.hasOpened(file)) ?? idle[0] ?? startThread();
  if (vectorThread && !threads.has(vectorThread)) vectorThread = undefined;
  const thread = idle.find((one) => one === vectorThread) ?? idle[0] ?? startThread();
  vectorThread ??= thread;
  return thread;
}

function growLater(): void {
  if (isGrowing) return;
  isGrowing = true;
  const grow = () => {
    isGrowing = false;
    if (idleThreads().length === 0 && queue.isReady()) startThread();
    startCalls();
  };
  // On a busy thread timers come before the replies that are there already.
  setTimeout(() => setImmediate(grow), WAIT_MS);
}

async function carryOut(call: Call, thread: IndexThread): Promise<void> {
  const isLarge = await call.begin(thread).then(
    ({ large }) => large,
    () => false,
  );
  queue.done(call);
  // Only its end returns the memory of a thread to the system.
  if (isLarge && !thread.isBusy()) endThread(thread);
  startCalls();
  if (threads.size === 1) return;
  const retire = () => {
    if (threads.size > 1 && !thread.isBusy() && thread !== vectorThread) endThread(thread);
  };
  setTimeout(retire, IDLE_MS).unref();
}

/** The output of a reply. Throws IndexIncomplete, IndexBusy, IndexDamaged, TooCostly, and what SQLite throws. */
function outputOf(reply: Reply): unknown {
  if ('output' in reply) return reply.output;
  throw errorOf(reply.failure);
}

function send(
  file: string,
  operation: OperationName,
  input: unknown,
  { reading, items }: { reading?: LimitedReading; items?: IndexedRecord[] } = {},
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const call: Call = {
    // Following the table does not wait until a reading ends.
    name: isFollowing(operation) ? `${file} following` : file,
    file,
    isNearest: operation === 'nearest',
    async begin(thread) {
      const left = reading && { ...reading.left };
      const result = thread.perform(
        { file, operation, input, items, left, retains: thread === vectorThread },
        reading?.signal,
      );
      result.then(outputOf).then(resolve, reject);
      const reply = await result;
      if (reading) {
        reading.left.ms -= reply.used.ms;
        reading.left.pairs -= reply.used.pairs;
      }
      return reply;
    },
  };
  const stop = () => {
    queue.remove(call);
    reject(new ReadingStopped());
  };
  if (reading?.signal.aborted) stop();
  else {
    reading?.signal.addEventListener('abort', stop, { once: true });
    queue.add(call);
    startCalls();
  }
  return promise.finally(() => reading?.signal.removeEventListener('abort', stop));
}

/** Performs an operation on a file. Throws IndexIncomplete, IndexBusy, IndexDamaged, and what SQLite throws. */
export async function onIndex<N extends OperationName>(
  file: string,
  operation: N,
  ...[input]: undefined extends OperationInput<N> ? [] : [OperationInput<N>]
): Promise<OperationOutput<N>> {
  // The thread replies with what the operation of this name returns.
  return (await send(file, operation, input)) as OperationOutput<N>;
}

/**
 * The same for a caller that passes input and output on. Within a reading it also throws TooCostly, and ReadingStopped
 * when its signal fires.
 */
export function performOn(
  file: string,
  operation: OperationName,
  input: unknown,
  reading: LimitedReading | undefined,
): Promise<unknown> {
  return send(file, operation, input, reading && { reading });
}

/**
 * Performs an operation on items that are in no file, in their order: they are indexed for this one operation. `owner`
 * is whose turn it takes.
 */
export async function readItems<N extends OperationName>(
  reading: LimitedReading,
  { owner, items }: { owner: string; items: IndexedRecord[] },
  operation: N,
  ...[input]: undefined extends OperationInput<N> ? [] : [OperationInput<N>]
): Promise<OperationOutput<N>> {
  return (await send(owner, operation, input, { reading, items })) as OperationOutput<N>;
}

/** Removes a file, once no thread has it open. */
export async function removeIndex(file: string): Promise<void> {
  removing.add(file);
  try {
    const input = undefined;
    const closed = [...threads].map((thread) =>
      thread.perform({ file, operation: 'close', input, left: undefined }),
    );
    await Promise.allSettled(closed);
    removeFile(file);
  } finally {
    removing.delete(file);
    startCalls();
  }
}

// The index of a workspace's records, for the threads that serve requests: every call is a message to the thread that
// owns the files.
import { Worker } from 'node:worker_threads';
import type { OperationInput, OperationName, OperationOutput } from './operations.ts';
import type { Reply, Request } from './thread.ts';

/** The file is damaged or of another version: remove and rebuild it. */
export class IndexDamaged extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IndexDamaged';
  }
}

interface Waiting {
  resolve(output: unknown): void;
  reject(error: Error): void;
}

let thread: Worker | undefined;
let calls = 0;
const waiting = new Map<number, Waiting>();

/** Bundled next to the function as `record-index.mjs`; from source it is the file itself. */
const script = () =>
  new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './record-index.mjs', import.meta.url);

function started(): Worker {
  if (thread) return thread;
  const worker = new Worker(script());
  // An idle thread must not keep its process alive.
  worker.unref();
  worker.on('message', (reply: Reply) => {
    const caller = waiting.get(reply.call);
    waiting.delete(reply.call);
    if (waiting.size === 0) worker.unref();
    if ('output' in reply) caller?.resolve(reply.output);
    else caller?.reject(reply.damaged ? new IndexDamaged(reply.error) : new Error(reply.error));
  });
  worker.on('error', (error) => {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  thread = worker;
  return worker;
}

function send(request: Omit<Request, 'call'>): Promise<unknown> {
  const worker = started();
  calls += 1;
  const call = calls;
  return new Promise((resolve, reject) => {
    waiting.set(call, { resolve, reject });
    worker.ref();
    worker.postMessage({ ...request, call });
  });
}

/** Performs an operation on a file. Throws IndexDamaged, and what SQLite throws. */
export async function onIndex<N extends OperationName>(
  file: string,
  operation: N,
  ...[input]: undefined extends OperationInput<N> ? [] : [OperationInput<N>]
): Promise<OperationOutput<N>> {
  // The thread replies with what the operation of this name returns.
  return (await send({ file, operation, input } as Omit<Request, 'call'>)) as OperationOutput<N>;
}

/** Removes a file. */
export async function removeIndex(file: string): Promise<void> {
  await send({ file, operation: 'remove', input: undefined });
}

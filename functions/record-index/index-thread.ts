// One thread for index files, as the threads that serve requests see it: it carries out one call at a time.
import { Worker } from 'node:worker_threads';
import type { Reply, Request } from './thread.ts';

export interface IndexThread {
  /** Whether it carries out a call. */
  isBusy(): boolean;
  /** Whether it has worked on a file before, and so may have it open. */
  hasOpened(file: string): boolean;
  /** Carries out a request, which the signal interrupts. Rejects when the thread fails. */
  perform(request: Omit<Request, 'call'>, signal?: AbortSignal): Promise<Reply>;
  end(): void;
}

/** Bundled next to the function as `record-index.mjs`; from source it is the file itself. */
const script = () =>
  new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './record-index.mjs', import.meta.url);

/** A long reading makes much garbage; V8's default lets it grow to 48 MB before the first collection. */
const YOUNG_GENERATION_MB = 16;

/** Starts a thread; `failed` is called when it ends by itself. */
export function startIndexThread(failed: () => void): IndexThread {
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(script(), {
    workerData: stopped,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  const files = new Set<string>();
  let calls = 0;
  // An idle thread must not keep its process alive.
  worker.unref();
  worker.on('message', (reply: Reply) => {
    const caller = waiting.get(reply.call);
    waiting.delete(reply.call);
    if (waiting.size === 0) worker.unref();
    caller?.resolve(reply);
  });
  worker.on('error', (error: Error) => {
    failed();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  return {
    isBusy: () => waiting.size > 0,
    hasOpened: (file) => files.has(file),
    perform(request, signal) {
      calls += 1;
      const call = calls;
      files.add(request.file);
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      waiting.set(call, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...request, call });
      const interrupt = () => Atomics.store(stopped, 0, call);
      signal?.addEventListener('abort', interrupt);
      return promise.finally(() => signal?.removeEventListener('abort', interrupt));
    },
    end: () => void worker.terminate(),
  };
}

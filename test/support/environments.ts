// Environments of functions as AWS has them: each has its own disk and its own connections, serves one invocation at a
// time, and is frozen between two. A test puts them in place of the threads of the local runtime by `vi.mock`.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import type { FunctionThreads, StartThread } from '../../lib/local/lambda/host/function-threads.ts';
import type { FunctionWorker, Receiver, WorkerOptions } from '../../lib/local/lambda/host/worker.ts';

type StartWorker = (options: WorkerOptions) => FunctionWorker;

/** Loaded in each thread before its function. */
const PRELOAD = new URL('./environment-thread.ts', import.meta.url);
const MB = 1024 * 1024;
const LOOPBACK = '127.0.0.1';
const RUNS = 0;
const FROZEN = 1;

/** A pool in which each thread serves one invocation at a time; replaces that of function-threads.ts. */
export function createExclusiveThreads(startThread: StartThread): FunctionThreads {
  const active = new Map<string, FunctionWorker[]>();
  const of = (name: string) => active.get(name) ?? [];

  function start(name: string): FunctionWorker {
    const retired = () => active.set(name, of(name).toSpliced(of(name).indexOf(thread), 1));
    const thread: FunctionWorker = startThread(name, retired);
    active.set(name, [...of(name), thread]);
    return thread;
  }

  const end = (threads: FunctionWorker[]) =>
    Promise.all(threads.map((one) => one.terminate('signal: killed')));
  return {
    take: (name) => of(name).find((thread) => thread.busy() === 0) ?? start(name),
    busy: (name) => of(name).filter((thread) => thread.busy() > 0).length,
    startAnother() {},
    kill: async (name) => void (await end(of(name))),
    stop: async () => void (await end([...active.values()].flat())),
  };
}

/**
 * Starts a thread on a disk of its own, which is empty. It reaches AWS over HTTP, and goes on only while it serves an
 * invocation; replaces that of worker.ts.
 */
export function startEnvironment(startWorker: StartWorker, diskBytes: number): StartWorker {
  return (options) => {
    const disk = newDisk(options.env);
    const frozen = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const set = (state: number) => {
      Atomics.store(frozen, 0, state);
      Atomics.notify(frozen, 0);
    };
    setEnvironmentData('frozen', frozen);
    const env = {
      ...throughProxy(options.env),
      RECORD_INDEX_DIR: disk,
      RECORD_INDEX_DISK_MB: String(diskBytes / MB),
      NODE_OPTIONS: `--import=${PRELOAD.href}`,
    };
    const thread = startWorker({ ...options, env });
    const ended = () => thread.busy() === 0 && set(FROZEN);
    return {
      ...methodsOf(thread),
      collectGarbage: async () => {},
      invoke(payload, receiver) {
        set(RUNS);
        thread.invoke(payload, checked(receiver, disk, diskBytes, ended));
      },
    };
  };
}

const methodsOf = (thread: FunctionWorker): FunctionWorker => ({
  ready: thread.ready,
  invoke: (payload, receiver) => thread.invoke(payload, receiver),
  isReady: () => thread.isReady(),
  busy: () => thread.busy(),
  idleSince: () => thread.idleSince(),
  collectGarbage: () => thread.collectGarbage(),
  terminate: (reason) => thread.terminate(reason),
});

/** Fails a call that leaves more on its disk than that takes: writes beyond it fail on AWS. */
function checked(receiver: Receiver, disk: string, diskBytes: number, ended: () => void): Receiver {
  return {
    head: (prelude) => receiver.head(prelude),
    chunk: (data) => receiver.chunk(data),
    end: () => receiver.end(),
    fail(error) {
      receiver.fail(error);
      ended();
    },
    result(payload) {
      const errorMessage = `no space left on device: ${bytesOn(disk)} of ${diskBytes} bytes`;
      if (bytesOn(disk) <= diskBytes) receiver.result(payload);
      else receiver.fail({ errorType: 'Error', errorMessage });
      ended();
    },
  };
}

const disks = new Map<string, number>();

/** Environments of a function are numbered: `environments/<name>/<number>` in the data folder. */
function newDisk({ RECORD_INDEX_DIR = '', AWS_LAMBDA_FUNCTION_NAME = '' }: Record<string, string>): string {
  const folder = join(dirname(RECORD_INDEX_DIR), 'environments', AWS_LAMBDA_FUNCTION_NAME);
  const number = (disks.get(folder) ?? 0) + 1;
  disks.set(folder, number);
  const disk = join(folder, String(number));
  mkdirSync(disk, { recursive: true });
  return disk;
}

/** How much is on a disk. */
export function bytesOn(folder: string): number {
  return readdirSync(folder)
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** What comes of a request on a connection that is lost: it is reset, or nothing ever arrives. */
type Loss = 'reset' | 'silence';

const open = new Map<Socket, Loss | undefined>();
let servicePort = 0;

/** Between the functions and the endpoint of AWS. */
const proxy = createServer((near) => {
  const far = connect(servicePort, LOOPBACK);
  open.set(near, undefined);
  near.on('data', (chunk) => {
    const loss = open.get(near);
    if (loss === 'reset') near.resetAndDestroy();
    else if (loss === undefined) far.write(chunk);
  });
  far.pipe(near);
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(near);
      other.destroy();
    });
  }
}).unref();
await new Promise<void>((resolve) => proxy.listen(0, LOOPBACK, resolve));

/** Variables that name the endpoint name the proxy instead; so do the addresses of queues. */
function throughProxy(env: Record<string, string>): Record<string, string> {
  const address = proxy.address();
  if (typeof address !== 'object' || !address) throw new Error('the proxy does not listen');
  const endpoint = env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
  servicePort = Number(new URL(endpoint).port);
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(endpoint, `http://${LOOPBACK}:${address.port}`),
    ]),
  );
}

/** Loses each connection of functions to AWS that is open now, as soon as its next request arrives. */
export function loseConnections(loss: Loss = 'reset'): void {
  for (const socket of open.keys()) open.set(socket, loss);
}

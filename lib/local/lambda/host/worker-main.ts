// Runs inside a worker thread: loads one bundled function and serves concurrent invocations.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../../collect-garbage.ts';
import type { JsonObject } from '../../json-values.ts';
import { connectAws } from './aws-in-thread.ts';
import type { FromWorker, FunctionError, InvokeMessage, ToWorker, WorkerSetup } from './worker-messages.ts';

type Handler = (event: unknown, ...rest: unknown[]) => unknown;
interface OpenStream {
  stream: Writable;
  acknowledge(bytes: number): void;
}

/** Bytes of a streamed response in flight before the writer has to wait. */
const WINDOW_BYTES = 256 * 1024;
const streamified = Symbol('streamified');
const preludeOf = new WeakMap<Writable, (prelude: JsonObject) => void>();
const open = new Map<number, OpenStream>();
const setup: WorkerSetup = workerData;

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error) };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

/** The response stream of one invocation: each chunk is a message, at most one window ahead of the client. */
function responseStream(id: number): OpenStream {
  let inFlight = 0;
  let resume: (() => void) | undefined;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      inFlight += chunk.length;
      post({ type: 'chunk', id, data: new Uint8Array(chunk) });
      if (inFlight < WINDOW_BYTES) done();
      else resume = done;
    },
    final(done) {
      post({ type: 'stream_ended', id });
      done();
    },
  });
  // An aborted response destroys the stream. A handler without an error listener must not end the thread.
  stream.on('error', () => {});
  preludeOf.set(stream, (prelude) => post({ type: 'head', id, prelude }));
  const acknowledge = (bytes: number) => {
    inFlight -= bytes;
    const waiting = resume;
    resume = undefined;
    waiting?.();
  };
  return { stream, acknowledge };
}

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) =>
      Object.assign((...all: Parameters<Handler>) => handler(...all), { [streamified]: true }),
    HttpResponseStream: {
      // As on AWS, the first `write` sends the head; `end` does not, even with a chunk.
      from(stream: Writable, prelude: JsonObject): Writable {
        const write = stream.write;
        stream.write = (...all: unknown[]) => {
          stream.write = write;
          preludeOf.get(stream)?.(prelude);
          return Reflect.apply(write, stream, all);
        };
        return stream;
      },
    },
  },
});

function contextOf(message: InvokeMessage) {
  const name = process.env.AWS_LAMBDA_FUNCTION_NAME;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: message.function_arn,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: message.request_id,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, message.deadline_ms - Date.now()),
  };
}

async function finished(stream: Writable): Promise<void> {
  if (stream.writableFinished || stream.closed) return;
  await new Promise<void>((resolve) => stream.once('close', resolve));
}

function closedEarly(): Error {
  const error = new Error('The response stream was closed before its end.');
  return Object.assign(error, { name: 'Runtime.StreamClosed' });
}

const POLL_MS = 10;

/** Waits until only the host keeps the thread alive: as on AWS, a forgotten timer keeps the environment busy. */
async function emptyEventLoop(): Promise<void> {
  while (process.getActiveResourcesInfo().some((resource) => resource !== 'MessagePort'))
    await pause(POLL_MS, undefined, { ref: false });
}

async function runStreamed(handler: Handler, message: InvokeMessage): Promise<void> {
  const response = responseStream(message.id);
  open.set(message.id, response);
  try {
    const context = contextOf(message);
    await handler(JSON.parse(message.payload), response.stream, context);
    await finished(response.stream);
    if (!response.stream.writableFinished) throw closedEarly();
    if (context.callbackWaitsForEmptyEventLoop) await emptyEventLoop();
    post({ type: 'invocation_ended', id: message.id });
  } finally {
    open.delete(message.id);
  }
}

async function run(handler: Handler, message: InvokeMessage): Promise<void> {
  try {
    if (streamified in handler) return await runStreamed(handler, message);
    const result = await handler(JSON.parse(message.payload), contextOf(message));
    post({ type: 'result', id: message.id, payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    post({ type: 'error', id: message.id, error: describe(error) });
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

async function load(): Promise<Handler> {
  const module: Record<string, unknown> = await import(pathToFileURL(setup.file).href);
  const handler = module[setup.handler];
  if (isHandler(handler)) return handler;
  throw Object.assign(new Error(`${setup.handler} is undefined or not exported`), {
    name: 'Runtime.HandlerNotFound',
  });
}

/**
 * Without it, the heavy runs of one tenant slow every other tenant's requests on two cores; `npm run prove -- fair`
 * measures it.
 */
const BACKGROUND_NICE = 5;
const NICE_MAX = 19;

/** Gives other threads priority over this one and those that it starts. Only Linux has a priority per thread. */
function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(Math.min(NICE_MAX, getPriority() + BACKGROUND_NICE));
}

async function serve(): Promise<void> {
  if (setup.background) lowerPriority();
  const takeAwsReply = connectAws(setup.aws);
  enableCompileCache(setup.compileCache);
  const handler = await load();
  parentPort?.on('message', (message: ToWorker) => {
    if (message.type === 'invoke') void run(handler, message);
    else if (message.type === 'aws_reply') takeAwsReply(message);
    else if (message.type === 'collect_garbage') {
      flushCompileCache();
      // After every route was used, this takes a quarter of the memory of the service.
      collectGarbage();
      post({ type: 'garbage_collected' });
    } else open.get(message.id)?.acknowledge(message.bytes);
  });
  post({ type: 'ready' });
}

serve().catch((error: unknown) => post({ type: 'init_error', error: describe(error) }));

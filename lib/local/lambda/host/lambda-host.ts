// The Lambda host: a thread per function, started on demand, and a second one while a task takes long.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AwsReply } from '../../aws-endpoint/aws-protocol.ts';
import { createLog, type Log } from '../../files/log-file.ts';
import { numberAt, objectAt, stringAt } from '../../json-values.ts';
import { SetupError } from '../../setup-error.ts';
import { REGION } from '../../template/attributes.ts';
import type { Resource, Stack } from '../../template/template.ts';
import { createThreads, type StartThread } from './function-threads.ts';
import { type FunctionAccess, type Receiver, startWorker } from './worker.ts';
import type { AwsMessage, FunctionError } from './worker-messages.ts';

/** The answer of a finished invocation: JSON text, or the function's failure. */
export type InvokeResult = { ok: true; payload: string } | { ok: false; error: FunctionError };

/** Runs the stack's functions. */
export interface LambdaHost {
  /** Resolves with the function's answer or its failure. Throws SetupError for an unknown name. */
  invoke(name: string, payload: string): Promise<InvokeResult>;
  /**
   * The same for a task: while it takes long, new invocations go to another thread. One of a crowd leaves a thread to
   * others.
   */
  invokeTask(name: string, payload: string, isCrowd: boolean): Promise<InvokeResult>;
  /** Invokes with a streamed answer. As on AWS, the function does not learn that its client has disconnected. */
  stream(name: string, payload: string, receiver: Receiver): void;
  /** Invokes without waiting; retries a failed call as the function's EventInvokeConfig says, by default twice. */
  invokeLater(name: string, payload: string): void;
  has(name: string): boolean;
  /** Starts the thread before the first request needs it. */
  warm(name: string): Promise<void>;
  /** Ends the function's threads as a crash would. */
  kill(name: string): Promise<void>;
  /** Invocations so far, by function. */
  counts(): Record<string, number>;
  /** Invocations that have not ended, by function: as on AWS, also those whose client has left. */
  open(): Record<string, number>;
  stop(): Promise<void>;
}

export interface LambdaHostOptions {
  stack: Stack;
  logFolder: string;
  /** Variables beyond the template's own, for one function. */
  envOf(name: string): Record<string, string>;
  /** What a function's thread needs to reach AWS. */
  accessOf(name: string): FunctionAccess;
  /** Whether no request waits for this function. Such a function yields the processor to requests. */
  isBackground(name: string): boolean;
  /** Sends a function's request to an AWS service. Undefined: the connection is cut. */
  ask(name: string, message: AwsMessage): Promise<AwsReply | undefined>;
  /** Called when a thread finds the table's file damaged. */
  lost(reason: string): void;
  /** Beyond this many threads, idle ones end. */
  threadLimit: number;
}

const RESPONSE_LIMIT_BYTES = 6 * 1024 * 1024;
/** A task that takes this long gets its function another thread, so that short tasks do not wait for its CPU work. */
const LONG_TASK_MS = 200;
/** Delays before the second and third try of an asynchronous call. On AWS these are minutes. */
const RETRY_DELAYS_MS = [1_000, 2_000];
/** Delay after a throttled try of an asynchronous call, and the age at which the call expires by default. */
const THROTTLED_RETRY_MS = 1_000;
const MAX_EVENT_AGE_SECONDS = 6 * 3600;

/** The error of a call that exceeds its function's reserved concurrency: the function was not invoked. */
export const throttled: FunctionError = {
  errorType: 'TooManyRequestsException',
  errorMessage: 'Rate Exceeded.',
};

/** Builds the host; no thread runs until a function is used. */
export function createLambdaHost(options: LambdaHostOptions): LambdaHost {
  const functions = new Map(options.stack.ofType('AWS::Lambda::Function').map((f) => [f.attributes.ref, f]));
  const reserved = reservedConcurrency(options.stack);
  const retriesOf = asynchronousCalls(options.stack);
  const counts: Record<string, number> = {};
  let stopped = false;
  const startThread = threadsOf(functions, options);
  const threads = createThreads((name, retired) => {
    if (stopped) throw new SetupError('the service is stopping');
    return startThread(name, retired);
  }, options.threadLimit);

  function stream(name: string, payload: string, receiver: Receiver, isCrowd = false): void {
    if (threads.busy(name) >= (reserved.get(name) ?? Number.POSITIVE_INFINITY)) {
      receiver.fail(throttled);
      return;
    }
    const thread = threads.take(name, isCrowd);
    counts[name] = (counts[name] ?? 0) + 1;
    thread.invoke(payload, receiver);
  }

  async function invoke(name: string, payload: string, isCrowd = false): Promise<InvokeResult> {
    const { promise, resolve } = Promise.withResolvers<InvokeResult>();
    stream(name, payload, collect(resolve), isCrowd);
    return promise;
  }

  async function invokeTask(name: string, payload: string, isCrowd: boolean): Promise<InvokeResult> {
    const timer = setTimeout(() => !stopped && threads.startAnother(name), LONG_TASK_MS);
    const result = await invoke(name, payload, isCrowd);
    clearTimeout(timer);
    return result;
  }

  return {
    invoke,
    stream,
    invokeTask,
    invokeLater: (name, payload) =>
      void untilDone(retriesOf(name), async () => (stopped ? undefined : invoke(name, payload))),
    has: (name) => functions.has(name),
    warm: async (name) => {
      await threads.take(name).ready;
    },
    kill: threads.kill,
    counts: () => ({ ...counts }),
    open: () => Object.fromEntries(Object.keys(counts).map((name) => [name, threads.busy(name)])),
    stop: async () => {
      stopped = true;
      await threads.stop();
    },
  };
}

/** Starts threads of the functions. Threads of one function share its log, because a log measures its own file. */
function threadsOf(functions: ReadonlyMap<string, Resource>, options: LambdaHostOptions): StartThread {
  const logs = new Map<string, Log>();
  return (name, retired) => {
    const resource = functions.get(name);
    if (!resource) throw new SetupError(`there is no function ${name}`);
    const log = logs.get(name) ?? createLog(join(options.logFolder, `${name}.log`));
    logs.set(name, log);
    return startWorker({
      ...settingsOf(resource, options.envOf(name)),
      access: options.accessOf(name),
      ask: (message) => options.ask(name, message),
      lost: options.lost,
      background: options.isBackground(name),
      log: log.write,
      retired,
    });
  };
}

/** Reserved concurrency by function; most functions have none. */
function reservedConcurrency(stack: Stack): Map<string, number> {
  const functions = stack.ofType('AWS::Lambda::Function');
  return new Map(
    functions.flatMap(({ id, attributes, properties: { ReservedConcurrentExecutions: most } }) =>
      most === undefined ? [] : [[attributes.ref, numberAt(most, 0, id)] as const],
    ),
  );
}

/** For one asynchronous call: the delay before it is tried again after this error; undefined: it is given up. */
type NextDelayMs = (error: FunctionError) => number | undefined;

/** Tries until a call succeeds or is given up; `call` resolves with undefined once the service stops. */
async function untilDone(
  nextDelayMs: NextDelayMs,
  call: () => Promise<InvokeResult | undefined>,
): Promise<void> {
  for (;;) {
    const result = await call();
    const delayMs = !result || result.ok ? undefined : nextDelayMs(result.error);
    if (delayMs === undefined) return;
    await pause(delayMs, undefined, { ref: false });
  }
}

function asynchronousCalls(stack: Stack): (name: string) => NextDelayMs {
  const configs = new Map(
    stack
      .ofType('AWS::Lambda::EventInvokeConfig')
      .map(({ id, properties }) => [stringAt(properties.FunctionName, id), properties]),
  );
  return (name) => {
    const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = configs.get(name) ?? {};
    const delays = RETRY_DELAYS_MS.slice(0, numberAt(MaximumRetryAttempts, RETRY_DELAYS_MS.length, name));
    const lastAtMs = Date.now() + 1000 * numberAt(MaximumEventAgeInSeconds, MAX_EVENT_AGE_SECONDS, name);
    return (error) => {
      const delayMs = error === throttled ? THROTTLED_RETRY_MS : delays.shift();
      return delayMs === undefined || Date.now() + delayMs > lastAtMs ? undefined : delayMs;
    };
  };
}

function settingsOf(resource: Resource, extra: Record<string, string>) {
  const { id, properties, attributes, assetFolder } = resource;
  const runtime = stringAt(properties.Runtime, `${id}.Runtime`);
  if (!runtime.startsWith('nodejs'))
    throw new SetupError(`${id}: the local runtime does not know the runtime ${runtime}`);
  const [module = 'index', handler = 'handler'] = stringAt(properties.Handler, `${id}.Handler`).split('.');
  const memoryMb = numberAt(properties.MemorySize, 128, `${id}.MemorySize`);
  return {
    file: join(assetFolder ?? '', `${module}.mjs`),
    handler,
    // Next to the bundle, so that both are deleted together.
    compileCache: join(assetFolder ?? '', 'compile-cache'),
    arn: attributes.Arn ?? '',
    memoryMb,
    timeoutSeconds: numberAt(properties.Timeout, 3, `${id}.Timeout`),
    env: { ...runtimeEnv(attributes.ref, memoryMb), ...variablesOf(resource), ...extra },
  };
}

/** The variables of a function in the template. Throws SetupError for one that is no text. */
export function variablesOf({ properties, id }: Resource): Record<string, string> {
  const variables = objectAt(
    objectAt(properties.Environment, `${id}.Environment`).Variables,
    `${id}.Environment`,
  );
  return Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [key, stringAt(value, `${id} variable ${key}`)]),
  );
}

function runtimeEnv(name: string, memoryMb: number): Record<string, string> {
  return {
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    TZ: 'UTC',
  };
}

/** Collects a whole answer. A streamed one becomes prelude, eight NUL bytes and payload, as on the wire. */
function collect(done: (result: InvokeResult) => void): Receiver {
  const parts: Uint8Array[] = [];
  let size = 0;
  const finish = (payload: string) => {
    if (Buffer.byteLength(payload) <= RESPONSE_LIMIT_BYTES) return done({ ok: true, payload });
    const errorMessage = 'Response payload size exceeded maximum allowed payload size (6291556 bytes).';
    done({ ok: false, error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } });
  };
  return {
    result: finish,
    fail: (error) => done({ ok: false, error }),
    head: (prelude) => parts.push(Buffer.from(`${JSON.stringify(prelude)}${'\0'.repeat(8)}`)),
    chunk: async (data) => {
      size += data.length;
      if (size <= RESPONSE_LIMIT_BYTES + 1) parts.push(data);
    },
    end: () => finish(Buffer.concat(parts).toString()),
  };
}

// One worker thread of one function: its start, its invocations, its end.
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { AwsReply } from '../../aws-endpoint/aws-protocol.ts';
import { releaseTurn } from '../../dynamodb/engine/commit-order.ts';
import type { EngineFile } from '../../dynamodb/engine/table-service.ts';
import type { JsonObject } from '../../json-values.ts';
import type {
  AwsAccess,
  AwsMessage,
  FromWorker,
  FunctionError,
  ToWorker,
  WorkerSetup,
} from './worker-messages.ts';
import { workerProgram } from './worker-program.ts';

/** Where the answer of one invocation goes. Exactly one of `result`, `end` and `fail` is called, once. */
export interface Receiver {
  result(payload: string): void;
  fail(error: FunctionError): void;
  head(prelude: JsonObject): void;
  /** Resolves when the client took the chunk: the writer is held back until then. */
  chunk(data: Uint8Array): Promise<void>;
  end(): void;
}

/** What a function's threads need to reach AWS. */
export type FunctionAccess = Omit<AwsAccess, 'engineFile'> & { engineFile: EngineFile | undefined };

/** The settings of a function that its thread needs. */
export interface WorkerOptions extends Omit<WorkerSetup, 'aws'> {
  access: FunctionAccess;
  /** Takes a request to an AWS service. Undefined: the connection is cut. */
  ask(message: AwsMessage): Promise<AwsReply | undefined>;
  /** Called when the thread finds the table's file damaged. */
  lost(reason: string): void;
  arn: string;
  env: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
  log(chunk: Buffer): void;
  /** Called when the thread takes no more invocations. */
  retired(): void;
}

/** A running thread. */
export interface FunctionWorker {
  ready: Promise<FunctionError | undefined>;
  /** Starts an invocation. */
  invoke(payload: string, receiver: Receiver): void;
  isReady(): boolean;
  busy(): number;
  /** When it was ready, or had its last invocation in hand. */
  idleSince(): number;
  /** Lets an idle thread collect its garbage, once after its start and after each spell of work. Resolves when it has. */
  rest(): Promise<void>;
  terminate(reason: string): Promise<void>;
}

interface Pending {
  receiver: Receiver;
  /** Runs from the moment the thread is ready: the time that a function takes to start does not count. */
  timer: NodeJS.Timeout | undefined;
}

/** The receiver of an invocation whose answer is complete. */
const nobody: Receiver = { result() {}, fail() {}, head() {}, async chunk() {}, end() {} };

let lastHolder = 0;

/** Starts a thread. An invocation past the function's timeout fails, and the thread ends with its last other invocation. */
export function startWorker(options: WorkerOptions): FunctionWorker {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let idleSince = Date.now();
  let retired = false;
  let isReady = false;
  /** Whether it has garbage to collect: of its start, or of work. */
  let littered = true;
  let rested: (() => void) | undefined;
  let exitReason: FunctionError | undefined;
  lastHolder += 1;
  const holder = lastHolder;
  const thread = new Worker(workerProgram(), {
    workerData: setupOf(options, holder),
    name: options.env.AWS_LAMBDA_FUNCTION_NAME ?? 'function',
    env: options.env,
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 16 },
  });
  const { promise: ready, resolve: settleReady } = Promise.withResolvers<FunctionError | undefined>();
  const send = (message: ToWorker) => thread.postMessage(message);

  function retire(): void {
    if (retired) return;
    retired = true;
    options.retired();
  }

  function take(id: number): Receiver | undefined {
    const entryOf = pending.get(id);
    if (!entryOf) return undefined;
    clearTimeout(entryOf.timer);
    pending.delete(id);
    idleSince = Date.now();
    if (retired && pending.size === 0) void thread.terminate();
    return entryOf.receiver;
  }

  function receive(message: FromWorker): void {
    if (message.type === 'ready') {
      isReady = true;
      idleSince = Date.now();
      settleReady(undefined);
    } else if (message.type === 'rested') rested?.();
    else if (message.type === 'init_error') end(message.error);
    else if (message.type === 'result') take(message.id)?.result(message.payload);
    else if (message.type === 'error') take(message.id)?.fail(message.error);
    else if (message.type === 'end') endStream(message.id);
    else if (message.type === 'over') take(message.id);
    else if (message.type === 'aws') void askAws(message);
    else if (message.type === 'lost') options.lost(message.reason);
    else if (message.type === 'head') pending.get(message.id)?.receiver.head(message.prelude);
    else void forward(message.id, message.data);
  }

  /** The client has all of it, but the invocation goes on until the function has nothing left to do. */
  function endStream(id: number): void {
    const entryOf = pending.get(id);
    if (!entryOf) return;
    entryOf.receiver.end();
    entryOf.receiver = nobody;
  }

  async function askAws(message: AwsMessage): Promise<void> {
    const reply = await options.ask(message);
    const { status, headers = {}, body = '' } = reply ?? {};
    send({ type: 'aws_reply', id: message.id, status, headers, body: body.toString() });
  }

  async function forward(id: number, data: Uint8Array): Promise<void> {
    await pending.get(id)?.receiver.chunk(data);
    send({ type: 'ack', id, bytes: data.length });
  }

  function end(error: FunctionError): void {
    exitReason ??= error;
    retire();
    settleReady(error);
    rested?.();
    for (const id of [...pending.keys()]) take(id)?.fail(error);
    void thread.terminate();
  }

  thread.on('message', receive);
  thread.on('error', (error: unknown) => end(crash(error)));
  thread.on('exit', (code) => {
    // Whatever the thread was about to write is rolled back by now.
    if (options.access.engineFile) releaseTurn(options.access.engineFile.order, holder);
    end(
      exitReason ?? {
        errorType: 'Runtime.ExitError',
        errorMessage: `Runtime exited with error: exit status ${code}`,
      },
    );
  });
  thread.stdout.on('data', options.log);
  thread.stderr.on('data', options.log);

  function invoke(payload: string, receiver: Receiver): void {
    lastId += 1;
    const id = lastId;
    littered = true;
    pending.set(id, { receiver, timer: undefined });
    if (isReady) begin(id, payload);
    else void ready.then(() => begin(id, payload));
  }

  /** Hands the invocation over, unless the thread has ended meanwhile. */
  function begin(id: number, payload: string): void {
    const waiting = pending.get(id);
    if (!waiting) return;
    const requestId = randomUUID();
    const timeoutMs = options.timeoutSeconds * 1000;
    waiting.timer = setTimeout(() => {
      retire();
      take(id);
      waiting.receiver.fail({
        errorType: 'Sandbox.Timedout',
        errorMessage: `${requestId} Task timed out after ${options.timeoutSeconds.toFixed(2)} seconds`,
      });
    }, timeoutMs);
    send({
      type: 'invoke',
      id,
      payload,
      request_id: requestId,
      deadline_ms: Date.now() + timeoutMs,
      function_arn: options.arn,
    });
  }

  async function rest(): Promise<void> {
    if (!littered || retired || pending.size > 0) return;
    littered = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    rested = resolve;
    send({ type: 'rest' });
    await promise;
  }

  async function terminate(reason: string): Promise<void> {
    end({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: ${reason}` });
    await thread.terminate();
  }

  return {
    ready,
    isReady: () => isReady,
    invoke,
    rest,
    terminate,
    busy: () => pending.size,
    idleSince: () => idleSince,
  };
}

function setupOf(
  { file, handler, compileCache, background, access }: WorkerOptions,
  holder: number,
): WorkerSetup {
  const engineFile = access.engineFile && { ...access.engineFile, holder };
  return { file, handler, compileCache, background, aws: { ...access, engineFile } };
}

function crash(error: unknown): FunctionError {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: ${text}` };
}

// One worker thread of one function: its start, its invocations and its end.
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

/** Receives the answer of one invocation. Exactly one of `result`, `end` and `fail` is called, once. */
export interface Receiver {
  result(payload: string): void;
  fail(error: FunctionError): void;
  head(prelude: JsonObject): void;
  /** Resolves when the client has taken the chunk; the writer waits until then. */
  chunk(data: Uint8Array): Promise<void>;
  end(): void;
}

/** What a function's threads need to reach AWS. */
export type FunctionAccess = Omit<AwsAccess, 'engineFile'> & { engineFile: EngineFile | undefined };

/** The settings of a function that its thread needs. */
export interface WorkerOptions extends Omit<WorkerSetup, 'aws'> {
  access: FunctionAccess;
  /** Sends a request to an AWS service. Undefined: the connection is cut. */
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
  /** Invocations in flight. */
  busy(): number;
  /** When it became ready, or its last invocation ended. */
  idleSince(): number;
  /** Lets an idle thread collect garbage, once after its start and once after each invocation. Resolves when it has. */
  collectGarbage(): Promise<void>;
  terminate(reason: string): Promise<void>;
}

interface Invocation {
  receiver: Receiver;
  /** Starts when the thread is ready: a function's start does not count towards its timeout. */
  timer: NodeJS.Timeout | undefined;
}

/** The receiver of an invocation whose answer is complete. */
const ignored: Receiver = { result() {}, fail() {}, head() {}, async chunk() {}, end() {} };

/** V8's default lets the young generation of each thread grow to 48 MB. */
const YOUNG_GENERATION_MB = 16;

let lastHolder = 0;

/** Starts a thread. An invocation past the function's timeout fails; the thread ends after its other invocations. */
export function startWorker(options: WorkerOptions): FunctionWorker {
  return new FunctionThread(options);
}

class FunctionThread implements FunctionWorker {
  readonly ready: Promise<FunctionError | undefined>;
  readonly #options: WorkerOptions;
  readonly #thread: Worker;
  readonly #settleReady: (error: FunctionError | undefined) => void;
  readonly #inFlight = new Map<number, Invocation>();
  #lastId = 0;
  #idleSince = Date.now();
  #isReady = false;
  #isRetired = false;
  #hasGarbage = true;
  #collected: (() => void) | undefined;
  #exitReason: FunctionError | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<FunctionError | undefined>();
    this.ready = promise;
    this.#settleReady = resolve;
    lastHolder += 1;
    const holder = lastHolder;
    this.#thread = new Worker(workerProgram(), {
      workerData: setupOf(options, holder),
      name: options.env.AWS_LAMBDA_FUNCTION_NAME ?? 'function',
      env: options.env,
      stdout: true,
      stderr: true,
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: options.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    this.#thread.on('message', (message: FromWorker) => this.#receive(message));
    this.#thread.on('error', (error: unknown) => this.#end(exitError(describe(error))));
    this.#thread.on('exit', (code) => {
      // SQLite has rolled back what the thread was about to write.
      if (options.access.engineFile) releaseTurn(options.access.engineFile.order, holder);
      this.#end(this.#exitReason ?? exitError(`exit status ${code}`));
    });
    this.#thread.stdout.on('data', options.log);
    this.#thread.stderr.on('data', options.log);
  }

  isReady(): boolean {
    return this.#isReady;
  }

  busy(): number {
    return this.#inFlight.size;
  }

  idleSince(): number {
    return this.#idleSince;
  }

  invoke(payload: string, receiver: Receiver): void {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#hasGarbage = true;
    this.#inFlight.set(id, { receiver, timer: undefined });
    if (this.#isReady) this.#begin(id, payload);
    else void this.ready.then(() => this.#begin(id, payload));
  }

  async collectGarbage(): Promise<void> {
    if (!this.#hasGarbage || this.#isRetired || this.busy() > 0) return;
    this.#hasGarbage = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#collected = resolve;
    this.#send({ type: 'collect_garbage' });
    await promise;
  }

  async terminate(reason: string): Promise<void> {
    this.#end(exitError(reason));
    await this.#thread.terminate();
  }

  #send(message: ToWorker): void {
    this.#thread.postMessage(message);
  }

  /** Hands the invocation over, unless the thread has ended in the meantime. */
  #begin(id: number, payload: string): void {
    const invocation = this.#inFlight.get(id);
    if (!invocation) return;
    const { arn, timeoutSeconds } = this.#options;
    const requestId = randomUUID();
    const timeoutMs = timeoutSeconds * 1000;
    invocation.timer = setTimeout(() => {
      this.#retire();
      this.#take(id)?.fail({
        errorType: 'Sandbox.Timedout',
        errorMessage: `${requestId} Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
      });
    }, timeoutMs);
    this.#send({
      type: 'invoke',
      id,
      payload,
      request_id: requestId,
      deadline_ms: Date.now() + timeoutMs,
      function_arn: arn,
    });
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        this.#becomeReady();
        break;
      case 'init_error':
        this.#end(message.error);
        break;
      case 'result':
        this.#take(message.id)?.result(message.payload);
        break;
      case 'error':
        this.#take(message.id)?.fail(message.error);
        break;
      case 'head':
        this.#inFlight.get(message.id)?.receiver.head(message.prelude);
        break;
      case 'chunk':
        void this.#forward(message.id, message.data);
        break;
      case 'stream_ended':
        this.#endStream(message.id);
        break;
      case 'invocation_ended':
        this.#take(message.id);
        break;
      case 'aws':
        void this.#askAws(message);
        break;
      case 'table_damaged':
        this.#options.lost(message.reason);
        break;
      case 'garbage_collected':
        this.#collected?.();
        break;
    }
  }

  #becomeReady(): void {
    this.#isReady = true;
    this.#idleSince = Date.now();
    this.#settleReady(undefined);
  }

  /** Removes an invocation that has ended; returns its receiver. */
  #take(id: number): Receiver | undefined {
    const invocation = this.#inFlight.get(id);
    if (!invocation) return undefined;
    clearTimeout(invocation.timer);
    this.#inFlight.delete(id);
    this.#idleSince = Date.now();
    if (this.#isRetired && this.busy() === 0) void this.#thread.terminate();
    return invocation.receiver;
  }

  /** The client has the whole answer, but the invocation lasts until the function has nothing left to do. */
  #endStream(id: number): void {
    const invocation = this.#inFlight.get(id);
    if (!invocation) return;
    invocation.receiver.end();
    invocation.receiver = ignored;
  }

  async #askAws(message: AwsMessage): Promise<void> {
    const reply = await this.#options.ask(message);
    const { status, headers = {}, body = '' } = reply ?? {};
    this.#send({ type: 'aws_reply', id: message.id, status, headers, body: body.toString() });
  }

  async #forward(id: number, data: Uint8Array): Promise<void> {
    await this.#inFlight.get(id)?.receiver.chunk(data);
    this.#send({ type: 'ack', id, bytes: data.length });
  }

  #retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#options.retired();
  }

  #end(error: FunctionError): void {
    this.#exitReason ??= error;
    this.#retire();
    this.#settleReady(error);
    this.#collected?.();
    for (const id of [...this.#inFlight.keys()]) this.#take(id)?.fail(error);
    void this.#thread.terminate();
  }
}

function setupOf(
  { file, handler, compileCache, background, access }: WorkerOptions,
  holder: number,
): WorkerSetup {
  const engineFile = access.engineFile && { ...access.engineFile, holder };
  return { file, handler, compileCache, background, aws: { ...access, engineFile } };
}

const describe = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

const exitError = (reason: string): FunctionError => ({
  errorType: 'Runtime.ExitError',
  errorMessage: `Runtime exited with error: ${reason}`,
});

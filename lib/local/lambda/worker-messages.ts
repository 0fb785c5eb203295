// The messages between the Lambda host and the thread that runs one function.
import type { JsonObject } from '../json-values.ts';

/** A function's failure, in the shape that Lambda hands to callers. */
export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** The data that a thread starts with. */
export interface WorkerSetup {
  /** Absolute path of the bundle and the export that is the handler. */
  file: string;
  handler: string;
  /** Folder of what V8 has compiled of it: the function's next thread starts sooner, and in less memory. */
  compileCache: string;
  /** Host names that stand for Unix sockets: HTTP to the name goes to the file. */
  sockets: Readonly<Record<string, string>>;
  /** Other threads go before it. */
  background: boolean;
}

export interface InvokeMessage {
  type: 'invoke';
  id: number;
  payload: string;
  request_id: string;
  deadline_ms: number;
  function_arn: string;
}

export type ToWorker =
  | InvokeMessage
  | { type: 'ack'; id: number; bytes: number }
  /** Keep what is compiled and collect your garbage; answered by `rested`. */
  | { type: 'rest' };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'rested' }
  | { type: 'init_error'; error: FunctionError }
  | { type: 'result'; id: number; payload: string }
  | { type: 'error'; id: number; error: FunctionError }
  | { type: 'head'; id: number; prelude: JsonObject }
  | { type: 'chunk'; id: number; data: Uint8Array }
  | { type: 'end'; id: number }
  /** A streamed invocation is over, some time after its stream has ended. */
  | { type: 'over'; id: number };

// The messages between the Lambda host and the thread that runs one function.
import type { SharedOrder } from '../../dynamodb/engine/commit-order.ts';
import type { Statement } from '../../iam/statements.ts';
import type { JsonObject } from '../../json-values.ts';
import type { TextRequest } from './in-process-client.ts';

/** A function's failure, as Lambda returns it to callers. */
export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** What a thread starts with. */
export interface WorkerSetup {
  /** Absolute path of the bundle and the export that is the handler. */
  file: string;
  handler: string;
  /** V8's compile cache of the bundle: the function's next thread starts sooner and in less memory. */
  compileCache: string;
  aws: AwsAccess;
  /** Whether it yields the processor to other threads. */
  background: boolean;
}

/** What a thread needs to reach AWS. */
export interface AwsAccess {
  functionName: string;
  /** The function's role and its policy statements. */
  role: string;
  statements: readonly Statement[];
  /** The table's file, if the thread opens it itself; `holder` identifies the thread among all that do. */
  engineFile: { file: string; order: SharedOrder; holder: number } | undefined;
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
  /** Write the compile cache and collect garbage; answered by `garbage_collected`. */
  | { type: 'collect_garbage' }
  | AwsReplyMessage;

/** The reply of an AWS service; no status means that the connection was cut. */
export interface AwsReplyMessage {
  type: 'aws_reply';
  id: number;
  status: number | undefined;
  headers: Record<string, string>;
  body: string;
}

/** A request to an AWS service. */
export interface AwsMessage extends TextRequest {
  type: 'aws';
  id: number;
  service: string;
}

export type FromWorker =
  | { type: 'ready' }
  | { type: 'garbage_collected' }
  | { type: 'init_error'; error: FunctionError }
  | { type: 'result'; id: number; payload: string }
  | { type: 'error'; id: number; error: FunctionError }
  | { type: 'head'; id: number; prelude: JsonObject }
  | { type: 'chunk'; id: number; data: Uint8Array }
  | { type: 'stream_ended'; id: number }
  /** The end of a streamed invocation, after that of its stream. */
  | { type: 'invocation_ended'; id: number }
  | AwsMessage
  | { type: 'table_damaged'; reason: string };

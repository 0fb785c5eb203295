// The model port: what steps, the planner and the dossier writer ask of a model, and what it returns.
import type { ModelFault } from '#contract/model-faults.ts';
import type { CallOutcomeName } from '#contract/model-outcomes.ts';
import type { InputOf, OutputOf, TaskKind } from './tasks/task-registry.ts';

/** Whom a call asks, and its position within its run, which only the offline model's triggers read. */
export interface CallContext {
  /** One of the names of its task; absent: the first. */
  endpoint?: string;
  /** 1 on the step's first execution in this run, 2 after a resume. */
  step_attempt: number;
  /** Calls this step made before this one, retries included. */
  calls_before: number;
  /** Position of the item in a transform. */
  item_index?: number;
}

/** Tokens of one reply, as reported. Cached input is part of the input; reasoning is on top of the output. */
export interface TokenUsage {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  thinking_tokens: number;
}

/** A request that was sent to a model, and what came of it. */
export interface Exchange {
  /** Epoch ms. */
  at: number;
  ms: number;
  /** The name of the model in the price table. */
  model: string;
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  /** As it came; null: no answer. */
  answer: string | null;
  /** null: without readable usage, or no reply came. */
  usage: TokenUsage | null;
  outcome: CallOutcomeName;
}

/** How the caller bounds and counts one attempt. */
export interface Attempt {
  /** Ends the attempt before the model's own time limit. */
  signal?: AbortSignal;
  /**
   * Receives the usage of every reply as it comes in, before anything reads its text: whatever becomes of the reply, it
   * is paid for. null: without readable usage, so unpriced. A repair is a second reply.
   */
  onReply(usage: TokenUsage | null): void;
  /** Receives each request, also one that failed, once its outcome is known. */
  onExchange?(exchange: Exchange): void;
  /** Awaited once the call is not waiting for others any more; what it throws ends it before anything is sent. */
  begins?(): Promise<void>;
  /** Called when an answer could not be used, before the model is asked once more. */
  onRepair?(): void;
  /** Lets requests outlive `signal`: a reply that comes too late to be used still counts. */
  late?: LateReplies;
}

interface LateReplies {
  /** Ends the requests that have no reply by then. */
  signal: AbortSignal;
  /** Receives each request that is sent; it settles once its reply has counted. */
  onRequest(reply: Promise<unknown>): void;
}

/** How much fits in one call. */
export interface ModelLimits {
  /** Tokens of input and output together. */
  context_tokens: number;
  max_output_tokens: number;
}

/** A model. `call` makes one attempt (callers retry) and throws only ModelError. */
export interface Model {
  /** The name of its first endpoint, in the price table too. */
  readonly name: string;
  /** The names of all endpoints whose calls are counted. */
  readonly names: readonly string[];
  /** The endpoints that answer calls of this task, by their names, in the order in which they are asked. */
  namesFor(task: TaskKind): readonly string[];
  /** Its embedding's name in the price table; null when embedding calls no provider. */
  readonly embeddingName: string | null;
  /** The model that makes its vectors, which are stored with its name. */
  readonly embeddingModel: string;
  /** The length of its vectors, where a setting says it. */
  readonly embeddingDimensions?: number | undefined;
  call<K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    context: CallContext,
    attempt: Attempt,
  ): Promise<OutputOf<K>>;
  /** Calls of this task at once, of one process, at its first endpoint. */
  parallel(task: TaskKind): number;
  /** How much fits in a call of this task at all its endpoints, which may be asked the first time. Never rejects. */
  limits(task: TaskKind): Promise<ModelLimits>;
  /** One vector per text, in order. */
  embed(texts: string[], attempt: Attempt): Promise<number[][]>;
}

/** Why a call failed. */
export class ModelError extends Error {
  readonly fault: ModelFault;
  /** Whether another try may succeed. */
  readonly transient: boolean;
  /** How long the provider asks to wait before it. */
  readonly retry_after_ms: number | undefined;
  constructor(
    message: string,
    fault: ModelFault,
    {
      transient = fault.cause === 'away',
      retry_after_ms,
    }: { transient?: boolean; retry_after_ms?: number } = {},
  ) {
    super(message);
    this.name = 'ModelError';
    this.fault = fault;
    this.transient = transient;
    this.retry_after_ms = retry_after_ms;
  }
}

/** An answer of which nothing can be made. */
export const unusable = (message: string): ModelError => new ModelError(message, { cause: 'unusable' });

/** The provider refused the key before answering anything: the call may be repeated with another key. */
export class KeyRefused extends ModelError {}

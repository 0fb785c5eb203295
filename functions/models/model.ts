// The model port: what steps, the planner and the dossier writer ask of a model, and what it returns.
import type { InputOf, OutputOf, TaskKind } from './tasks/index.ts';

/** The position of a call within its run. Only the offline model's triggers read it. */
export interface CallContext {
  /** 1 on the step's first execution in this run, 2 after a resume. */
  step_attempt: number;
  /** Calls this step made before this one, retries included. */
  calls_before: number;
  /** Position of the item in a transform. */
  item_index?: number;
}

/** Tokens of one successful call, as reported. Cached input is part of the input; reasoning is on top of the output. */
export interface TokenUsage {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  thinking_tokens: number;
}

/** `usages`: one entry per answered physical call (a repair is a second one); null if unreported: unpriced. */
export interface ModelReply<Output> {
  output: Output;
  usages: (TokenUsage | null)[];
}

/** One vector per text, in order. `usages` as in a reply; empty when no provider was called (offline). */
export interface Embeddings {
  vectors: number[][];
  usages: (TokenUsage | null)[];
}

/** A model. `call` makes one attempt (callers retry) and throws only ModelError. */
export interface Model {
  /** Its name in the price table. */
  readonly name: string;
  /** Its embedding's name in the price table; null when embedding calls no provider. */
  readonly embeddingName: string | null;
  call<K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<ModelReply<OutputOf<K>>>;
  embed(texts: string[], signal: AbortSignal): Promise<Embeddings>;
}

/**
 * Why a call failed. A call that failed at the provider costs nothing; `usages` lists the physical calls that were
 * answered with unusable output.
 */
export class ModelError extends Error {
  readonly transient: boolean;
  readonly usages: (TokenUsage | null)[];
  constructor(message: string, transient: boolean, usages: (TokenUsage | null)[] = []) {
    super(message);
    this.name = 'ModelError';
    this.transient = transient;
    this.usages = usages;
  }
}

/** The provider refused the key before answering anything: the call may be repeated with another key. */
export class KeyRefused extends ModelError {}

// The model port: what a step, the planner and the dossier writer may ask of a model, and what comes back.
import type { InputOf, OutputOf, TaskKind } from './tasks/index.ts';

/** Where in a run a call stands; the offline model's triggers look at it, nothing else does. */
export interface CallContext {
  /** 1 the first time the step runs in this run, 2 after a resume. */
  step_attempt: number;
  /** How many calls (tries included) this step made before this one; 0 for the first. */
  calls_before: number;
  /** Position of the item in a transform. */
  item_index?: number;
}

/** Tokens of one successful call as the provider reports them; cached input is part of the input, thinking comes on top of output. */
export interface TokenUsage {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  thinking_tokens: number;
}

/** `usages` has one entry per physical call that the provider answered (a repair is a second one); null where it reported no usage: unpriced. */
export interface ModelReply<Output> {
  output: Output;
  usages: (TokenUsage | null)[];
}

/** One vector per text, same order. `usages` as for a reply; empty when the embedding was no provider call (offline). */
export interface Embeddings {
  vectors: number[][];
  usages: (TokenUsage | null)[];
}

/** A model. One `call` is one try (retries are the caller's) and throws only ModelError. */
export interface Model {
  /** Name the price table knows it by. */
  readonly name: string;
  /** Name the price table knows the embeddings by; null when embedding calls no provider. */
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
 * Why a call failed. A transient one may be tried again. A call that failed at the provider costs nothing; `usages` holds the physical
 * calls that the provider did answer, with output that could not be used.
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

/** The provider refused the key of a call, and had answered nothing of it before: with another key the call may be made anew. */
export class KeyRefused extends ModelError {}

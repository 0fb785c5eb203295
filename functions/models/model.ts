// The model port: what a step, the planner and the dossier writer may ask of a model, and what comes back.
import type { Json, JsonObject } from '#contract/json.ts';
import type { StepKind } from '#contract/steps.ts';

/** One record, note, artifact or passage as a model is shown it. */
export interface ModelItem {
  id: string;
  /** Entity type, or `note`, `relationship`, `artifact`, `text`. */
  type: string;
  name: string;
  fields: JsonObject;
}

/** What is known of a workspace when a query is read: its record types, their fields and how many there are. */
export interface WorkspaceShape {
  types: { type: string; count: number; fields: string[] }[];
}

/** A plan as a model drafts it; checked like a client's plan before it is used. */
export interface PlanDraft {
  title: string;
  steps: { kind: StepKind; title: string; instructions?: string; params: JsonObject }[];
}

export interface Tasks {
  /** Reads a query before the run exists. `candidates` are records whose names occur in the query. */
  understand: {
    input: { query: string; strict_mode: boolean; shape: WorkspaceShape; candidates: ModelItem[] };
    output:
      | { verdict: 'clear'; interpretation: string }
      | {
          verdict: 'ambiguous';
          reason: 'multiple_interpretations' | 'missing_subject' | 'too_broad';
          interpretation: string;
        }
      /** The query names a record that several records (or none) answer to. */
      | { verdict: 'entity_ambiguous'; question: string; candidate_ids: string[]; interpretation: string };
  };
  /** Chooses the steps for a query. Output never contains triggers. */
  plan: {
    input: { query: string; interpretation: string; shape: WorkspaceShape; candidates: ModelItem[] };
    output: PlanDraft;
  };
  /** One batch of at most 25 items; one verdict per item, same order. */
  filter: {
    input: { instructions: string; items: ModelItem[] };
    output: { verdicts: { keep: boolean; score: number }[] };
  };
  transform: {
    input: { instructions: string; item: ModelItem; output_fields: string[] };
    output: { fields: Record<string, Json> };
  };
  analyze: {
    input: { instructions: string; focus: string; items: ModelItem[]; context: string[]; max_tokens: number };
    output: { findings: string };
  };
  /** Ranks candidate records by how much they add to the items at hand; ids of candidates, best first. */
  discover: {
    input: {
      instructions: string;
      items: ModelItem[];
      candidates: (ModelItem & { links: string[] })[];
      limit: number;
    };
    output: { picks: { id: string; score: number; reason: string }[] };
  };
  /** Writes the answer. `text_titles` are the text artifacts wanted, in order; `table_title` is set when a table is wanted. */
  reconstitute: {
    input: {
      instructions: string;
      run_title: string;
      items: ModelItem[];
      context: string[];
      text_titles: string[];
      table_wanted: boolean;
      max_tokens: number;
    };
    output: { message: string; texts: { title: string; content: string }[]; table_title: string };
  };
  /** One section of a dossier: markdown without the heading. */
  dossier_section: {
    input: {
      heading: string;
      entity: ModelItem;
      relationships: { name: string; type: string; relationship_type: string; role: string | null }[];
      recent_activity: { at: number; text: string }[];
      max_tokens: number;
    };
    output: { content: string };
  };
}
export type TaskKind = keyof Tasks;

export type InputOf<K extends TaskKind> = Tasks[K]['input'];
export type OutputOf<K extends TaskKind> = Tasks[K]['output'];

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
  /** Name the price table knows the embeddings by; null when embedding is no provider call. */
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

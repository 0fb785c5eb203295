// The definition of a step kind: a function of its params and the run so far that returns items, texts and artifacts.
import type { CardContent } from '#contract/artifacts.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import type { RunOutput } from '#contract/output.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import type { Warning } from '#contract/runs.ts';
import type { ParamsOf, StepKind } from '#contract/steps.ts';
import type { ModelError } from '#models/model.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import type { Item, Sources } from '#sources/source-port.ts';

export type { Item, Sources };

/** The ids of the items of a source in the rows of a table, whose cells have no link to them; null for other rows. */
type RowIds = (string | null)[];

/** An artifact as a step returns it; the engine adds id, run and time. */
export type ArtifactDraft =
  | {
      kind: 'table';
      title: string;
      columns: string[];
      rows: Record<string, Json>[];
      row_ids?: RowIds | undefined;
    }
  | { kind: 'text'; title: string; content: string; subject_id?: string }
  | { kind: 'entity_card'; title: string; content: CardContent };

interface NoteDraft {
  title: string;
  content: string;
  entity_id: string | null;
}

/** What a completed step leaves to later steps and the run; stored as its checkpoint. */
export interface StepOutput {
  /** Absent for kinds that yield no items (analyze, reconstitute). */
  items?: Item[];
  /** Steps whose items these replace (filter, transform); the default context skips the replaced ones. */
  replaces?: number[];
  /** Present when only the first matching records were returned or judged; a live source may not say how many match. */
  part?: { matched?: number | undefined; taken: number };
  /** What was read and by what, when nothing of it was kept: a sentence for the message. */
  in_vain?: string;
  /** How many records were left out for what they lack: a sentence for the message. */
  left_out?: string;
  /** Findings or injected text that later steps read. */
  text?: string;
  /** The run's narrative answer; the last one wins. */
  message?: string;
  artifacts?: ArtifactDraft[];
  notes?: NoteDraft[];
  /** The answer as data. Stored for the run, never in a checkpoint. */
  output?: RunOutput;
}

/** What `step.progress` says of calls under way. */
export interface CallProgress {
  /** The number of items of each call. */
  sizes: number[];
  message: string;
}

/** A step's input and its access to the run. */
export interface StepContext<K extends StepKind = StepKind> {
  index: number;
  /** Indexes of all earlier steps, ascending; may be sparse. */
  earlier: number[];
  title: string;
  /** '' when the plan has none. */
  instructions: string;
  params: ParamsOf<K>;
  run: {
    title: string;
    /** What was asked, of a run by a query. */
    query?: string;
    unlimited_transform: boolean;
    /** Whether its model rehearses: it writes what the items say, by rules. */
    simulated: boolean;
    now: number;
    /** Of a run that answers as data: its steps keep of each value what wrote it. */
    output_schema?: OutputSchema;
  };
  /** The fields that the plan names, in the order of columns. */
  namedFields(): string[];
  /** Whether this step writes the answer as data. */
  writes_output: boolean;
  sources: Sources;
  /** Output of an earlier step; empty when that step left nothing. Never throws. */
  outputOf(index: number): Promise<StepOutput>;
  /** One metered model call with up to three attempts. Throws ModelError when it fails for good. */
  call<T extends TaskKind>(task: T, input: InputOf<T>): Promise<OutputOf<T>>;
  /**
   * Parallel model calls, each journaled under its position, so that a later slice or a restarted task does not repeat
   * the completed ones. Positions go on from those of an earlier `call` or `callEach` of the step. A call that failed
   * for good returns its error.
   */
  callEach<T extends TaskKind>(
    task: T,
    inputs: InputOf<T>[],
    progress?: CallProgress,
  ): Promise<({ ok: true; output: OutputOf<T> } | { ok: false; error: ModelError })[]>;
  /** How many bytes the prompt of a call may have, the same in each slice of the step; Infinity: any number. */
  bytesFor(task: TaskKind): Promise<number>;
  warn(warning: Omit<Warning, 'step_index'>): void;
  /** Records that one item failed while the step continues. */
  itemFailed(error: ModelError, item: JsonObject): void;
}

export type Step<K extends StepKind> = (context: StepContext<K>) => Promise<StepOutput>;

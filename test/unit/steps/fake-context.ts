// A step's surroundings for tests: earlier outputs given as values, a model made of plain functions, everything logged
// recorded.
import type { JsonObject } from '#contract/json.ts';
import type { Warning } from '#contract/runs.ts';
import type { ParamsOf, StepKind } from '#contract/steps.ts';
import { ModelError, unusable } from '#models/model.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import type { Item, Sources, StepContext, StepOutput } from '#steps/step.ts';
import { sourcesOver } from '../sources/memory-readers.ts';

export const NOW = 1_800_000_000_000;

export type StubModel = { [T in TaskKind]?: (input: InputOf<T>, position: number) => OutputOf<T> };

export interface Given {
  index?: number;
  title?: string;
  instructions?: string;
  run?: Partial<StepContext['run']>;
  sources?: Sources;
  outputs?: Record<number, StepOutput>;
  model?: StubModel;
  prompt_bytes?: number;
  named_fields?: string[];
}

export interface Fake<K extends StepKind> extends StepContext<K> {
  warnings: Omit<Warning, 'step_index'>[];
  failures: { message: string; details: JsonObject }[];
  /** Inputs of the model calls made. */
  calls: unknown[];
}

/** The context of a step of this kind; `_kind` fixes the type of its params. */
export function contextOf<K extends StepKind>(_kind: K, params: ParamsOf<K>, given: Given = {}): Fake<K> {
  const {
    index = 9,
    title = 'A step',
    instructions = '',
    sources = sourcesOver({}),
    outputs = {},
    model = {},
    prompt_bytes = Number.POSITIVE_INFINITY,
  } = given;
  const fake: Pick<Fake<K>, 'warnings' | 'failures' | 'calls'> = { warnings: [], failures: [], calls: [] };
  function call<T extends TaskKind>(task: T, input: InputOf<T>, position: number): OutputOf<T> {
    fake.calls.push(input);
    const answer = model[task];
    if (!answer) throw unusable(`no answer for ${task}`);
    return answer(input, position);
  }
  return {
    ...fake,
    index,
    earlier: Object.keys(outputs).map(Number),
    title,
    instructions,
    params,
    run: { title: 'The run', unlimited_transform: false, simulated: true, now: NOW, ...given.run },
    namedFields: () => given.named_fields ?? [],
    writes_output: given.run?.output_schema !== undefined,
    sources,
    outputOf: async (step) => outputs[step] ?? {},
    call: async (task, input) => call(task, input, 0),
    callEach: async (task, inputs) =>
      inputs.map((input, position) => {
        try {
          return { ok: true, output: call(task, input, position) };
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          return { ok: false, error };
        }
      }),
    bytesFor: async () => prompt_bytes,
    warn: (warning) => fake.warnings.push(warning),
    itemFailed: ({ message }, details) => fake.failures.push({ message, details }),
  };
}

/** Plain items, named by their ids. */
export function items(...ids: string[]): Item[] {
  return ids.map((id) => ({ id, kind: 'entity', type: 'company', name: id, fields: { letter: id } }));
}

export function ids(output: StepOutput): string[] | undefined {
  return output.items?.map(({ id }) => id);
}

/** `count` items, i0 onward. */
export function many(count: number): Item[] {
  return items(...Array.from({ length: count }, (_, i) => `i${i}`));
}

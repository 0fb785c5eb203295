// The answer of a run with an `output_schema`: a model says which values make the data, the service fills them in.
import { valuesByPath } from '#contract/field-paths.ts';
import { limits } from '#contract/limits.ts';
import type { RunOutput } from '#contract/output.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { ModelError } from '#models/model.ts';
import type { YieldingStep } from '#models/tasks/reconstitute-data-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { cut } from '#platform/cut.ts';
import type { OutputIssue } from './output/conform.ts';
import { type FilledIn, fillIn } from './output/fill-in.ts';
import { namedPaths } from './output/named-paths.ts';
import type { Context, ContextItem } from './output/read-field.ts';
import type { Item, StepContext } from './step.ts';
import type { Gathered } from './step-input.ts';

type Answer = OutputOf<'reconstitute_data'>;

interface Asked {
  context: StepContext<'reconstitute'>;
  schema: OutputSchema;
  gathered: Gathered;
  asked: InputOf<'reconstitute'>;
  /** The run's message of an answer. */
  messageOf(answer: OutputOf<'reconstitute'>): string;
}

/** No data that conform could be made of the model's answer. */
export class OutputInvalid extends Error {
  readonly issues: OutputIssue[];
  constructor(issues: OutputIssue[]) {
    super('the answer makes no data that conform to output_schema');
    this.name = 'OutputInvalid';
    this.issues = issues;
  }
}

/**
 * One model call, which a provider's model may have to repair once (rules.md: output 4). Warns of what is left out.
 * Throws OutputInvalid, ModelError.
 */
export async function answerAsData({
  context,
  schema,
  gathered,
  asked,
  messageOf,
}: Asked): Promise<{ answer: Answer; output: RunOutput }> {
  const yielded = await yieldedBy(context, gathered);
  const filled = async (answer: Answer) => {
    const { references } = answer;
    const hand = await handOf(context, yielded, namedPaths(schema, references));
    // What the run keeps as its message.
    const message = cut(messageOf(answer), limits.message_max_characters);
    return fillIn(schema, references, { ...hand, message });
  };
  // Those of the latest answer that could be read.
  let issues: OutputIssue[] = [];
  const answer = await context
    .call('reconstitute_data', {
      ...asked,
      output_schema: schema,
      steps: yieldingSteps(yielded),
      faultsIn: async (given) => {
        ({ issues } = await filled(given));
        return complaintOf(issues);
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof ModelError && error.fault.cause === 'unusable')) throw error;
      throw new OutputInvalid(issues.length > 0 ? issues : [{ path: '', message: error.message }]);
    });
  const result = await filled(answer);
  if (result.issues.length > 0) throw new OutputInvalid(result.issues);
  warnOf(context, result);
  return { answer, output: result.output };
}

/** What earlier steps yield: each item with its step. */
interface Yielded {
  items: { item: Item; step_index: number }[];
  steps: ReadonlyMap<number, Item[]>;
}

async function yieldedBy(
  { earlier, outputOf, params }: StepContext<'reconstitute'>,
  gathered: Gathered,
): Promise<Yielded> {
  const named = params.context_step_ids;
  const steps = new Map<number, Item[]>();
  for (const step_index of named ? earlier.filter((index) => named.includes(index)) : earlier) {
    const { items } = await outputOf(step_index);
    if (items) steps.set(step_index, items);
  }
  return {
    items: gathered.items.map((item) => ({ item, step_index: gathered.steps.get(item.id) ?? 0 })),
    steps,
  };
}

const NO_PATHS: ContextItem['by_path'] = new Map();

/** The same with the values at the named paths of each item. */
async function handOf(
  { sources }: Pick<StepContext, 'sources'>,
  yielded: Yielded,
  prefixes: ReadonlySet<string>,
): Promise<Omit<Context, 'message'>> {
  const read = (items: Yielded['items']): Promise<ContextItem[]> =>
    sources.readEach(items, ({ item, step_index }) => ({
      item,
      step_index,
      by_path: prefixes.size > 0 ? valuesByPath(item.fields, prefixes) : NO_PATHS,
    }));
  const steps = new Map<number, ContextItem[]>();
  for (const [step_index, items] of yielded.steps)
    steps.set(step_index, await read(items.map((item) => ({ item, step_index }))));
  return { items: await read(yielded.items), steps };
}

function yieldingSteps({ items, steps }: Yielded): YieldingStep[] {
  return [...steps].map(([step_index, yielded]) => {
    const [only, another] = yielded;
    const number = only && !another ? items.findIndex(({ item }) => item.id === only.id) : -1;
    if (!only || number < 0) return { step_index, items: yielded.length };
    const { count_field } = only;
    return { step_index, items: 1, only_item: number, ...(count_field !== undefined && { count_field }) };
  });
}

/** In words that a model can act on. */
function complaintOf(issues: OutputIssue[]): string | undefined {
  if (issues.length === 0) return undefined;
  return issues.map(({ path, message }) => `${path || 'The data'}: ${message}.`).join('\n');
}

function warnOf({ warn }: Pick<StepContext, 'warn'>, { left_out, truncated }: FilledIn): void {
  for (const details of left_out)
    warn({
      code: 'output_incomplete',
      message: `${details.left_out} of the elements of ${details.path} were left out: they lack a value that the schema needs, or are fewer than it takes.`,
      details,
    });
  for (const { path, matched, returned } of truncated)
    warn({
      code: 'results_truncated',
      message: `The output has the first ${returned} of ${matched} elements of ${path}.`,
      details: { matched, returned, path },
    });
}

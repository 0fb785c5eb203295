// The answer of a run as data: which step writes it, and what the envelope shows of it.
import { expandSchema } from '#contract/expand-schema.ts';
import type { RunOutput } from '#contract/output.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import type { RunInput } from '#contract/runs.ts';
import type { StepKind } from '#contract/steps.ts';
import { readOutput } from '#store/runs/outputs.ts';
import type { RunView } from '#store/runs/run-views.ts';

/** The schema of a run that answers as data, in plain keywords. */
export function schemaOf(input: RunInput): OutputSchema | undefined {
  if (input.input_type === 'preset' || !input.output_schema) return undefined;
  return expandSchema(input.output_schema).schema;
}

/** The position of the step that writes the output: the last `reconstitute`; -1 without one (rules.md: output 2). */
export function outputPosition(steps: readonly { kind: StepKind }[]): number {
  return steps.findLastIndex(({ kind }) => kind === 'reconstitute');
}

/** The output of a run: undefined without a schema, null until it is known. */
export async function outputOf({ run, input }: RunView): Promise<RunOutput | null | undefined> {
  if (input.input_type === 'preset' || !input.output_schema) return undefined;
  const step = run.steps[outputPosition(run.steps)];
  if (step?.status !== 'completed' && step?.status !== 'skipped') return null;
  return (await readOutput(run.workspace_id, run.id)) ?? null;
}

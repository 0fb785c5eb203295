// Turns a query into a plan: a model drafts it, and the rules for client plans apply to it.
import { ApiError } from '#contract/errors.ts';
import type { RunError } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { Plan } from '#contract/plans.ts';
import { modelFailure } from '#domain/runs/run-error.ts';
import { outputPosition } from '#domain/runs/run-output.ts';
import { ModelError, unusable } from '#models/model.ts';
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { knownWorkspace } from './known-workspace.ts';
import { withoutUnnamed } from './named-sources.ts';
import { readsTexts, validatePlan } from './validate-plan.ts';

/** How long planning waits for the record index; the task is retried afterwards. */
const INDEX_BUDGET_MS = 20_000;

/** The plan of a query run, or the error that ends it. One model call. Throws errors that are not the model's. */
export async function planQuery(
  asked: {
    workspace_id: string;
    query: string;
    asked_at: number;
    /** Of the live sources of the workspace. */
    source_names: ReadonlySet<string>;
    reads_texts: boolean;
    interpretation: string;
    unlimited_transform: boolean;
    output_schema: OutputSchema | undefined;
  },
  call: (task: 'plan', input: InputOf<'plan'>) => Promise<OutputOf<'plan'>>,
): Promise<{ plan: SavedPlan } | { error: RunError }> {
  const { source_names } = asked;
  const known = await knownWorkspace({ ...asked, has_sources: source_names.size > 0 }, INDEX_BUDGET_MS);
  try {
    const draft = await call('plan', {
      query: asked.query,
      interpretation: asked.interpretation,
      ...known,
      ...(asked.output_schema && { output_schema: asked.output_schema }),
    });
    const named = new Set(known.shape.sources?.map(({ name }) => name));
    const unnamed = new Set([...source_names].filter((name) => !named.has(name)));
    const steps = withoutUnnamed(draft.steps, unnamed);
    const plan = Plan.safeParse({
      steps: asked.output_schema ? withAnswer(steps) : steps,
      title: [...draft.title].slice(0, limits.plan_title_max_characters).join(''),
    });
    const isForbidden = plan.success && !asked.reads_texts && readsTexts(plan.data);
    if (!plan.success || isForbidden) return { error: noPlan() };
    return { plan: validatePlan(plan.data, asked.unlimited_transform) };
  } catch (error) {
    if (error instanceof ModelError) return { error: modelFailure(error) };
    if (error instanceof ApiError) return { error: noPlan() };
    throw error;
  }
}

const noPlan = () => modelFailure(unusable('The model made no usable plan.'));

/** The steps with one that writes the answer as data, where a model has planned none (rules.md: output 2). */
function withAnswer(steps: OutputOf<'plan'>['steps']): OutputOf<'plan'>['steps'] {
  if (outputPosition(steps) >= 0) return steps;
  return [...steps, { kind: 'reconstitute', title: 'Write the answer', params: {} }];
}

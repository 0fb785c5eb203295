// Turns a query into a plan: a model drafts it, and the rules for client plans apply to it.
import { ApiError } from '#contract/errors.ts';
import type { RunError, Warning } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { Plan } from '#contract/plans.ts';
import { openRecords } from '#domain/records/records-client.ts';
import { modelFailure, runError } from '#domain/runs/run-error.ts';
import { outputPosition } from '#domain/runs/run-output.ts';
import { ModelError, unusable } from '#models/model.ts';
import type { KnownWorkspace } from '#models/tasks/model-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { nonsenseIn, spelledAsRecorded } from './check-plan.ts';
import { knownWorkspace, TYPES_MAX } from './known-workspace.ts';
import { withoutUnnamed } from './named-sources.ts';
import { readsTexts, validatePlan } from './validate-plan.ts';

/** How long planning waits for the record index; the task is retried afterwards. */
const INDEX_BUDGET_MS = 20_000;

/**
 * The plan of a query run, or the error that ends it. One model call: a plan that makes no sense is asked for once more
 * (rules.md: query 6). Throws errors that are not the model's.
 */
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
    /** The offline model plans by the records themselves. */
    simulated: boolean;
    /** How long the prompt may be. */
    prompt_bytes: number;
  },
  call: (task: 'plan', input: InputOf<'plan'>) => Promise<OutputOf<'plan'>>,
): Promise<{ plan: SavedPlan; warnings: Warning[] } | { error: RunError }> {
  const { source_names } = asked;
  const known = await knownWorkspace({ ...asked, has_sources: source_names.size > 0 }, INDEX_BUDGET_MS);
  const named = new Set(known.shape.sources?.map(({ name }) => name));
  let nonsense: string[] = [];
  try {
    const draft = await call('plan', {
      query: asked.query,
      interpretation: asked.interpretation,
      ...known,
      ...(Number.isFinite(asked.prompt_bytes) && { prompt_bytes: asked.prompt_bytes }),
      ...(asked.output_schema && { output_schema: asked.output_schema }),
      faultsIn: ({ steps }) => {
        nonsense = nonsenseIn(steps, { types: typesOf(known), sources: [...named] });
        return nonsense.length > 0 ? nonsense.join('\n') : undefined;
      },
    });
    const unnamed = new Set([...source_names].filter((name) => !named.has(name)));
    const planned = withoutUnnamed(draft.steps, unnamed);
    const ask = openRecords(asked.workspace_id, INDEX_BUDGET_MS);
    const { steps, warnings } = asked.simulated
      ? { steps: planned, warnings: [] }
      : await spelledAsRecorded(planned, known.shape, [...named], ask);
    const plan = Plan.safeParse({
      steps: asked.output_schema ? withAnswer(steps) : steps,
      title: [...draft.title].slice(0, limits.plan_title_max_characters).join(''),
    });
    const isForbidden = plan.success && !asked.reads_texts && readsTexts(plan.data);
    if (!plan.success || isForbidden) return { error: noPlan() };
    return { plan: validatePlan(plan.data, asked.unlimited_transform), warnings };
  } catch (error) {
    if (error instanceof ModelError && error.fault.cause === 'unusable' && nonsense.length > 0)
      return { error: runError('query_ambiguous', { details: { reason: 'not_understood' } }) };
    if (error instanceof ModelError) return { error: modelFailure(error) };
    if (error instanceof ApiError) return { error: noPlan() };
    throw error;
  }
}

/** The types of the workspace; undefined: there are more than were read. */
const typesOf = ({ shape }: KnownWorkspace) =>
  shape.types.length < TYPES_MAX ? shape.types.map(({ type }) => type) : undefined;

const noPlan = () => modelFailure(unusable('The model made no usable plan.'));

/** The steps with one that writes the answer as data, where a model has planned none (rules.md: output 2). */
function withAnswer(steps: OutputOf<'plan'>['steps']): OutputOf<'plan'>['steps'] {
  if (outputPosition(steps) >= 0) return steps;
  return [...steps, { kind: 'reconstitute', title: 'Write the answer', params: {} }];
}

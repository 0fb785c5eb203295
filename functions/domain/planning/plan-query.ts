// Turns a query into a plan: a model drafts it, and the rules for client plans apply to it.
import { ApiError } from '#contract/errors.ts';
import type { RunError } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { Plan } from '#contract/plans.ts';
import { modelFailure } from '#domain/runs/run-error.ts';
import { ModelError } from '#models/model.ts';
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { knownWorkspace } from './known-workspace.ts';
import { validatePlan } from './validate-plan.ts';

/** How long planning waits for the record index; the task is retried afterwards. */
const INDEX_BUDGET_MS = 20_000;

/** The plan of a query run, or the error that ends it. One model call. Throws errors that are not the model's. */
export async function planQuery(
  asked: {
    workspace_id: string;
    query: string;
    asked_at: number;
    has_sources: boolean;
    interpretation: string;
    unlimited_transform: boolean;
  },
  call: (task: 'plan', input: InputOf<'plan'>) => Promise<OutputOf<'plan'>>,
): Promise<{ plan: SavedPlan } | { error: RunError }> {
  const known = await knownWorkspace(asked, INDEX_BUDGET_MS);
  try {
    const draft = await call('plan', {
      query: asked.query,
      interpretation: asked.interpretation,
      ...known,
    });
    const plan = Plan.safeParse({
      ...draft,
      title: [...draft.title].slice(0, limits.plan_title_max_characters).join(''),
    });
    if (!plan.success) return { error: modelFailure('The model made no usable plan.') };
    return { plan: validatePlan(plan.data, asked.unlimited_transform) };
  } catch (error) {
    if (error instanceof ModelError) return { error: modelFailure(error.message) };
    if (error instanceof ApiError) return { error: modelFailure('The model made no usable plan.') };
    throw error;
  }
}

// The plan that a run follows, with defaults, and the fingerprint by which a resume recognizes it.
import { fail } from '#contract/errors.ts';
import type { Plan } from '#contract/plans.ts';
import { fingerprint } from '#platform/crypto.ts';
import { readPlan, type SavedPlan } from '#store/runs/inputs.ts';
import type { RunView } from '#store/runs/run-views.ts';

/** The plan with the defaults that do not depend on the step kind: index = position, no params. */
export function savedPlan(plan: Plan): SavedPlan {
  return {
    title: plan.title,
    steps: plan.steps.map((step, i) => ({ ...step, index: step.index ?? i, params: step.params ?? {} })),
  };
}

/** Identifies what a plan does, not how its JSON is formatted: a resume must send an equal one. */
export function planFingerprint(plan: SavedPlan): string {
  return fingerprint(plan);
}

/** The plan that a run follows. Throws run_not_resumable (no_saved_plan) when it has none. */
export async function requireSavedPlan({ run, input }: RunView): Promise<SavedPlan> {
  if (input.input_type === 'plan') return savedPlan(input.plan);
  const plan = await readPlan(run.workspace_id, run.id);
  if (!plan) throw fail('run_not_resumable', { details: { status: run.status, reason: 'no_saved_plan' } });
  return plan;
}

// The plan that a run follows, with defaults, and the fingerprint by which a resume recognizes it.
import { fail } from '#contract/errors.ts';
import { Plan } from '#contract/plans.ts';
import type { RunEnvelope } from '#contract/runs.ts';
import { fingerprint } from '#platform/crypto.ts';
import { readPlan, type SavedPlan } from '#store/runs/inputs.ts';
import type { RunView } from '#store/runs/run-views.ts';
import { planInWords } from './plan-in-words.ts';

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

/** The plan that a run follows; undefined while it has none. */
export async function planOf({ run, input }: RunView): Promise<SavedPlan | undefined> {
  return input.input_type === 'plan' ? savedPlan(input.plan) : readPlan(run.workspace_id, run.id);
}

/** A saved plan in the form that `POST /runs` takes. */
export const planAsSent = ({ title, steps }: SavedPlan): Plan => Plan.parse({ title, steps });

/** What `include=plan` adds to an envelope (rules.md: reads 8). */
export async function includedPlan(view: RunView): Promise<Pick<RunEnvelope, 'plan' | 'understood_as'>> {
  const saved = await planOf(view);
  const plan = saved ? planAsSent(saved) : null;
  if (view.input.input_type !== 'query') return { plan };
  return { plan, understood_as: plan && planInWords(plan) };
}

/** The plan that a run follows. Throws run_not_resumable (no_saved_plan) when it has none. */
export async function requireSavedPlan(view: RunView): Promise<SavedPlan> {
  const plan = await planOf(view);
  const { status } = view.run;
  if (!plan) throw fail('run_not_resumable', { details: { status, reason: 'no_saved_plan' } });
  return plan;
}

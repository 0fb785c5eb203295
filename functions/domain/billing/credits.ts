// What steps cost in credits (rules.md: credits).
import { credits, limits } from '#contract/limits.ts';
import { stepTable } from '#contract/steps.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import type { StepRecord } from '#store/runs/run-record.ts';

type PlannedStep = SavedPlan['steps'][number];

/** The maximum cost of a step: a transform's item limit, every other kind's price. */
export function maximumCreditsFor(plan: SavedPlan, step: PlannedStep): number {
  if (plan.dossier) return step === plan.steps.at(-1) ? credits.dossier : 0;
  if (step.kind !== 'transform') return stepTable[step.kind].credits;
  const { limit } = step.params;
  return (
    stepTable.transform.credits_per_item *
    (typeof limit === 'number' ? limit : limits.transform_default_items)
  );
}

/** What a finished step is charged: its price; a transform pays for the items it took. */
export function creditsChargedFor(plan: SavedPlan, step: PlannedStep, itemsTaken: number): number {
  return !plan.dossier && step.kind === 'transform'
    ? Math.min(stepTable.transform.credits_per_item * itemsTaken, maximumCreditsFor(plan, step))
    : maximumCreditsFor(plan, step);
}

/** The maximum cost of the steps from `position` on. */
export function maximumCreditsFrom(plan: SavedPlan, position: number): number {
  return plan.steps.slice(position).reduce((sum, step) => sum + maximumCreditsFor(plan, step), 0);
}

/** What the finished steps of this attempt were charged. */
export function creditsCharged(steps: StepRecord[]): number {
  return steps.reduce((sum, step) => sum + (step.credits_charged ?? 0), 0);
}

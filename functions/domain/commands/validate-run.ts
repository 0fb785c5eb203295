// The checks of a create without the create (rules.md: create 7).
import { credits } from '#contract/limits.ts';
import type { RunCheck } from '#contract/runs.ts';
import { maximumCreditsFor, maximumCreditsFrom } from '#domain/billing/credits.ts';
import { checkCallbackUrl } from './callback-url.ts';
import type { CreateRequest } from './create-run.ts';
import { givenPlan } from './given-plan.ts';
import { claimOn } from './use-key.ts';

/**
 * What the run of a request would do, after every check that may refuse it before capacity. Creates nothing, claims no
 * key, asks no model. Throws idempotency_key_conflict, invalid_callback_url, entity_not_resolvable.
 */
export async function validateRun({ caller, checked, idempotency }: CreateRequest): Promise<RunCheck> {
  const { body, callback } = checked;
  if (idempotency) await claimOn(idempotency);
  if (callback) await checkCallbackUrl(callback);
  const { workspace } = caller;
  const plan = body.input_type === 'query' ? undefined : (await givenPlan(workspace.workspace_id, body)).plan;
  const steps = plan?.steps.map((step) => ({
    index: step.index,
    kind: step.kind,
    title: step.title,
    credits: maximumCreditsFor(plan, step),
  }));
  const most = plan ? maximumCreditsFrom(plan, 0) : credits.unplanned_query;
  return {
    object: 'run_check',
    valid: true,
    steps: steps ?? [],
    credits_at_most: workspace.credits ? most : null,
  };
}

// Rerunning from a step: a new run that takes the earlier steps' outputs from an ended one (rules.md: rerun).

import { fail } from '#contract/errors.ts';
import type { RerunRun, RunConfig } from '#contract/runs.ts';
import { type CallerWithCosts, requireScope } from '#domain/access/authenticate.ts';
import { maximumCreditsFrom } from '#domain/billing/credits.ts';
import { validatePlan } from '#domain/planning/validate-plan.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { checkpointRun, isTerminal } from '#domain/runs/lifecycle.ts';
import { pendingSteps } from '#domain/runs/new-run.ts';
import { outputOf, outputPosition } from '#domain/runs/run-output.ts';
import { requireSavedPlan } from '#domain/runs/saved-plan.ts';
import type { ModelPricing } from '#models/endpoint-settings.ts';
import { checkpointsAt } from '#store/runs/checkpoints.ts';
import type { IdempotencyKey } from '#store/runs/idempotency.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import type { RunRecord, StepRecord } from '#store/runs/run-record.ts';
import type { RunView } from '#store/runs/run-views.ts';
import { checkCallbackUrl } from './callback-url.ts';
import { checkConfigRights, checkPlanRights } from './check-create.ts';
import { insertRun } from './insert-run.ts';
import { type CreatedRun, useOf } from './use-key.ts';

export interface RerunRequest {
  caller: CallerWithCosts;
  request_id: string;
  run_id: string | undefined;
  body: RerunRun;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Creates the new run, or returns the one that this Idempotency-Key created. Throws the refusals of a rerun (rules.md:
 * rerun 2) and those of capacity.
 */
export async function rerunRun(request: RerunRequest, pricing: ModelPricing): Promise<CreatedRun> {
  const { caller, request_id, body } = request;
  const source = await findRunView(caller.workspace.workspace_id, request.run_id);
  const use = await useOf(request.idempotency);
  if (use.run) return use.run;
  const { plan, position } = await startingPoint(source, body.step_index);
  const inherited = await inheritSteps(source.run, position, body.step_index);
  const config = await configOf(caller, source, body.config);
  const { run, input } = source;
  // A skipped step has written the output already.
  const output = position > outputPosition(run.steps) ? ((await outputOf(source)) ?? undefined) : undefined;
  const rerun_of = { run_id: run.id, step_index: body.step_index };
  const created = await insertRun(
    {
      caller,
      request_id,
      idempotency: use.key,
      input,
      output,
      title: run.title,
      config,
      metadata: run.metadata,
      plan,
      credits: maximumCreditsFrom(plan, position),
      state: {
        rerun_of,
        position,
        steps: [...inherited, ...pendingSteps(plan).slice(position)],
        inherited: inherited.map((_, i) => checkpointRun(run, i)),
      },
      events: [
        {
          event_type: 'run.created',
          data: { status: 'pending', input_type: input.input_type, rerun_of },
        },
      ],
      audited: 'run.rerun',
    },
    pricing,
  );
  await created.unfinished;
  return created;
}

/**
 * The source's plan and the position to begin at. Throws run_not_resumable and invalid_rerun_step, checked in this
 * order (rules.md: rerun 2).
 */
async function startingPoint(
  source: RunView,
  stepIndex: number,
): Promise<{ plan: SavedPlan; position: number }> {
  const { run, input } = source;
  if (input.input_type === 'query')
    throw fail('run_not_resumable', { details: { status: run.status, reason: 'no_saved_plan' } });
  const plan = await requireSavedPlan(source);
  if (!isTerminal(run))
    throw fail('run_not_resumable', { details: { status: run.status, reason: 'run_not_terminal' } });
  const position = plan.steps.findIndex((step) => step.index === stepIndex);
  if (position >= 0) return { plan, position };
  const min_index = plan.steps[0]?.index ?? 0;
  const max_index = plan.steps.at(-1)?.index ?? 0;
  throw fail('invalid_rerun_step', {
    param: 'step_index',
    details: { step_index: stepIndex, min_index, max_index },
  });
}

/** Summaries of the steps whose checkpoints the new run uses. Throws checkpoint_not_found if one is missing. */
async function inheritSteps(run: RunRecord, position: number, stepIndex: number): Promise<StepRecord[]> {
  const inherited = run.steps.slice(0, position);
  const checkpoints = await checkpointsAt(
    inherited.map((_, i) => ({
      workspace_id: run.workspace_id,
      run_id: checkpointRun(run, i),
      position: i,
    })),
  );
  return inherited.map(({ index, kind, title }, i) => {
    const checkpoint = checkpoints[i];
    if (!checkpoint)
      throw fail('checkpoint_not_found', { param: 'step_index', details: { step_index: stepIndex } });
    const items = checkpoint.items_out === undefined ? {} : { items_out: checkpoint.items_out };
    return { index, kind, title, status: 'skipped', attempt: 0, ...items };
  });
}

/**
 * The config as sent, with the source's config as default. The requesting key needs the rights to it and to the preset,
 * and the plan must fit it as in a new run. Throws forbidden_feature, schema_validation_failed, invalid_callback_url.
 */
async function configOf(
  caller: CallerWithCosts,
  { run, input }: RunView,
  sent: RunConfig | undefined,
): Promise<RunConfig> {
  const config = { ...run.config, ...sent };
  // A rerun of a preset needs the same right as creating one.
  if (input.input_type === 'preset') requireScope(caller.key, 'presets:dossier');
  checkConfigRights(caller, config);
  if (input.input_type === 'plan') {
    validatePlan(input.plan, config.unlimited_transform === true);
    checkPlanRights(caller, input.plan, config);
  }
  if (config.callback_url !== undefined)
    await checkCallbackUrl({ url: config.callback_url, param: 'config.callback_url' });
  return config;
}

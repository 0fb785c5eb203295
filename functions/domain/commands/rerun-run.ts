// Rerunning from a step: a new run that takes the earlier steps' outputs from an ended one (Contract 4.5).
import { fail } from '#contract/errors.ts';
import type { RerunRun, RunConfig } from '#contract/runs.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { heldFrom } from '#domain/billing/credits.ts';
import { preparePlan } from '#domain/planning/validate-plan.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { checkpointRun, isTerminal } from '#domain/runs/lifecycle.ts';
import { newRun } from '#domain/runs/new-run.ts';
import type { PriceTable } from '#models/pricing.ts';
import { newId } from '#platform/ids.ts';
import { checkpointsAt } from '#store/checkpoints.ts';
import { claimWrite, type IdempotencyKey } from '#store/idempotency.ts';
import { inputWrite, planWrite, type SavedPlan } from '#store/inputs.ts';
import type { RunView } from '#store/run-views.ts';
import type { RunRecord, StepRecord } from '#store/runs.ts';
import { checkCallbackUrl } from './callback-url.ts';
import { checkConfigRights, checkGlobalRights } from './check-create.ts';
import { replayOf, runIdOf } from './idempotency.ts';
import { type Created, replay, write } from './insert-run.ts';
import { admit, checkDailyCaps, checkPrice } from './reserve-capacity.ts';
import { planOfView } from './resume-run.ts';

export interface RerunRequest {
  caller: Caller;
  request_id: string;
  run_id: string | undefined;
  body: RerunRun;
  idempotency: IdempotencyKey | undefined;
}

/** The source's plan and the position to begin at. Throws run_not_resumable and invalid_rerun_step, in the order of Contract 4.5. */
async function placeIn(view: RunView, stepIndex: number): Promise<{ plan: SavedPlan; position: number }> {
  const { run, input } = view;
  if (input.input_type === 'query')
    throw fail('run_not_resumable', { details: { status: run.status, reason: 'no_saved_plan' } });
  const plan = await planOfView(view);
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

/** Summaries of the steps whose output is taken over. Throws checkpoint_not_found when one of them left none. */
async function inherit(run: RunRecord, position: number, stepIndex: number): Promise<StepRecord[]> {
  const places = run.steps
    .slice(0, position)
    .map((_, i) => ({ workspace_id: run.workspace_id, run_id: checkpointRun(run, i), position: i }));
  const found = await checkpointsAt(places);
  return run.steps.slice(0, position).map(({ index, kind, title }, i) => {
    const checkpoint = found[i];
    if (!checkpoint)
      throw fail('checkpoint_not_found', { param: 'step_index', details: { step_index: stepIndex } });
    const items = checkpoint.items_out === undefined ? {} : { items_out: checkpoint.items_out };
    return { index, kind, title, status: 'skipped', attempt: 0, ...items };
  });
}

/**
 * A config that was not sent is inherited, part by part; its rights are checked on the key that asks, and the plan must fit it as it had
 * to when it was sent first. Throws forbidden_feature, schema_validation_failed, invalid_callback_url.
 */
async function configOf(
  caller: Caller,
  { run, input }: RunView,
  sent: RunConfig | undefined,
): Promise<RunConfig> {
  const config = { ...run.config, ...sent };
  checkConfigRights(caller, config);
  if (input.input_type === 'plan') {
    preparePlan(input.plan, config.unlimited_transform === true);
    checkGlobalRights(input.plan, config);
  }
  if (config.callback_url !== undefined)
    await checkCallbackUrl({ url: config.callback_url, param: 'config.callback_url' });
  return config;
}

/** Creates the new run. Throws what Contract 4.5 names, and the errors of capacity. */
export async function rerunRun(
  request: RerunRequest,
  choice: { name: string; prices: PriceTable },
): Promise<Created> {
  const { caller, body, idempotency } = request;
  const view = await findRunView(caller.workspace.workspace_id, request.run_id);
  const made = idempotency && (await replayOf(idempotency));
  if (made !== undefined) return replay(request, made);
  const { plan, position } = await placeIn(view, body.step_index);
  const done = await inherit(view.run, position, body.step_index);
  const config = await configOf(caller, view, body.config);
  checkDailyCaps(caller);
  checkPrice(choice.prices, choice.name);
  const id = idempotency ? runIdOf(idempotency) : newId();
  const { held } = await admit(caller, id, heldFrom(plan, position));
  const fresh = newRun({
    id,
    caller,
    request_id: request.request_id,
    input: view.input,
    config,
    metadata: view.run.metadata,
    plan,
    held,
  });
  const rerun_of = { run_id: view.run.id, step_index: body.step_index };
  const run: RunRecord = {
    ...fresh,
    rerun_of,
    position,
    steps: [...done, ...fresh.steps.slice(position)],
    inherited: done.map((_, i) => checkpointRun(view.run, i)),
  };
  const effects = [
    ...(idempotency ? [claimWrite(idempotency, id)] : []),
    await inputWrite(run.workspace_id, id, view.input),
    ...(view.input.input_type === 'plan' ? [] : [await planWrite(run.workspace_id, id, plan)]),
  ];
  const event = {
    event_type: 'run.created' as const,
    data: { status: 'pending' as const, input_type: run.input_type, rerun_of },
  };
  return write(request, run, view.input, [event], effects);
}

// Creating a run: everything that may refuse it comes first, then one transaction makes it.
import { fail } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { credits, limits } from '#contract/limits.ts';
import type { CreateRun, RunConfig, RunInput } from '#contract/runs.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { heldFrom } from '#domain/billing/credits.ts';
import { dossierPlan } from '#domain/planning/dossier-plan.ts';
import { type Understanding, understandQuery } from '#domain/planning/understand-query.ts';
import { newRun } from '#domain/runs/new-run.ts';
import type { ModelChoice } from '#models/choice.ts';
import { newId } from '#platform/ids.ts';
import { costWrite } from '#store/costs.ts';
import * as entities from '#store/entities.ts';
import { claimWrite, type IdempotencyKey, releaseClaim } from '#store/idempotency.ts';
import { inputWrite, planWrite, type SavedPlan } from '#store/inputs.ts';
import type { RunRecord } from '#store/runs.ts';
import type { Write } from '#store/table.ts';
import { checkCallbackUrl } from './callback-url.ts';
import type { CheckedCreate } from './check-create.ts';
import { replayOf, runIdOf, takeOrWait } from './idempotency.ts';
import { type Created, replay, write } from './insert-run.ts';
import { admit, checkDailyCaps, checkPrice } from './reserve-capacity.ts';

export interface CreateRequest {
  caller: Caller;
  request_id: string;
  checked: CheckedCreate;
  idempotency: IdempotencyKey | undefined;
}

interface Prepared {
  input: RunInput;
  plan: SavedPlan | undefined;
  /** Plans that are not the input itself are saved beside it. */
  savePlan: boolean;
  understanding: Understanding | undefined;
  credits: number;
}

function inputOf(body: CreateRun): RunInput {
  switch (body.input_type) {
    case 'query':
      return { input_type: 'query', query: body.query };
    case 'plan':
      return { input_type: 'plan', plan: body.plan };
    case 'preset':
      return { input_type: 'preset', preset: body.preset, params: body.params };
  }
}

/** The config as sent, with the one callback URL (Spec: POST /runs, rule 1). */
function configOf({ body, callback }: CheckedCreate): RunConfig {
  return { ...body.config, ...(callback && { callback_url: callback.url }) };
}

/** What needs the store or the model: the record of a dossier, the meaning of a query. */
async function prepare(
  { caller, checked }: CreateRequest,
  choice: ModelChoice,
  dueAt: number,
): Promise<Prepared> {
  const { body, plan } = checked;
  const input = inputOf(body);
  const workspace_id = caller.workspace.workspace_id;
  if (body.input_type === 'preset') {
    const { entity: ref } = body.params;
    const entity = await entities.resolve(workspace_id, ref);
    if (!entity) throw fail('entity_not_resolvable', { param: 'params.entity', details: { ref } });
    const dossier = dossierPlan(body.params, entity);
    return { input, plan: dossier, savePlan: true, understanding: undefined, credits: heldFrom(dossier, 0) };
  }
  if (plan) return { input, plan, savePlan: false, understanding: undefined, credits: heldFrom(plan, 0) };
  // A model without a price is never called, not even to find the query unclear.
  checkPrice(choice.prices, choice.model.name);
  const query = body.input_type === 'query' ? body.query : '';
  const understanding = await understandQuery(
    { workspace_id, query, strict_mode: body.config?.strict_mode ?? true },
    choice,
    dueAt,
  );
  return { input, plan: undefined, savePlan: false, understanding, credits: credits.unplanned_query };
}

function firstEvents(input: RunInput, understanding: Understanding | undefined): EventBody[] {
  const created: EventBody = {
    event_type: 'run.created',
    data: { status: 'pending', input_type: input.input_type },
  };
  if (!understanding) return [created];
  const { warnings, duration_ms } = understanding;
  const data = {
    step_index: -1 as const,
    status: 'completed' as const,
    title: 'Understand the query',
    duration_ms,
    warnings,
  };
  return [created, { event_type: 'run.pre_validation', data }];
}

/**
 * Creates a run, or returns the one that this Idempotency-Key made. A replay is answered before anything that costs (Contract 4.1).
 * Throws what Contract 4.1 lists from idempotency on; nothing is left behind by a create that fails.
 */
export async function createRun(request: CreateRequest, choice: ModelChoice): Promise<Created> {
  const { idempotency, checked } = request;
  // Waiting for a copy counts too, or a request could wait and then ask for longer than its function may take.
  const dueAt = Date.now() + limits.understanding_timeout_ms;
  const made = idempotency && (await replayOf(idempotency));
  if (made !== undefined) return replay(request, made);
  if (checked.callback) await checkCallbackUrl(checked.callback);
  // Only a query costs before it creates; its copies wait instead of asking the model again.
  const costly = checked.body.input_type === 'query' && idempotency;
  const makesNow = costly ? await takeOrWait(costly, dueAt) : undefined;
  if (makesNow !== undefined) return replay(request, makesNow);
  try {
    return await make(request, choice, dueAt);
  } catch (error) {
    if (costly) await releaseClaim(costly);
    // A copy of this request may have been admitted, and even have ended, while this one was refused.
    const meanwhile = idempotency && (await replayOf(idempotency));
    if (meanwhile !== undefined) return replay(request, meanwhile);
    throw error;
  }
}

async function make(request: CreateRequest, choice: ModelChoice, dueAt: number): Promise<Created> {
  const { caller, checked, idempotency } = request;
  const prepared = await prepare(request, choice, dueAt);
  checkDailyCaps(caller);
  checkPrice(choice.prices, choice.model.name);
  const id = idempotency ? runIdOf(idempotency) : newId();
  const { held } = await admit(caller, id, prepared.credits);
  const run = newRun({
    id,
    caller,
    request_id: request.request_id,
    input: prepared.input,
    config: configOf(checked),
    metadata: checked.body.metadata,
    plan: prepared.plan,
    held,
  });
  const understood = prepared.understanding && {
    spent: prepared.understanding.spent,
    warnings: prepared.understanding.warnings,
    interpretation: prepared.understanding.interpretation,
  };
  const effects = await effectsOf(run, prepared, idempotency);
  return write(
    request,
    { ...run, ...understood },
    prepared.input,
    firstEvents(prepared.input, prepared.understanding),
    effects,
  );
}

async function effectsOf(
  run: RunRecord,
  prepared: Prepared,
  idempotency: IdempotencyKey | undefined,
): Promise<Write[]> {
  const cost = BigInt(prepared.understanding?.spent.cost_pico_usd ?? 0);
  return [
    ...(idempotency ? [claimWrite(idempotency, run.id)] : []),
    await inputWrite(run.workspace_id, run.id, prepared.input),
    ...(prepared.savePlan && prepared.plan ? [await planWrite(run.workspace_id, run.id, prepared.plan)] : []),
    ...(cost > 0n ? [costWrite(run, cost, Date.now())] : []),
  ];
}

// Creating a run: every check that may refuse it comes first, then one transaction writes it.
import { ApiError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { credits, limits } from '#contract/limits.ts';
import type { CreateRun, RunConfig, RunInput } from '#contract/runs.ts';
import type { SentSchema } from '#contract/sent-schema.ts';
import { type CallerWithCosts, mayReadTexts } from '#domain/access/authenticate.ts';
import { maximumCreditsFrom } from '#domain/billing/credits.ts';
import { type Understanding, understandQuery } from '#domain/planning/understand-query.ts';
import type { ConfiguredModel } from '#models/configured-model.ts';
import type { MonitorPlan } from '#store/monitors/monitor-plans.ts';
import * as idempotency from '#store/runs/idempotency.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { UNDERSTANDING } from '#store/runs/model-tries.ts';
import { nothingSpent } from '#store/runs/run-record.ts';
import { checkCallbackUrl } from './callback-url.ts';
import type { CheckedCreate } from './check-create.ts';
import { givenPlan } from './given-plan.ts';
import { type FiredRun, insertRun, type RunDraft } from './insert-run.ts';
import { checkPrice } from './reserve-capacity.ts';
import { type CreatedRun, claimOrAwaitRun, useOf, whileClaimed } from './use-key.ts';

export interface CreateRequest {
  caller: CallerWithCosts;
  request_id: string;
  checked: CheckedCreate;
  idempotency: idempotency.IdempotencyKey | undefined;
  /** Absent on a request for the run itself. */
  fired?: FiredRun | undefined;
  /** The W3C trace context that the request continues. */
  traceparent?: string | undefined;
}

/** What a run starts from: a plan, or a query that was understood and is planned by its execution. */
type RunSource = { title: string } & (
  | { plan: SavedPlan; understanding?: Understanding }
  | { plan?: undefined; understanding: Understanding }
);

/**
 * Creates a run, or returns the one that this Idempotency-Key created. A replay is answered before anything that costs
 * (rules.md: idempotency 6). Throws what may be refused from idempotency on (rules.md: create 1); a create that fails
 * leaves nothing behind.
 */
export async function createRun(request: CreateRequest, model: ConfiguredModel): Promise<CreatedRun> {
  const { checked } = request;
  // Includes the wait for a copy of the request: wait and model call together must fit in the function's timeout.
  const dueAt = Date.now() + limits.understanding_timeout_ms;
  const use = await useOf(request.idempotency);
  if (use.run) return use.run;
  if (checked.callback) await checkCallbackUrl(checked.callback);
  // Only a query needs a model call before its run exists: its copies wait instead of asking the model again.
  const awaited =
    checked.body.input_type === 'query' && use.key ? await claimOrAwaitRun(use.key, dueAt) : undefined;
  if (awaited?.run) return awaited.run;
  const claim = awaited?.claim;
  try {
    const find = () => sourceOf(request, model, dueAt);
    const source = claim ? await whileClaimed(claim, find) : await find();
    const draft = draftOf(source, { ...request, idempotency: claim?.key ?? use.key });
    return await insertRun(draft, { names: model.model.names, prices: model.prices });
  } catch (error) {
    if (claim) await idempotency.releaseClaim(claim);
    // While this request was refused, a copy of it may have created the run, which may even have ended.
    const existing = await useOf(request.idempotency);
    const unfinished = error instanceof ApiError ? error.unfinished : undefined;
    if (existing.run) return { ...existing.run, ...(unfinished && { unfinished }) };
    throw error;
  }
}

/** The part that needs the store or the model: the record of a dossier, the meaning of a query. */
async function sourceOf(
  { caller, checked, fired }: CreateRequest,
  model: ConfiguredModel,
  dueAt: number,
): Promise<RunSource> {
  const { body } = checked;
  const { workspace_id, sources } = caller.workspace;
  switch (body.input_type) {
    case 'plan':
    case 'preset':
      return givenPlan(workspace_id, body);
    case 'query': {
      const title = [...body.query].slice(0, limits.run_title_query_characters).join('');
      if (fired?.planned) return { title, ...plannedBefore(fired.planned) };
      // A model without a price is never called, not even to find the query unclear.
      checkPrice({ names: model.model.names, prices: model.prices });
      const asked = {
        workspace_id,
        payer: caller.key,
        has_sources: sources !== undefined,
        reads_texts: mayReadTexts(caller.key),
        query: body.query,
        strict_mode: body.config?.strict_mode ?? true,
        keep_calls: body.config?.keep_calls ?? false,
      };
      return { title, understanding: await understandQuery(asked, model, dueAt) };
    }
  }
}

/** A monitor's query was understood for its first run; what was said of it then still holds. */
function plannedBefore({ plan, warnings, interpretation }: MonitorPlan) {
  const understanding = {
    interpretation,
    warnings,
    spent: nothingSpent,
    duration_ms: 0,
    tries: [],
    saved: [],
  };
  return { plan, understanding };
}

function draftOf(
  { title, plan, understanding }: RunSource,
  { caller, request_id, checked, idempotency, fired, traceparent }: CreateRequest,
): RunDraft {
  const input = inputOf(checked.body);
  return {
    caller,
    request_id,
    idempotency,
    fired,
    traceparent,
    input,
    title,
    config: configOf(checked),
    metadata: checked.body.metadata,
    plan,
    credits: plan ? maximumCreditsFrom(plan, 0) : credits.unplanned_query,
    state: understanding ? understoodState(understanding) : {},
    saved: understanding?.saved ?? [],
    traced: understanding && { position: UNDERSTANDING, attempt: 1, tries: understanding.tries },
    events: [createdEvent(input), ...(understanding ? [understoodEvent(understanding)] : [])],
  };
}

function inputOf(body: CreateRun): RunInput {
  switch (body.input_type) {
    case 'query':
      return { input_type: 'query', query: body.query, ...schemaIn(body) };
    case 'plan':
      return { input_type: 'plan', plan: body.plan, ...schemaIn(body) };
    case 'preset':
      return { input_type: 'preset', preset: body.preset, params: body.params };
  }
}

function schemaIn({ output_schema }: { output_schema?: SentSchema | undefined }) {
  return output_schema && { output_schema };
}

/** The config as sent, with the one callback URL (rules.md: callback 1). */
function configOf({ body, callback }: CheckedCreate): RunConfig {
  return { ...body.config, ...(callback && { callback_url: callback.url }) };
}

function createdEvent({ input_type }: RunInput): EventBody {
  return { event_type: 'run.created', data: { status: 'pending', input_type } };
}

function understoodState({ spent, warnings, interpretation }: Understanding) {
  return { spent, warnings, interpretation };
}

function understoodEvent({ warnings, duration_ms }: Understanding): EventBody {
  const data = {
    step_index: -1 as const,
    status: 'completed' as const,
    title: 'Understand the query',
    duration_ms,
    warnings,
  };
  return { event_type: 'run.pre_validation', data };
}

// Inserting a new run: capacity is reserved, one transaction writes the run, its execution starts.

import type { EventBody } from '#contract/events.ts';
import { isSimulated } from '#contract/models.ts';
import type { RunOutput } from '#contract/output.ts';
import type { RunConfig, RunInput } from '#contract/runs.ts';
import { actorOf } from '#domain/access/actor.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { newRun } from '#domain/runs/new-run.ts';
import { planFingerprint } from '#domain/runs/saved-plan.ts';
import type { ModelPricing } from '#models/endpoint-settings.ts';
import { newId } from '#platform/ids.ts';
import type { MonitorPlan } from '#store/monitors/monitor-plans.ts';
import { claimName, claimWrite, type IdempotencyKey } from '#store/runs/idempotency.ts';
import { inputWrite, planWrite, type SavedPlan } from '#store/runs/inputs.ts';
import type { TracedCalls } from '#store/runs/model-tries.ts';
import { outputWrite } from '#store/runs/outputs.ts';
import { changedRun, type FiredBy, type RunChange, type RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { type CallToKeep, savedCallWrite } from '#store/runs/saved-calls.ts';
import { ConditionFailed, type Write } from '#store/table/table.ts';
import { auditWrite } from '#store/workspaces/audit.ts';
import {
  checkDailyCaps,
  checkPrice,
  releaseFailedClaim,
  releaseLostClaim,
  reserveCapacity,
  reservedCredits,
} from './reserve-capacity.ts';
import { startRun } from './start-run.ts';
import { type CreatedRun, type KeyUse, runIdOf, useOf } from './use-key.ts';

/** A run that a monitor makes: its id, its fire, and what is written with it. */
export interface FiredRun {
  run_id: string;
  fired_by: FiredBy;
  /** The plan that the monitor's runs follow, where it has one: then no model is asked. */
  planned?: MonitorPlan | undefined;
  effects: Write[];
}

/** A run that has passed every check but capacity. */
export interface RunDraft {
  caller: CallerWithCosts;
  request_id: string;
  idempotency: IdempotencyKey | undefined;
  fired?: FiredRun | undefined;
  traceparent?: string | undefined;
  input: RunInput;
  /** The title in lists; undefined for the rerun of a run without one. */
  title: string | undefined;
  config: RunConfig;
  metadata: Record<string, string> | undefined;
  /** Of the source of a rerun that skips the step which writes it. */
  output?: RunOutput | undefined;
  /** Absent while a query is not planned. */
  plan: SavedPlan | undefined;
  /** The maximum of credits that the run can draw. */
  credits: number;
  /**
   * What differs from a new run: the cost of understanding its query, which its day already includes, or inherited
   * steps.
   */
  state: RunChange;
  events: EventBody[];
  /** What the audit says of it; undefined: nothing. */
  audited?: 'run.rerun';
  /** Model calls before the run existed. */
  traced?: TracedCalls | undefined;
  /** Their requests, if the run keeps them. */
  saved?: CallToKeep[];
}

/**
 * Creates the run of a draft and starts its execution, or returns the run that a copy of the request created in the
 * meantime. The sweep starts an execution that a crash left unstarted. Throws the errors of capacity; a refused draft
 * leaves nothing behind.
 */
export async function insertRun(draft: RunDraft, pricing: ModelPricing): Promise<CreatedRun> {
  const { caller, idempotency, input, events, fired, traced } = draft;
  checkDailyCaps(caller);
  checkPrice(pricing);
  const simulated = pricing.names.every(isSimulated);
  const id = fired?.run_id ?? (idempotency ? runIdOf(idempotency) : newId());
  const reserved = reservedCredits(caller.workspace, draft.credits);
  const fired_by = fired && { fired_by: fired.fired_by };
  const plan_fingerprint = draft.plan && planFingerprint(draft.plan);
  const fresh = newRun({ ...draft, id, plan_fingerprint, reserved, simulated });
  const run = changedRun(fresh, { ...draft.state, ...fired_by });
  // Apart from the run: the transactions of many creates would cancel each other at the counters, this one seldom does.
  // Dated as the run is, which ends no earlier than that (rules.md: envelope 6): its end covers this claim.
  const claimed_at = run.created_at;
  await reserveCapacity(caller, id, reserved, { at: claimed_at });
  try {
    const claim = idempotency && claimName(idempotency);
    const created = await runs.create(run, events, await effectsOf(run, draft), { claim, traced });
    return { run: created, input, replayed: false, unfinished: startRun(created) };
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !idempotency) {
      await releaseFailedClaim(run, claimed_at, error);
      throw error;
    }
    const use = await afterLostRace(run, idempotency, claimed_at);
    // The run of the key was deleted since the key was read: its next run has another id.
    return use.run ?? insertRun({ ...draft, idempotency: use.key }, pricing);
  }
}

async function effectsOf(run: RunRecord, draft: RunDraft): Promise<Write[]> {
  const { idempotency, input, output, plan, fired, audited, saved = [] } = draft;
  const key = { workspace_id: run.workspace_id, run_id: run.id };
  return [
    ...(fired?.effects ?? []),
    ...(idempotency ? [claimWrite(idempotency, run.id)] : []),
    await inputWrite(run.workspace_id, run.id, input),
    ...(output ? [await outputWrite(run.workspace_id, run.id, output)] : []),
    // The plan of a plan run is its input.
    ...(plan && input.input_type !== 'plan' ? [await planWrite(run.workspace_id, run.id, plan)] : []),
    ...(await Promise.all(saved.map((call) => savedCallWrite(key, run, call)))),
    ...(audited ? [auditWrite(run.workspace_id, actorOf(draft), audited, run.id)] : []),
  ];
}

/** A copy of the request was faster, or another request took the key. Our claim of a slot must be released. */
async function afterLostRace(
  run: RunRecord,
  idempotency: IdempotencyKey,
  claimed_at: number,
): Promise<KeyUse> {
  await releaseLostClaim(run, await runs.get(run.workspace_id, run.id), claimed_at);
  return useOf(idempotency);
}

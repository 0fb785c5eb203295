// Inserting a new run: capacity is reserved, one transaction writes the run, its execution starts.
import type { EventBody } from '#contract/events.ts';
import { isSimulated } from '#contract/models.ts';
import type { RunConfig, RunInput } from '#contract/runs.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { newRun } from '#domain/runs/new-run.ts';
import { newId } from '#platform/ids.ts';
import { shardedUntil } from '#store/money/costs.ts';
import { releaseSlot } from '#store/money/slots.ts';
import { claimWrite, type IdempotencyKey } from '#store/runs/idempotency.ts';
import { inputWrite, planWrite, type SavedPlan } from '#store/runs/inputs.ts';
import type { RunRecord } from '#store/runs/runs.ts';
import * as runs from '#store/runs/runs.ts';
import { ConditionFailed, type Write } from '#store/table/table.ts';
import { isUnfulfilled } from '#store/table/wish.ts';
import { type CreatedRun, existingRun, runIdOf } from './idempotency.ts';
import {
  capacityWrite,
  checkDailyCaps,
  checkPrice,
  type ModelPricing,
  reserveCapacity,
  reservedCredits,
} from './reserve-capacity.ts';
import { startRun } from './start-run.ts';

/** A run that a monitor makes: its id, its fire, and what is written with it. */
export interface FiredRun {
  run_id: string;
  fired_by: runs.FiredBy;
  effects: Write[];
}

/** A run that has passed every check but capacity. */
export interface RunDraft {
  caller: CallerWithCosts;
  request_id: string;
  idempotency: IdempotencyKey | undefined;
  fired?: FiredRun | undefined;
  input: RunInput;
  /** The title in lists; undefined for the rerun of a run without one. */
  title: string | undefined;
  config: RunConfig;
  metadata: Record<string, string> | undefined;
  /** Absent while a query is not planned. */
  plan: SavedPlan | undefined;
  /** The maximum of credits that the run can draw. */
  credits: number;
  /**
   * What differs from a new run: the cost of understanding its query, which its day already includes, or inherited
   * steps.
   */
  state: runs.RunChange;
  events: EventBody[];
}

/**
 * Creates the run of a draft and starts its execution, or returns the run that a copy of the request created in the
 * meantime. The sweep starts an execution that a crash left unstarted. Throws the errors of capacity; a refused draft
 * leaves nothing behind.
 */
export async function insertRun(draft: RunDraft, pricing: ModelPricing): Promise<CreatedRun> {
  const { caller, idempotency, input, events, fired } = draft;
  checkDailyCaps(caller);
  checkPrice(pricing);
  const simulated = isSimulated(pricing.name);
  const id = fired?.run_id ?? (idempotency ? runIdOf(idempotency) : newId());
  const reserved = reservedCredits(caller.workspace, draft.credits);
  const fired_by = fired && { fired_by: fired.fired_by };
  const run = runs.changedRun(newRun({ ...draft, id, reserved, simulated }), { ...draft.state, ...fired_by });
  const claimSlot = async () => {
    const sharded_until = shardedUntil(Date.now());
    await reserveCapacity(caller, id, reserved);
    return { ...run, sharded_until };
  };
  // Claiming the slot with the run saves an AWS call. Many creates at once would cancel each other's transactions.
  const slot = capacityWrite(caller, id, reserved);
  try {
    const claimed = slot ? run : await claimSlot();
    const effects = await effectsOf(run, draft);
    const created = await runs.create(claimed, events, effects, slot).catch(async (error: unknown) => {
      if (!isUnfulfilled(slot, error)) throw error;
      return runs.create(await claimSlot(), events, effects);
    });
    return { run: created, input, replayed: false, unfinished: startRun(created) };
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !idempotency) throw error;
    return afterLostRace(run, idempotency);
  }
}

async function effectsOf(run: RunRecord, { idempotency, input, plan, fired }: RunDraft): Promise<Write[]> {
  return [
    ...(fired?.effects ?? []),
    ...(idempotency ? [claimWrite(idempotency, run.id)] : []),
    await inputWrite(run.workspace_id, run.id, input),
    // The plan of a plan run is its input.
    ...(plan && input.input_type !== 'plan' ? [await planWrite(run.workspace_id, run.id, plan)] : []),
  ];
}

/** A copy of the request was faster, or another request took the key. Our claim of a slot must be released. */
async function afterLostRace(
  { workspace_id, id }: RunRecord,
  idempotency: IdempotencyKey,
): Promise<CreatedRun> {
  const winner = await runs.get(workspace_id, id);
  // While the winner is in flight, the slot is its own; one claimed after its end is ours.
  if (!winner) await releaseSlot(workspace_id, id, 0);
  else if (winner.log_finished) await releaseSlot(workspace_id, id, 0, { after: winner.completed_at });
  const run = await existingRun(idempotency);
  if (!run) throw new Error('an idempotency key is claimed without a run');
  return run;
}

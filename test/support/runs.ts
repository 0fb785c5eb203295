// Runs for suites of the store and the event log.
import type { EventBody, RunEvent } from '#contract/events.ts';
import { API_VERSION } from '#contract/limits.ts';
import type { PlanStep } from '#contract/plans.ts';
import type { Caller, CallerWithCosts } from '#domain/access/authenticate.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { newRun } from '#domain/runs/new-run.ts';
import { planFingerprint, savedPlan } from '#domain/runs/saved-plan.ts';
import { newId } from '#platform/ids.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { readAfter } from '#store/runs/events.ts';
import { inputWrite } from '#store/runs/inputs.ts';
import {
  changedRun,
  type EndedRun,
  nothingSpent,
  type RunChange,
  type RunRecord,
} from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import type { Actor } from '#store/workspaces/audit.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';

/** A new workspace, as a caller of it. */
export async function caller(credits?: number): Promise<CallerWithCosts> {
  const workspace = {
    workspace_id: newId(),
    name: 'W',
    tier: 'enterprise' as const,
    status: 'active' as const,
    features: [],
    credits: credits !== undefined,
    created_at: Date.now(),
  };
  await workspaces.create(workspace, credits);
  return {
    workspace,
    key: {
      key_id: newId(),
      workspace_id: workspace.workspace_id,
      name: 'K',
      scopes: ['runs:create'],
      created_at: 0,
    },
    spent_today: { workspace: 0n, key: 0n },
  };
}

/** Who acts in tests that do not look at the audit. */
export const actor: Actor = { actor: 'key', request_id: 'r' };

/** The record of a run that is running, apart from the change. */
export function runRecord(change: RunChange = {}): RunRecord {
  const id = newId();
  const now = Date.now();
  const running: RunRecord = {
    id,
    workspace_id: newId(),
    status: 'running',
    api_version: API_VERSION,
    created_at: now,
    input_type: 'plan',
    config: {},
    request_id: 'r',
    key_id: 'k',
    steps: [],
    message: null,
    artifacts: [],
    note_ids: [],
    warnings: [],
    errors: [],
    spent: nothingSpent,
    resume_count: 0,
    inherited: [],
    position: 0,
    execution: id,
    log_finished: false,
    version: 1,
    last_sequence: 0,
    last_event_at: now,
  };
  return changedRun(running, change);
}

const created: EventBody = { event_type: 'run.created', data: { status: 'pending', input_type: 'plan' } };

const analysis: PlanStep[] = [{ index: 0, kind: 'analyze', title: 'One', instructions: 'x', params: {} }];

/** A run as created, with its slot and reservation. */
export async function givenRun(
  by: Caller,
  { change, steps = analysis }: { change?: RunChange; steps?: PlanStep[] } = {},
): Promise<RunRecord> {
  const plan = { title: 'Plan', steps };
  const id = newId();
  const reserved = by.workspace.credits ? 20 : undefined;
  await claimSlot(by.workspace.workspace_id, id, 100, reserved);
  const input = { input_type: 'plan' as const, plan };
  const run = newRun({
    id,
    caller: by,
    request_id: 'r',
    input,
    title: plan.title,
    config: {},
    metadata: undefined,
    plan: savedPlan(plan),
    plan_fingerprint: planFingerprint(savedPlan(plan)),
    reserved,
    simulated: false,
  });
  const made = await runs.create(run, [created], [await inputWrite(run.workspace_id, id, input)]);
  return change ? runs.commit(made, { change }) : made;
}

/** A run that must have ended. */
export function endedRun(run: RunRecord): EndedRun {
  if (!isTerminal(run)) throw new Error(`run ${run.id} is ${run.status}`);
  return run;
}

/** Events after a sequence, at most `limit`. */
export async function logOf(run: RunRecord, after: number, limit: number): Promise<RunEvent[]> {
  return (await readAfter(run, after, limit)).events;
}

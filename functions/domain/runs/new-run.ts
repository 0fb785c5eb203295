// The initial record of a run.
import { API_VERSION } from '#contract/limits.ts';
import type { RunConfig, RunInput } from '#contract/runs.ts';
import { type Caller, mayReadTexts } from '#domain/access/authenticate.ts';
import { currentTrace } from '#platform/log.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { earlierDeadline } from '#store/runs/next-sweep.ts';
import { nothingSpent, type RunRecord, type StepRecord } from '#store/runs/run-record.ts';
import { runExpiry } from '#store/table/expiry.ts';
import { due, duePartition } from '#store/table/table-keys.ts';

/** How long after the creation of a run the sweep first checks whether its execution started. */
export const FIRST_SWEEP_AFTER_MS = 60_000;

/** The summaries of a plan whose steps have not begun. */
export function pendingSteps(plan: SavedPlan): StepRecord[] {
  return plan.steps.map(({ index, kind, title }) => ({ index, kind, title, status: 'pending', attempt: 0 }));
}

export interface NewRun {
  id: string;
  caller: Caller;
  request_id: string;
  traceparent?: string | undefined;
  input: RunInput;
  title: string | undefined;
  config: RunConfig;
  metadata: Record<string, string> | undefined;
  plan: SavedPlan | undefined;
  plan_fingerprint: string | undefined;
  /** Credits reserved for the run; undefined if its workspace has none. */
  reserved: number | undefined;
  /** Whether its model rehearses. */
  simulated: boolean;
}

/** A pending run. */
export function newRun({
  id,
  caller,
  request_id,
  traceparent,
  input,
  title,
  config,
  metadata,
  plan,
  plan_fingerprint,
  reserved,
  simulated,
}: NewRun): RunRecord {
  const now = Date.now();
  return {
    id,
    workspace_id: caller.workspace.workspace_id,
    status: 'pending',
    api_version: API_VERSION,
    created_at: now,
    input_type: input.input_type,
    title,
    config,
    metadata,
    request_id,
    trace_id: currentTrace(),
    traceparent,
    key_id: caller.key.key_id,
    spending_key_id: caller.key.spending_key_id,
    key_daily_limit_usd: caller.key.daily_cost_limit_usd,
    bounded_by: caller.key.bounded_by,
    ...(input.input_type === 'query' && !mayReadTexts(caller.key) && { no_texts: true as const }),
    steps: plan ? pendingSteps(plan) : [],
    plan_fingerprint,
    message: null,
    artifacts: [],
    note_ids: [],
    warnings: [],
    errors: [],
    spent: nothingSpent,
    ...(simulated && { sim: true as const }),
    ...(reserved !== undefined && { credits_at_most: reserved, credits_used: null }),
    resume_count: 0,
    inherited: [],
    position: 0,
    execution: id,
    log_finished: false,
    version: 1,
    last_sequence: 0,
    last_event_at: now,
    due_pk: duePartition(due.runs, id),
    due_at: earlierDeadline({ status: 'pending', config, created_at: now }, now + FIRST_SWEEP_AFTER_MS),
    ...runExpiry(now),
  };
}

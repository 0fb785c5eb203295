// Resuming a failed run: the run continues at the failed step (rules.md: resume).
import { fail } from '#contract/errors.ts';
import type { ResumeRun } from '#contract/runs.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { maximumCreditsFrom } from '#domain/billing/credits.ts';
import { UNPRICED } from '#domain/billing/usage.ts';
import { validatePlan } from '#domain/planning/validate-plan.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { isResumable } from '#domain/runs/lifecycle.ts';
import { FIRST_SWEEP_AFTER_MS } from '#domain/runs/new-run.ts';
import { planFingerprint, requireSavedPlan } from '#domain/runs/saved-plan.ts';
import { spendingKey } from '#store/money/costs.ts';
import { releaseSlot } from '#store/money/slots.ts';
import { checkpointsAt } from '#store/runs/checkpoints.ts';
import { earlierDeadline } from '#store/runs/next-sweep.ts';
import { bothChanges, type RunChange, type RunRecord } from '#store/runs/run-record.ts';
import { getRunView, type RunView } from '#store/runs/run-views.ts';
import * as runs from '#store/runs/runs.ts';
import { due, duePartition } from '#store/table/table-keys.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import { checkTextRights } from './check-create.ts';
import {
  checkDailyCaps,
  releaseFailedClaim,
  releaseLostClaim,
  reserveCapacity,
  reservedCredits,
} from './reserve-capacity.ts';
import { startRun } from './start-run.ts';

/**
 * Resumes a failed run: reserves a slot and credits, sets it pending and starts a new execution. Of two concurrent
 * resumes one wins, the other finds the run in progress. Throws run_not_found, run_not_resumable,
 * plan_fingerprint_mismatch, checkpoint_not_found, forbidden_feature and the errors of capacity.
 */
export async function resumeRun(
  caller: CallerWithCosts,
  runId: string | undefined,
  body: ResumeRun,
  by: Actor,
): Promise<RunView> {
  const view = await findRunView(caller.workspace.workspace_id, runId);
  const { run, input } = view;
  checkResumable(run);
  await checkFingerprint(run, body.plan);
  const plan = await requireSavedPlan(view);
  checkTextRights(caller, plan);
  await checkInherited(run);
  checkDailyCaps(caller);
  // What releases the claims up to the end of the failed attempt must not take this one, even if the clocks differ.
  const now = Math.max(Date.now(), (run.completed_at ?? 0) + 1);
  // The failed attempt may not be finalized yet: its claim must not count as the new one.
  await releaseSlot(run.workspace_id, run.id, run.credits_used ?? 0, { until: run.completed_at });
  const reserved = reservedCredits(caller.workspace, maximumCreditsFrom(plan, run.position));
  await reserveCapacity(caller, run.id, reserved, { at: now, takesOver: true });
  try {
    const pending = await runs.commit(run, {
      change: bothChanges(payerOf(run, body, caller), resumed(run, body, reserved, now)),
      effects: [auditWrite(run.workspace_id, by, 'run.resume', run.id)],
    });
    await startRun(pending);
    return { run: pending, input };
  } catch (error) {
    if (!(error instanceof runs.StaleRun)) {
      await releaseFailedClaim(run, now, error);
      throw error;
    }
    const after = await getRunView(run.workspace_id, run.id);
    await releaseLostClaim(run, after?.run, now);
    // A delete or another resume was faster.
    if (!after) throw fail('run_not_found');
    checkResumable(after.run);
    // The other resume has already failed: decide again.
    return resumeRun(caller, runId, body, by);
  }
}

/** Throws run_not_resumable with its reason. */
function checkResumable(run: RunRecord): void {
  const { status } = run;
  if (status === 'canceled') throw fail('run_not_resumable', { details: { status, reason: 'canceled' } });
  if (status === 'succeeded') throw fail('run_not_resumable', { details: { status, reason: 'not_failed' } });
  if (status !== 'failed') throw fail('run_not_resumable', { details: { status, reason: 'in_progress' } });
  if (!isResumable(run)) throw fail('run_not_resumable', { details: { status, reason: 'no_saved_plan' } });
}

/**
 * Throws checkpoint_not_found if an inherited output, which expires before this run or was deleted with its own, is
 * gone or about to expire (rules.md: resume 10).
 */
async function checkInherited({ workspace_id, inherited, steps }: RunRecord): Promise<void> {
  const needed = inherited.map((run_id, position) => ({ workspace_id, run_id, position }));
  const missing = (await checkpointsAt(needed)).indexOf(undefined);
  const step_index = steps[missing]?.index;
  if (step_index !== undefined) throw fail('checkpoint_not_found', { details: { step_index } });
}

/** Throws plan_fingerprint_mismatch if the request has a plan that differs from the saved one. */
function checkFingerprint(run: RunRecord, sent: ResumeRun['plan']): void {
  if (!sent) return;
  const actual = planFingerprint(validatePlan(sent, run.config.unlimited_transform === true));
  const expected = run.plan_fingerprint ?? '';
  if (actual !== expected)
    throw fail('plan_fingerprint_mismatch', { param: 'plan', details: { expected, actual } });
}

/** Who raises the limit of a run pays for it from there on, within the limits of that key (rules.md: resume 9). */
function payerOf(run: RunRecord, { config }: ResumeRun, { key }: CallerWithCosts): RunChange {
  const before = run.config.max_cost_usd ?? Number.POSITIVE_INFINITY;
  if ((config?.max_cost_usd ?? 0) <= before) return {};
  return {
    spending_key_id: spendingKey(key),
    key_daily_limit_usd: key.daily_cost_limit_usd,
    bounded_by: key.bounded_by,
  };
}

/** The run after a resume: pending again, with its log, and without the traces of its failure. */
function resumed(
  run: RunRecord,
  { config: limits }: ResumeRun,
  reserved: number | undefined,
  now: number,
): RunChange {
  const resume_count = run.resume_count + 1;
  const config = { ...run.config, ...limits };
  const waits = { status: 'pending', config, created_at: run.created_at, pending_since: now } as const;
  const done = new Set(run.steps.slice(0, run.position).map(({ index }) => index));
  return {
    status: 'pending',
    config,
    completed_at: undefined,
    errors: [],
    // The remaining steps add their warnings again. What is missing from the cost stays missing.
    warnings: run.warnings.filter(
      ({ code, step_index }) => code === UNPRICED || step_index === undefined || done.has(step_index),
    ),
    steps: run.steps.map((step, position) => ({
      ...step,
      // Steps done before are not charged again.
      credits_charged: undefined,
      ...(position >= run.position && { status: 'pending', error: undefined, duration_ms: undefined }),
    })),
    ...(reserved !== undefined && { credits_at_most: reserved, credits_used: null }),
    resume_count,
    execution: `${run.id}-r${resume_count}`,
    log_finished: false,
    due_pk: duePartition(due.runs, run.id),
    due_at: earlierDeadline(waits, now + FIRST_SWEEP_AFTER_MS),
    pending_since: config.start_within_seconds === undefined ? undefined : now,
    work_time: undefined,
    model_waited_ms: undefined,
    retained_until: undefined,
  };
}

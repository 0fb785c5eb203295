// The transitions of a run: the state, events and effects of its pause and of each of its ends.
import type { EventBody, RunError } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { type JobKey, jobKeyOf } from '#contract/run-keys.ts';
import type { Waiting } from '#contract/runs.ts';
import { creditsCharged } from '#domain/billing/credits.ts';
import { type DeliveryRecord, deliveryWrite, QUEUE_GRACE_MS } from '#store/runs/deliveries.ts';
import { eventId, logTime } from '#store/runs/events.ts';
import { overWrite } from '#store/runs/jobs.ts';
import { bothChanges, type RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import type { Write } from '#store/table/table.ts';
import { due, duePartition } from '#store/table/table-keys.ts';
import { hasLastingPlan } from './lifecycle.ts';
import { runError } from './run-error.ts';
import { webhookBody } from './webhook-body.ts';

/** Two transitions as one commit. */
export function followedBy(first: Transition, second: Transition): Transition {
  return {
    change: bothChanges(first.change, second.change),
    events: [...(first.events ?? []), ...(second.events ?? [])],
    effects: [...(first.effects ?? []), ...(second.effects ?? [])],
    cost: (first.cost ?? 0n) + (second.cost ?? 0n),
    traced: second.traced ?? first.traced,
  };
}

/** Pauses a run for what it waits for, after the events of its last step. */
export function paused(waiting: Waiting, stepEvents: EventBody[] = []): Transition {
  const { reason, until, step_index } = waiting;
  const at = {
    ...(until !== undefined && { resume_at: until }),
    ...(step_index !== undefined && { step_index }),
  };
  return {
    change: { status: 'paused', waiting, pause_requested: undefined, owner: undefined },
    events: [...stepEvents, { event_type: 'run.paused', data: { status: 'paused', reason, ...at } }],
  };
}

/** Until a token says that it is over. */
export const forMaintenance = (since: number): Waiting => ({ reason: 'maintenance', since });

const ended = {
  log_finished: true,
  wait_error: undefined,
  pause_requested: undefined,
  due_pk: undefined,
  due_at: undefined,
  owner: undefined,
} as const;

/** The open job for which a run waits. */
export function openJob({ workspace_id, waiting }: RunRecord): JobKey | undefined {
  return waiting?.job_id === undefined ? undefined : jobKeyOf(workspace_id, waiting.job_id);
}

/** The write that closes the open job for which a run waits, as the run ends. */
function closedJob(run: RunRecord, status: 'canceled' | 'timed_out', completed_at: number): Write[] {
  const job = openJob(run);
  return job ? [overWrite(job, { status, completed_at })] : [];
}

function credits(run: RunRecord, used: number): { credits_used?: number } {
  return run.credits_at_most === undefined ? {} : { credits_used: used };
}

/**
 * The webhook delivery that becomes due when a run ends. `finalizeRun` queues its message, or the sweep after a crash.
 */
function deliveryOf(
  run: RunRecord,
  type: 'run.succeeded' | 'run.failed',
  events: EventBody[],
  completedAt: number,
): Write[] {
  const { callback_url, retain_seconds } = run.config;
  const unchanged = type === 'run.succeeded' && isUnchanged({ ...run, status: 'succeeded' });
  if (callback_url === undefined || unchanged) return [];
  const event_id = eventId(run.id, run.last_sequence + events.length);
  const delivery: DeliveryRecord = {
    workspace_id: run.workspace_id,
    run_id: run.id,
    event_id,
    listed_at: completedAt,
    event_type: type,
    url: callback_url,
    api_version: run.api_version,
    key_id: run.key_id,
    traceparent: run.traceparent,
    body: webhookBody(run, {
      event_id,
      event_type: type,
      completed_at: completedAt,
      occurred_at: completedAt,
    }),
    status: 'pending',
    attempts: [],
    next_attempt: 1,
    last_attempt: limits.webhook_attempts,
    due_pk: duePartition(due.deliveries, run.id),
    due_at: completedAt + QUEUE_GRACE_MS,
    ...(retain_seconds !== undefined && { retained_until: completedAt + retain_seconds * 1000 }),
  };
  return [deliveryWrite(delivery)];
}

/** The run has done all its work, after the events of its last step. */
export function succeeded(run: RunRecord, stepEvents: EventBody[], now: number): Transition {
  const completed_at = logTime(run, now);
  const used = credits(run, creditsCharged(run.steps));
  const events: EventBody[] = [
    ...stepEvents,
    {
      event_type: 'run.succeeded',
      data: {
        status: 'succeeded',
        step_count: run.steps.length,
        artifact_count: run.artifacts.length,
        duration_ms: completed_at - run.created_at,
        ...used,
      },
    },
  ];
  return {
    change: { ...ended, status: 'succeeded', completed_at, ...used },
    events,
    effects: deliveryOf(run, 'run.succeeded', events, completed_at),
  };
}

/** The step at which a run fails, and the events of its last step. */
interface FailedAt {
  stepIndex?: number | undefined;
  stepEvents?: EventBody[];
}

/** The run has failed with `error`, at a step or outside all steps. */
export function failed(
  run: RunRecord,
  error: RunError,
  now: number,
  { stepIndex, stepEvents = [] }: FailedAt = {},
): Transition {
  const completed_at = logTime(run, now);
  const events: EventBody[] = [
    ...stepEvents,
    {
      event_type: 'run.failed',
      data: {
        status: 'failed',
        error,
        ...(stepIndex !== undefined && { step_index: stepIndex }),
        resumable: hasLastingPlan(run),
        duration_ms: completed_at - run.created_at,
      },
    },
  ];
  return {
    change: {
      ...ended,
      status: 'failed',
      completed_at,
      errors: [...run.errors, error],
      ...credits(run, 0),
    },
    events,
    effects: [
      ...deliveryOf(run, 'run.failed', events, completed_at),
      ...closedJob(run, error.code === 'run_timed_out' ? 'timed_out' : 'canceled', completed_at),
    ],
  };
}

/**
 * The run was canceled and none of its steps is running. `stepIndex` is the step that the cancel interrupted, or null;
 * steps that never ran are canceled too. Finished steps are paid for (rules.md: cancel 2, credits 2).
 */
export function canceled(
  run: RunRecord,
  stepIndex: number | null,
  stepEvents: EventBody[],
  now: number,
): Transition {
  const details = stepIndex === null ? {} : { details: { step_index: stepIndex } };
  return {
    change: {
      ...ended,
      status: 'canceled',
      completed_at: run.completed_at ?? logTime(run, now),
      errors: [
        ...run.errors.filter((error) => error.code !== 'canceled_by_user'),
        runError('canceled_by_user', details),
      ],
      steps: run.steps.map((step) =>
        step.status === 'pending' || step.status === 'running' ? { ...step, status: 'canceled' } : step,
      ),
      ...credits(run, creditsCharged(run.steps)),
    },
    events: [
      ...stepEvents,
      {
        event_type: 'run.canceled',
        data: { status: 'canceled', reason: 'canceled_by_user', step_index: stepIndex },
      },
    ],
    effects: closedJob(run, 'canceled', now),
  };
}

/** Whether the run succeeded without a change, so that its monitor sends no webhook (rules.md: monitors 10). */
export function isUnchanged({ status, changes }: Pick<RunRecord, 'status' | 'changes'>): boolean {
  return (
    status === 'succeeded' && changes !== undefined && Object.values(changes).every((count) => count === 0)
  );
}

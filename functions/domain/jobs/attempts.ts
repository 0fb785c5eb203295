// The attempts of a job: the next one, and what a run that waits for one says.

import type { JobStatus } from '#contract/jobs.ts';
import { jobIdOf } from '#contract/run-keys.ts';
import type { Waiting } from '#contract/runs.ts';
import { overdue } from '#domain/runs/deadlines.ts';
import type { JobRecord, NewJob } from '#store/runs/jobs.ts';
import type { RunTimes } from '#store/runs/runs.ts';

/** What a run says that waits for an open job. `until`: when it looks again, epoch ms. */
export function waitingFor(job: NewJob, since: number, until: number): Waiting {
  const { kind: reason, step_index, source } = job;
  return { reason, since, until, step_index, source, job_id: jobIdOf(job) };
}

const RETRY_FIRST_MS = 2000;

/** How long after a failure the next attempt is sent: 2 s, 4 s and so on (rules.md: jobs 6). */
export const retryDelayMs = ({ attempt }: Pick<JobRecord, 'attempt'>): number =>
  RETRY_FIRST_MS * 2 ** (attempt - 1);

/** The next attempt, sent at `tell_at` (epoch ms); undefined after the last one, or past the deadline by then. */
export function nextAttempt(job: JobRecord, now: number, tell_at: number): NewJob | undefined {
  if (job.attempt >= job.attempts || tell_at >= job.deadline_at) return undefined;
  const { workspace_id, run_id, position, resume, kind, source, entity_type, step_index } = job;
  const { deadline_at, attempts, heartbeat_seconds, asked } = job;
  return {
    ...{ workspace_id, run_id, position, resume, attempt: job.attempt + 1 },
    ...{ kind, source, entity_type, step_index, created_at: now, deadline_at, attempts, tell_at, asked },
    ...(heartbeat_seconds !== undefined && { heartbeat_seconds }),
  };
}

/**
 * The status of a job at `now`: past its deadline, or that of its run, it is over, whether the run has looked or not
 * (rules.md: jobs 7).
 */
export function statusAt(
  { status, deadline_at }: Pick<JobRecord, 'status' | 'deadline_at'>,
  run: Pick<RunTimes, 'created_at' | 'config' | 'work_time'>,
  now: number,
): JobStatus {
  // The run of an open job is running.
  const isLate = now >= deadline_at || overdue({ ...run, status: 'running' }, now) !== undefined;
  return status === 'open' && isLate ? 'timed_out' : status;
}

// The attempts of a job: the next one, and what a run that waits for one says.

import { jobIdOf } from '#contract/run-keys.ts';
import type { Waiting } from '#contract/runs.ts';
import type { JobRecord, NewJob } from '#store/runs/jobs.ts';

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

/** Whether a job may still be answered at `now`: it is open, and its deadline is not over (rules.md: jobs 7). */
export const isOpen = ({ status, deadline_at }: Pick<JobRecord, 'status' | 'deadline_at'>, now: number) =>
  status === 'open' && now < deadline_at;

// Jobs as clients read them: in lists, and one with what is asked. Never a token.
import type { Job, ListedJob } from '#contract/jobs.ts';
import { type JobKey, jobIdOf } from '#contract/run-keys.ts';
import { picoToUsd } from '#models/pricing.ts';
import { attemptTraceparent } from '#platform/trace-context.ts';
import type { JobRecord } from '#store/runs/jobs.ts';
import * as jobs from '#store/runs/jobs.ts';
import { statusAt } from './attempts.ts';
import { checkOpen, findJob } from './messages.ts';

/** A job in a list at `now`. */
export function toListedJob(job: JobRecord, run: Parameters<typeof statusAt>[1], now: number): ListedJob {
  const { run_id, step_index, attempt, source, kind, created_at, deadline_at } = job;
  const { completed_at, message, items, cost_pico_usd } = job;
  const status = statusAt(job, run, now);
  return {
    ...{ job_id: jobIdOf(job), run_id, step_index, attempt, source, kind, status, created_at, deadline_at },
    ...(completed_at !== undefined && { completed_at }),
    ...(message !== undefined && { message }),
    ...(items !== undefined && { items }),
    ...(cost_pico_usd !== undefined && { cost_usd: picoToUsd(BigInt(cost_pico_usd)) }),
  };
}

/**
 * A job with what is asked. The bearer of its token sees it while it is open. Throws job_not_found, job_over.
 */
export async function getJob(key: JobKey | undefined, byToken: boolean): Promise<Job> {
  const { job, run } = await findJob(key);
  const now = Date.now();
  if (byToken) checkOpen({ job, run }, now);
  const { items: items_in, ...asked } = await jobs.openAsked(job);
  const listed = toListedJob(job, run, now);
  return {
    object: 'job',
    ...listed,
    ...asked,
    entity_type: job.entity_type,
    items_in,
    traceparent: attemptTraceparent(run, listed.job_id, job.attempt),
  };
}

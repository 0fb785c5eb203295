// The message that a run has closed a job: once, through the queue of deliveries, best effort (rules.md: jobs 9).
import type { JobStatus } from '#contract/jobs.ts';
import { type JobKey, jobIdOf } from '#contract/run-keys.ts';
import { enqueueClosedJob, type JobMessage } from '#orchestration/delivery-queue.ts';
import { describe, log } from '#platform/log.ts';
import * as jobs from '#store/runs/jobs.ts';
import * as liveSources from '#store/workspaces/sources.ts';
import { addressOf, tell } from './tell.ts';

/** Asks for the message about a job that its run has closed. Never throws: nothing depends on it. */
export async function tellClosed(job: JobKey | undefined): Promise<void> {
  if (!job) return;
  const { workspace_id, run_id, position, resume, attempt } = job;
  await enqueueClosedJob({ workspace_id, run_id, position, resume, attempt, send: 'job_canceled' }).catch(
    (error: unknown) => log.warn('no message about a closed job', { run_id, error: describe(error) }),
  );
}

const CLOSED: readonly JobStatus[] = ['canceled', 'timed_out', 'replaced'];

/** Sends the message, unless the job was over before it was to be sent. */
export async function sendClosed({ send: _, ...key }: JobMessage): Promise<void> {
  const job = await jobs.get(key);
  // A message of the worker may have come first. A worker may be at work whose answer to the job was lost.
  if (!job || !CLOSED.includes(job.status) || (job.completed_at ?? 0) < job.tell_at) return;
  const source = await liveSources.get(job.workspace_id, job.source);
  if (source?.kind !== job.kind) return;
  const url = addressOf(source);
  if (url === undefined) return;
  await tell(source, url, { event: 'job.canceled', job_id: jobIdOf(job) }).catch((error: unknown) =>
    log.info('job.canceled not taken', { run_id: job.run_id, source: job.source, error: describe(error) }),
  );
}

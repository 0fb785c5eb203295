// Telling a worker, or those who notify a person, of a job: one signed POST (rules.md: jobs 4, jobs 9).
import type { JobCanceled, JobRequested, QuestionRequested } from '#contract/jobs.ts';
import { limits } from '#contract/limits.ts';
import { jobIdOf } from '#contract/run-keys.ts';
import { signedHeaders } from '#domain/sources/http-pages.ts';
import { failureOf, wrongStatus } from '#domain/sources/source-failure.ts';
import { secretsIn } from '#domain/sources/source-secrets.ts';
import { type Send, send } from '#outbound/request.ts';
import { env } from '#platform/env.ts';
import { attemptTraceparent } from '#platform/trace-context.ts';
import type { Asked, JobRecord } from '#store/runs/jobs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import type { JobSource } from '#store/workspaces/sources.ts';
import { createJobToken } from './token.ts';

/** Where the messages of a job go; undefined: only the list has them. */
export const addressOf = (source: JobSource): string | undefined =>
  source.kind === 'job' ? source.url : source.notify_url;

/** What is sent about a job. `traceparent` continues the trace of its run. */
export async function jobRequested(
  job: JobRecord,
  { items, schema: _, ...asked }: Asked,
  run: Pick<RunRecord, 'id' | 'traceparent'>,
): Promise<JobRequested | QuestionRequested> {
  const { run_id, step_index, attempt, source, kind, deadline_at } = job;
  const job_id = jobIdOf(job);
  const token = await createJobToken(job);
  const requested = {
    event: 'job.requested' as const,
    ...{ job_id, run_id, step_index, attempt, source, ...asked, items, deadline_at },
    job_url: `${env('BASE_URL')}/jobs/${job_id}`,
    traceparent: attemptTraceparent(run, job_id, attempt),
  };
  if (kind === 'job') return { ...requested, token };
  return { ...requested, answer_url: `${env('SITE_URL')}/console/jobs/${job_id}#token=${token}` };
}

/** One try. Any 2xx takes it, and its body is not read. Throws SourceFailure. */
export async function tell(
  source: JobSource,
  url: string,
  message: JobRequested | QuestionRequested | JobCanceled,
  signal?: AbortSignal,
  post: Send = send,
): Promise<void> {
  const body = JSON.stringify(message);
  const outcome = await post({
    method: 'POST',
    url,
    headers: signedHeaders(await secretsIn(source), body),
    body,
    timeoutMs: limits.job_call_timeout_ms,
    ...(signal && { signal }),
  });
  if (outcome.kind !== 'response') throw failureOf(outcome);
  if (outcome.status < 200 || outcome.status > 299) throw wrongStatus(outcome.status);
}

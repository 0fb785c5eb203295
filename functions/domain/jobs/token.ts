// The token of a job: a MAC of the job and its expiry, good for this job alone; it is never stored (rules.md: jobs 5).
import { fail } from '#contract/errors.ts';
import { type JobKey, jobIdOf, jobKeyOf } from '#contract/run-keys.ts';
import { readClaims, signClaims } from '#platform/signed-claims.ts';
import type { JobRecord } from '#store/runs/jobs.ts';

/** After the deadline a worker that is late still learns that its job is over. */
const AFTER_DEADLINE_MS = 24 * 3600 * 1000;

/** The token that is sent with a job. */
export function createJobToken(job: JobRecord): Promise<string> {
  const expires_at = job.deadline_at + AFTER_DEADLINE_MS;
  return signClaims('job-token', `${job.workspace_id}|${jobIdOf(job)}|${expires_at}`);
}

/** The job of a token. Throws auth_invalid if it is malformed or of another job, auth_expired. */
export async function jobOfToken(token: string, jobId: string): Promise<JobKey> {
  const claims = await readClaims('job-token', token);
  const [workspace_id = '', tokenJob, expiry = ''] = claims?.split('|') ?? [];
  if (tokenJob === undefined || tokenJob !== jobId.toLowerCase()) throw fail('auth_invalid');
  const expired_at = Number(expiry);
  if (expired_at <= Date.now()) throw fail('auth_expired', { details: { expired_at } });
  const job = jobKeyOf(workspace_id, tokenJob);
  if (!job) throw fail('auth_invalid');
  return job;
}

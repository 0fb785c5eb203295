// The caller of a route of a job: its worker or person, by the token of the job, or a key of the workspace.
import { type JobKey, jobKeyOf } from '#contract/run-keys.ts';
import {
  authenticate,
  bearerKeyOf,
  checkWorkspace,
  looksLikeKey,
  requireScope,
} from '#domain/access/authenticate.ts';
import { jobOfToken } from '#domain/jobs/token.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import type { Identify } from './api.ts';
import { inTime } from './too-late.ts';

export interface JobCaller {
  /** The job of the path, in the workspace of the caller; undefined if it is no id of a job. */
  job: JobKey | undefined;
  /** The caller has the token of the job, and may see it while it is open alone. */
  by_token: boolean;
}

/** The job of a token. Throws auth_invalid, auth_expired, and what the standing of the workspace forbids. */
async function jobOfBearer(token: string, jobId: string): Promise<JobKey> {
  const job = await jobOfToken(token, jobId);
  checkWorkspace(await workspaces.get(job.workspace_id));
  return job;
}

/** Adds the job of the path. Throws what `authenticate`, `requireScope` and `jobOfBearer` throw; TooLate. */
export const byKeyOrJobToken: Identify<JobCaller> = ({ scope }) => ({
  before: async ({ context }) => {
    const { headers, params } = context.request;
    const bearer = bearerKeyOf(headers.authorization);
    context.by_token = !looksLikeKey(bearer);
    if (context.by_token) {
      context.job = await inTime(context, jobOfBearer(bearer, params.id ?? ''));
      return;
    }
    const { key, workspace } = await inTime(context, authenticate(headers.authorization));
    if (scope) requireScope(key, scope);
    context.job = jobKeyOf(workspace.workspace_id, params.id ?? '');
  },
});

// Command `webhook.sign`: the webhooks that `admin listen` forwards.
import { newestRuns, signedWebhooks } from '#domain/webhooks/preview.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import type { RunRecord } from '#store/runs.ts';
import * as runs from '#store/runs.ts';
import { findRun } from './find-run.ts';

export interface SignWebhooks {
  run_id?: string | undefined;
  workspace_id?: string | undefined;
  ended_after: number;
  after?: string | undefined;
}

/** What was asked for; `next` goes on where a page of workspaces lacks the run. */
async function runsOf({
  run_id,
  workspace_id,
  after,
}: SignWebhooks): Promise<{ found: RunRecord[]; next?: string | undefined }> {
  if (run_id !== undefined && workspace_id === undefined) {
    const { run, next } = await findRun(run_id, after);
    return { found: run ? [run] : [], next };
  }
  if (workspace_id !== undefined && run_id === undefined) return { found: await newestRuns(workspace_id) };
  const run = workspace_id !== undefined && run_id !== undefined && (await runs.get(workspace_id, run_id));
  if (!run) throw new AdminError('run_not_found', 'There is no such run.');
  return { found: [run] };
}

/**
 * Signed webhooks of a run or of a workspace's newest runs. A run is found at once by its workspace too, which the answer names; else a page
 * of workspaces a call is searched for it. Throws AdminError `run_not_found`.
 */
export async function signWebhooks(asked: SignWebhooks): Promise<object> {
  const { found, next } = await runsOf(asked);
  const home = asked.run_id !== undefined && found[0] ? { workspace_id: found[0].workspace_id } : {};
  return { webhooks: await signedWebhooks(found, asked.ended_after), ...home, next };
}

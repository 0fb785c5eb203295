// Command `webhook.sign`: the webhooks that `admin listen` forwards.
import { newestRuns, signedWebhooks } from '#domain/webhooks/preview.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import type { RunRecord } from '#store/runs.ts';
import * as runs from '#store/runs.ts';
import * as workspaces from '#store/workspaces.ts';

export interface SignWebhooks {
  run_id?: string | undefined;
  workspace_id?: string | undefined;
  ended_after: number;
}

async function runsOf({ run_id, workspace_id }: SignWebhooks): Promise<RunRecord[]> {
  if (workspace_id !== undefined) return newestRuns(workspace_id);
  const run = run_id === undefined ? undefined : await runs.findAnywhere(await workspaces.listIds(), run_id);
  if (!run) throw new AdminError('run_not_found', 'No workspace has this run.');
  return [run];
}

/** Signed webhooks of a run or of a workspace's newest runs. Throws AdminError `run_not_found`. */
export async function signWebhooks(asked: SignWebhooks): Promise<object> {
  return { webhooks: await signedWebhooks(await runsOf(asked), asked.ended_after) };
}

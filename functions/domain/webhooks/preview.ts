// Webhooks for development: the signed request that the end of a run would post, for `admin listen` to forward to a local address.
import { webhookBody } from '#domain/runs/webhook-body.ts';
import { eventId } from '#store/events.ts';
import * as runList from '#store/run-list.ts';
import * as runs from '#store/runs.ts';
import { webhookHeaders } from './sign.ts';
import { signingSecret } from './signing-secret.ts';

export interface SignedWebhook {
  run_id: string;
  event_id: string;
  /** Epoch ms. */
  completed_at: number;
  body: string;
  headers: Record<string, string>;
}

const NEWEST = 50;

/** The webhook of a run that has succeeded or failed, with a callback URL or without; undefined for any other run. */
async function signedWebhook(run: runs.RunRecord): Promise<SignedWebhook | undefined> {
  const { status, completed_at } = run;
  if ((status !== 'succeeded' && status !== 'failed') || completed_at === undefined) return undefined;
  const event = { event_id: eventId(run.id, run.last_sequence), event_type: `run.${status}` as const };
  const body = webhookBody(run, { ...event, completed_at, occurred_at: run.last_event_at });
  const signing = {
    secretHex: await signingSecret(run.key_id),
    body,
    timestampSeconds: Math.floor(Date.now() / 1000),
  };
  const headers = webhookHeaders({ eventId: event.event_id, apiVersion: run.api_version }, signing);
  return { run_id: run.id, event_id: event.event_id, completed_at, body, headers };
}

/** Webhooks of one run, or of the newest runs of a workspace that ended after `endedAfter` (epoch ms), oldest end first. */
export async function signedWebhooks(found: runs.RunRecord[], endedAfter: number): Promise<SignedWebhook[]> {
  const signed = await Promise.all(found.map(signedWebhook));
  return signed
    .flatMap((webhook) => webhook ?? [])
    .filter((webhook) => webhook.completed_at > endedAfter)
    .sort((a, b) => a.completed_at - b.completed_at);
}

/** The newest runs of a workspace. */
export async function newestRuns(workspaceId: string): Promise<runs.RunRecord[]> {
  const { listed } = await runList.page(workspaceId, { limit: NEWEST });
  return runs.getMany(
    workspaceId,
    listed.map(({ run_id }) => run_id),
  );
}

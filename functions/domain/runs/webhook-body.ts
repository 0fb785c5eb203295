// The body of a webhook: minimal, and the same bytes for every attempt.
import type { WebhookBody } from '#contract/webhooks.ts';
import type { RunRecord } from '#store/runs/run-record.ts';

/** JSON text to post when a run ends; `occurred_at` goes out in whole seconds (rules.md: webhooks 1). */
export function webhookBody(
  run: RunRecord,
  event: {
    event_id: string;
    event_type: 'run.succeeded' | 'run.failed';
    occurred_at: number;
    completed_at: number;
  },
): string {
  const body: WebhookBody = {
    event_id: event.event_id,
    event_type: event.event_type,
    occurred_at: Math.floor(event.occurred_at / 1000),
    api_version: run.api_version,
    run_id: run.id,
    workspace_id: run.workspace_id,
    data: {
      id: run.id,
      object: 'run',
      status: event.event_type === 'run.succeeded' ? 'succeeded' : 'failed',
      created_at: run.created_at,
      completed_at: event.completed_at,
    },
  };
  return JSON.stringify(body);
}

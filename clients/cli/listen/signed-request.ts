// The webhook of a run's end as the service would send it: the same body and signature.
import { createHash, createHmac } from 'node:crypto';
import type { Run, RunEvent, WebhookBody } from '../../sdk/index.ts';

/** An event that ends a run and is delivered. */
export type EndEvent = Extract<RunEvent, { event_type: 'run.succeeded' | 'run.failed' }>;

export function isEnd(event: RunEvent): event is EndEvent {
  return event.event_type === 'run.succeeded' || event.event_type === 'run.failed';
}

/** The exact body; `created_at` and `workspace_id` are the run's. */
export function webhookBody(run: Pick<Run, 'created_at' | 'workspace_id'>, event: EndEvent): string {
  const body: WebhookBody = {
    event_id: event.event_id,
    event_type: event.event_type,
    occurred_at: Math.floor(event.occurred_at / 1000),
    api_version: event.api_version,
    run_id: event.run_id,
    workspace_id: run.workspace_id,
    data: {
      id: event.run_id,
      object: 'run',
      status: event.data.status,
      created_at: run.created_at,
      completed_at: run.created_at + event.data.duration_ms,
    },
  };
  return JSON.stringify(body);
}

/** All headers of one attempt, signed now: the service's scheme and that of Standard Webhooks. */
export function webhookHeaders(
  event: EndEvent,
  body: string,
  apiKey: string,
  nowMs: number,
): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const secret = createHash('sha256').update(apiKey).digest('hex');
  const mac = (text: string) => createHmac('sha256', secret).update(text);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1',
    'X-Service-Signature': `t=${seconds},v1=${mac(`${seconds}.${body}`).digest('hex')}`,
    'X-Service-Event-Id': event.event_id,
    'X-Service-Api-Version': event.api_version,
    'webhook-id': event.event_id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac(`${event.event_id}.${seconds}.${body}`).digest('base64')}`,
  };
}

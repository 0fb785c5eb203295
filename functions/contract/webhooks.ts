// Webhook deliveries: the signed body, and the log of attempts.
import * as z from 'zod';
import { EpochMs, Uuid } from './json.ts';
import { RunStatus } from './runs.ts';

const WebhookEventType = z.enum(['run.succeeded', 'run.failed']).meta({ id: 'WebhookEventType' });

/** Body posted to a run's callback URL; `occurred_at` is in whole seconds, unlike everywhere else. */
export const WebhookBody = z
  .strictObject({
    event_id: z.string(),
    event_type: WebhookEventType,
    occurred_at: z.number().int().meta({ format: 'int64' }),
    api_version: z.string(),
    run_id: Uuid,
    workspace_id: Uuid,
    data: z
      .strictObject({
        id: Uuid,
        object: z.literal('run'),
        status: RunStatus,
        created_at: EpochMs,
        completed_at: EpochMs,
      })
      .meta({ id: 'WebhookRun' }),
  })
  .meta({ id: 'WebhookBody' });
export type WebhookBody = z.infer<typeof WebhookBody>;

export const DeliveryAttempt = z
  .strictObject({
    at: EpochMs,
    status_code: z.number().int().optional(),
    error: z.string().optional(),
    duration_ms: z.number().int().nonnegative(),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const Delivery = z
  .strictObject({
    event_id: z.string(),
    event_type: WebhookEventType,
    url: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']).meta({ id: 'DeliveryStatus' }),
    attempts: z.array(DeliveryAttempt),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryList = z
  .strictObject({ object: z.literal('list'), data: z.array(Delivery) })
  .meta({ id: 'DeliveryList' });

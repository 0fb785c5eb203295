// Webhook deliveries: the signed body, and the log of attempts.
import * as z from 'zod';
import { EpochMs, Uuid } from './json.ts';
import { limits } from './limits.ts';
import { RunStatus } from './runs.ts';

const WebhookEventType = z.enum(['run.succeeded', 'run.failed']).meta({ id: 'WebhookEventType' });

export const WebhookRun = z
  .strictObject({
    id: Uuid,
    object: z.literal('run'),
    status: RunStatus,
    created_at: EpochMs,
    completed_at: EpochMs,
  })
  .meta({ id: 'WebhookRun' });

/** Body posted to a run's callback URL; `occurred_at` is in whole seconds, unlike everywhere else. */
export const WebhookBody = z
  .strictObject({
    event_id: z.string(),
    event_type: WebhookEventType,
    occurred_at: z.number().int().meta({ format: 'int64' }),
    api_version: z.string(),
    run_id: Uuid,
    workspace_id: Uuid,
    data: WebhookRun,
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

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed']).meta({ id: 'DeliveryStatus' });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const Delivery = z
  .strictObject({
    event_id: z.string(),
    event_type: WebhookEventType,
    url: z.string(),
    status: DeliveryStatus,
    /** The newest; each redelivery adds one (rules.md: webhooks 4). */
    attempts: z.array(DeliveryAttempt).max(limits.delivery_attempts_stored),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryList = z
  .strictObject({ object: z.literal('list'), data: z.array(Delivery) })
  .meta({ id: 'DeliveryList' });

/** A delivery in the list of its workspace. */
export const WorkspaceDelivery = z
  .strictObject({ run_id: Uuid, created_at: EpochMs, ...Delivery.shape })
  .meta({ id: 'WorkspaceDelivery' });
export type WorkspaceDelivery = z.infer<typeof WorkspaceDelivery>;

export const WorkspaceDeliveryList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(WorkspaceDelivery),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'WorkspaceDeliveryList' });

/** Body of `POST /webhook-deliveries/redeliver`. */
export const RedeliverFailed = z
  .strictObject({
    status: z.literal('failed'),
    created_after: EpochMs.optional(),
    created_before: EpochMs.optional(),
  })
  .meta({ id: 'RedeliverFailed' });
export type RedeliverFailed = z.infer<typeof RedeliverFailed>;

export const Redelivered = z
  .strictObject({ redelivered: z.number().int().nonnegative(), has_more: z.boolean() })
  .meta({ id: 'Redelivered' });
export type Redelivered = z.infer<typeof Redelivered>;

// Table of contents: every event of a run's log and its data (rules.md: events).
import * as z from 'zod';
import { ArtifactKind } from './artifacts.ts';
import { ErrorCode, ErrorType } from './errors.ts';
import { EpochMs, JsonObject, Uuid } from './json.ts';
import { InputType } from './plans.ts';
import { StepKind } from './steps.ts';

/** An error of a run: in its `errors` and in failure events. */
export const RunError = z
  .strictObject({
    code: ErrorCode,
    type: ErrorType,
    message: z.string(),
    doc_url: z.string(),
    details: JsonObject.optional(),
  })
  .meta({ id: 'RunError' });
export type RunError = z.infer<typeof RunError>;

const WarningCode = z
  .enum([
    'results_truncated',
    'partial_failure',
    'source_not_found',
    'field_not_found',
    'assumed_interpretation',
    'query_partly_understood',
    'message_unverified',
    'artifact_truncated',
    'input_shortened',
    'output_incomplete',
    'unpriced_usage',
    'model_fallback',
    'vectors_outdated',
  ])
  .meta({ id: 'WarningCode' });

export const Warning = z
  .strictObject({
    code: WarningCode,
    message: z.string(),
    step_index: z.number().int().optional(),
    details: JsonObject.optional(),
  })
  .meta({ id: 'Warning' });
export type Warning = z.infer<typeof Warning>;

const count = z.number().int().nonnegative();
const index = z.number().int();
const step = { step_index: index, kind: StepKind, title: z.string(), status: z.string() };

/** What a run waits for: paused, or running with an open job (rules.md: waits, jobs). */
export const WaitReason = z
  .enum(['maintenance', 'model_unavailable', 'job', 'person'])
  .meta({ id: 'WaitReason' });

/** The run and step that a rerun starts from. */
export const RerunOf = z
  .strictObject({ run_id: Uuid, step_index: z.number().int().nonnegative() })
  .meta({ id: 'RerunOf' });

/** `data` by event type. `connection.expired` occurs only in the stream, never in the log. */
export const eventData = {
  'run.created': z.strictObject({
    status: z.literal('pending'),
    input_type: InputType,
    rerun_of: RerunOf.optional(),
  }),
  'run.pre_validation': z.strictObject({
    step_index: z.literal(-1),
    status: z.literal('completed'),
    title: z.string(),
    duration_ms: count,
    warnings: z.array(Warning),
  }),
  'run.started': z.strictObject({
    status: z.literal('running'),
    step_count: count.nullable(),
    resumed: z.literal(true).optional(),
    reason: z
      .enum(['resume', 'maintenance_over', 'model_available'])
      .meta({ id: 'RestartReason' })
      .optional(),
  }),
  'run.succeeded': z.strictObject({
    status: z.literal('succeeded'),
    step_count: count,
    artifact_count: count,
    duration_ms: count,
    credits_used: count.optional(),
  }),
  'run.failed': z.strictObject({
    status: z.literal('failed'),
    error: RunError,
    step_index: index.optional(),
    resumable: z.boolean(),
    duration_ms: count,
  }),
  'run.paused': z.strictObject({
    status: z.literal('paused'),
    reason: WaitReason,
    // Of a run that waits for a model.
    resume_at: EpochMs.optional(),
    step_index: index.optional(),
  }),
  'run.canceled': z.strictObject({
    status: z.literal('canceled'),
    reason: z.literal('canceled_by_user'),
    step_index: index.nullable(),
  }),
  'step.started': z.strictObject({ ...step, attempt: count }),
  'step.completed': z.strictObject({ ...step, items_out: count.optional(), duration_ms: count }),
  'step.failed': z.strictObject({ ...step, error: RunError, duration_ms: count }),
  'step.skipped': z.strictObject({
    ...step,
    reason: z.literal('checkpoint'),
    checkpoint_run_id: Uuid,
    items_out: count.optional(),
  }),
  'step.retrying': z.strictObject({
    ...step,
    attempt: count,
    max_attempts: count,
    delay_ms: count,
    error: RunError,
  }),
  'step.progress': z.strictObject({
    step_index: index,
    kind: StepKind,
    message: z.string().optional(),
    items_done: count,
    items_total: count,
  }),
  'artifact.created': z.strictObject({
    artifact_id: Uuid,
    kind: ArtifactKind,
    title: z.string(),
    row_count: count.optional(),
    step_index: index.optional(),
  }),
  'connection.expired': z.strictObject({
    reason: z.literal('max_duration'),
    last_event_id: z.string().nullable(),
    max_duration_ms: count,
  }),
} as const;

export type EventType = keyof typeof eventData;
export const eventTypes = Object.keys(eventData) as [EventType, ...EventType[]];
export const EventType = z.enum(eventTypes).meta({ id: 'EventType' });

/** An event before it is written: its type and data. */
export type EventBody = {
  [T in EventType]: { event_type: T; data: z.infer<(typeof eventData)[T]> };
}[EventType];

/** An event as clients read it. */
export const RunEvent = z.strictObject({
  id: z.string(),
  event_id: z.string(),
  sequence: z.number().int().meta({ format: 'int64' }),
  event_type: EventType,
  occurred_at: EpochMs,
  run_id: Uuid,
  api_version: z.string(),
  data: JsonObject,
});
export type RunEvent = z.infer<typeof RunEvent>;

/** Event types that end a run's log until a resume (rules.md: events 3). */
export const finalEventTypes: readonly EventType[] = ['run.succeeded', 'run.failed', 'run.canceled'];

// Table of contents: every route. The REST API, its functions and the OpenAPI document derive from it.
import * as z from 'zod';
import { CreateKey, KeyList, NewKey, RotateKey } from './api-keys.ts';
import { Artifact } from './artifacts.ts';
import { AuditList } from './audit.ts';
import type { Deprecation } from './deprecation.ts';
import { EntityList, EntityRecord, EntityTypeList, Note, ResolveResults } from './entities.ts';
import {
  DeletedEntities,
  DeleteEntities,
  ImportEntities,
  ImportedEntities,
  UpdateEntity,
} from './entity-changes.ts';
import type { ErrorCode } from './errors.ts';
import { ArtifactLink, CreateArtifactLink, ExportFormat } from './exports.ts';
import {
  AddJobItems,
  CompleteJob,
  FailJob,
  Job,
  JobAccepted,
  JobKind,
  JobList,
  JobOpen,
  JobStatus,
  ProgressJob,
} from './jobs.ts';
import { EpochMs, text, Uuid } from './json.ts';
import { limits } from './limits.ts';
import { SourceList } from './live-sources.ts';
import { Me } from './me.ts';
import { CreateMonitor, Fire, FireList, Monitor, MonitorList, UpdateMonitor } from './monitors.ts';
import {
  CreateRun,
  EventPage,
  EventToken,
  InputType,
  MetadataPair,
  RerunRun,
  ResumeRun,
  RunEnvelope,
  RunList,
  RunOrCheck,
  RunStatuses,
} from './runs.ts';
import { SavedCallList } from './saved-calls.ts';
import type { Scope } from './scopes.ts';
import { StepItemList, WhichItems } from './step-items.ts';
import { SyncMessage, SyncReply } from './sync.ts';
import { Trace } from './traces.ts';
import {
  DeliveryList,
  DeliveryStatus,
  Redelivered,
  RedeliverFailed,
  WorkspaceDeliveryList,
} from './webhooks.ts';
import { UsageList, UsageQuery } from './workspace-usage.ts';

/**
 * The functions that serve routes. Routes of one function share its rights, and all of them stream their replies, or
 * none does: a route with a strong right (KMS, a model, the bucket, executions) shares it with no route without.
 */
export const httpFunctions = [
  'Read',
  'Download',
  'Change',
  'Write',
  'Start',
  'Restart',
  'Keys',
  'Entities',
  'Stream',
  'Sync',
  'Mcp',
  'Site',
] as const;
export type HttpFunction = (typeof httpFunctions)[number];

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The function that serves it. */
  function: HttpFunction;
  /** The function receives every method and refuses those it does not support. */
  any_method?: true;
  /** Path below the host root. The REST stage is named `api`, so its resources start after `/api`. */
  path: string;
  /** Further paths of the same function. */
  also?: readonly string[];
  summary: string;
  /** Who may call: a bearer key with `scope`, also a token or a link, a bridge's signature, or anyone. */
  auth: 'key' | 'event_token' | 'link' | 'job_token' | 'signature' | 'none';
  scope?: Scope;
  /** Streams its reply, so it may take longer than the gateway's 29 s. */
  streaming?: true;
  query?: z.ZodObject;
  /** Header parameters besides those of every request. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  body_required?: boolean;
  /** Success statuses and their JSON schemas; null: no JSON. */
  replies: Partial<Record<200 | 201 | 202 | 204, z.ZodType | null>>;
  /** Media type of a success that is not JSON. */
  media_type?: string;
  /** Media types of a success besides JSON. */
  text_types?: readonly string[];
  errors: readonly ErrorCode[];
  /** The route will go: its replies say when. */
  deprecated?: Deprecation;
}

const key = [
  'auth_missing',
  'auth_invalid',
  'auth_expired',
  'forbidden_feature',
  'forbidden_workspace',
  'workspace_not_found',
  'unsupported_media_type',
  'payload_too_large',
  'schema_validation_failed',
  'internal_error',
] as const;
const capacity = [
  'concurrent_runs_exceeded',
  'workspace_cost_cap_exceeded',
  'cost_threshold_exceeded',
  'usage_accounting_unavailable',
] as const;
const body = ['invalid_json', 'missing_required_field'] as const;
/** What a create answers that is refused before it costs anything. */
const createRefusals = [
  'unsupported_input_type',
  'unsupported_preset',
  'plan_too_large',
  'invalid_callback_url',
  'entity_not_resolvable',
] as const;
const idempotencyKey = z.object({
  'Idempotency-Key': z.string().min(1).max(limits.idempotency_key_max_characters).optional(),
});

const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Not a whole number')
    .transform(Number)
    .pipe(z.number().int().min(minimum).max(maximum));

/** The index of a step, or -1 for what comes before the steps. */
const stepIndex = z
  .string()
  .regex(/^(-1|\d{1,15})$/, 'Not the index of a step, nor -1')
  .transform(Number)
  .pipe(z.number().int().min(-1).max(999_999_999_999_999));

/** Names of columns, separated by commas. */
const columnNames = z
  .string()
  .transform((names) => names.split(','))
  .pipe(z.array(z.string()));

/** The year 5138 at the latest: run names have no room for a later one. */
const epochMs = z
  .string()
  .regex(/^\d{1,14}$/, 'Not a time in epoch milliseconds')
  .transform(Number)
  .pipe(EpochMs.max(99_999_999_999_999));

/** The query of a list that is read page by page. */
const page = (max: number) => ({
  limit: wholeNumber(1, max).optional(),
  cursor: z.string().min(1).optional(),
});

export const routes = {
  GetMe: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/me',
    summary: 'Who the key is',
    auth: 'key',
    replies: { 200: Me },
    errors: key,
  },
  CreateRun: {
    method: 'POST',
    function: 'Start',
    path: '/api/v1/runs',
    summary: 'Create a run',
    auth: 'key',
    scope: 'runs:create',
    streaming: true,
    query: z.strictObject({ validate_only: z.enum(['0', '1']).optional() }),
    headers: idempotencyKey.extend({ traceparent: z.string().optional() }),
    body: CreateRun,
    body_required: true,
    replies: { 200: RunOrCheck, 202: RunEnvelope },
    errors: [
      ...key,
      ...body,
      ...capacity,
      ...createRefusals,
      'idempotency_key_conflict',
      'query_ambiguous',
      'entity_ambiguous',
      'model_unavailable',
      'model_refused',
      'model_answer_unusable',
      'upstream_timeout',
    ],
  },
  ListRuns: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/runs',
    summary: 'List runs, newest first',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject({
      status: RunStatuses.optional(),
      input_type: InputType.optional(),
      created_after: epochMs.optional(),
      created_before: epochMs.optional(),
      metadata: MetadataPair.optional(),
      ...page(limits.runs_page_max),
    }),
    replies: { 200: RunList },
    errors: key,
  },
  GetRun: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/runs/{id}',
    summary: 'Read a run',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject({ include: z.literal('plan').optional() }),
    replies: { 200: RunEnvelope },
    errors: [...key, 'run_not_found'],
  },
  GetTrace: {
    method: 'GET',
    function: 'Download',
    path: '/api/v1/runs/{id}/trace',
    summary: 'Read the trace of a run',
    auth: 'key',
    scope: 'runs:read',
    streaming: true,
    replies: { 200: Trace },
    errors: [...key, 'run_not_found'],
  },
  ListCalls: {
    method: 'GET',
    function: 'Download',
    path: '/api/v1/runs/{id}/calls',
    summary: 'List the model calls that a run keeps, with prompts and answers',
    auth: 'key',
    scope: 'artifacts:read',
    streaming: true,
    query: z.strictObject({ step_index: stepIndex.optional(), ...page(limits.calls_page_max) }),
    replies: { 200: SavedCallList },
    errors: [...key, 'run_not_found'],
  },
  ListStepItems: {
    method: 'GET',
    function: 'Download',
    path: '/api/v1/runs/{id}/steps/{index}/items',
    summary: 'List what a step passed on, or what a filter dropped',
    auth: 'key',
    scope: 'artifacts:read',
    streaming: true,
    query: z.strictObject({
      which: WhichItems.optional(),
      offset: wholeNumber(0, 999_999_999).optional(),
      limit: wholeNumber(1, limits.step_items_page_max).optional(),
    }),
    replies: { 200: StepItemList },
    errors: [...key, 'run_not_found', 'step_not_found', 'checkpoint_not_found'],
  },
  CancelRun: {
    method: 'POST',
    function: 'Write',
    path: '/api/v1/runs/{id}/cancel',
    summary: 'Cancel a run',
    auth: 'key',
    scope: 'runs:cancel',
    replies: { 200: RunEnvelope },
    errors: [...key, 'run_not_found'],
  },
  DeleteRun: {
    method: 'DELETE',
    function: 'Change',
    path: '/api/v1/runs/{id}',
    summary: 'Delete a run',
    auth: 'key',
    scope: 'runs:delete',
    replies: { 204: null },
    errors: [...key, 'run_not_found', 'run_not_terminal'],
  },
  ResumeRun: {
    method: 'POST',
    function: 'Restart',
    path: '/api/v1/runs/{id}/resume',
    summary: 'Go on with a failed run',
    auth: 'key',
    scope: 'runs:create',
    body: ResumeRun,
    replies: { 202: RunEnvelope },
    errors: [
      ...key,
      ...body,
      ...capacity,
      'plan_too_large',
      'run_not_found',
      'run_not_resumable',
      'plan_fingerprint_mismatch',
      'checkpoint_not_found',
    ],
  },
  RerunRun: {
    method: 'POST',
    function: 'Restart',
    path: '/api/v1/runs/{id}/rerun-from',
    summary: 'Start a new run from a step of an ended one',
    auth: 'key',
    scope: 'runs:create',
    headers: idempotencyKey,
    body: RerunRun,
    body_required: true,
    replies: { 200: RunEnvelope, 202: RunEnvelope },
    errors: [
      ...key,
      ...body,
      ...capacity,
      'run_not_found',
      'run_not_resumable',
      'invalid_rerun_step',
      'checkpoint_not_found',
      'invalid_callback_url',
      'idempotency_key_conflict',
    ],
  },
  ListEvents: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/runs/{id}/events',
    summary: 'Read the event log, page by page',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject({
      ...page(limits.events_page_max),
      'keep-open': z.enum(['0', '1']).optional(),
    }),
    replies: { 200: EventPage },
    errors: [...key, 'run_not_found'],
  },
  CreateEventToken: {
    method: 'POST',
    function: 'Read',
    path: '/api/v1/runs/{id}/events/token',
    summary: 'Get a token for the event stream',
    auth: 'key',
    scope: 'runs:read',
    replies: { 200: EventToken },
    errors: [...key, 'run_not_found'],
  },
  StreamEvents: {
    method: 'GET',
    function: 'Stream',
    path: '/api/v1/runs/{id}/events/stream',
    summary: 'Stream the event log (server-sent events)',
    auth: 'event_token',
    scope: 'runs:read',
    streaming: true,
    query: z.strictObject({
      event_token: z.string().optional(),
      last_event_id: z.string().optional(),
      max_ms: wholeNumber(limits.stream_min_duration_ms, limits.stream_max_duration_ms).optional(),
    }),
    headers: z.object({ 'Last-Event-ID': z.string().optional() }),
    replies: { 200: null, 204: null },
    media_type: 'text/event-stream',
    errors: [...key, 'run_not_found', 'rate_limit_exceeded'],
  },
  ListDeliveries: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/runs/{id}/webhook-deliveries',
    summary: 'List the webhook deliveries of a run',
    auth: 'key',
    scope: 'runs:read',
    replies: { 200: DeliveryList },
    errors: [...key, 'run_not_found'],
  },
  RedeliverWebhook: {
    method: 'POST',
    function: 'Change',
    path: '/api/v1/runs/{id}/webhook-deliveries/{event_id}/redeliver',
    summary: 'Send a webhook once more',
    auth: 'key',
    scope: 'runs:create',
    replies: { 202: DeliveryList.shape.data.element },
    errors: [...key, 'run_not_found', 'delivery_not_found'],
  },
  ListJobs: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/jobs',
    summary: 'List the jobs of workers and people',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject({
      status: JobStatus.optional(),
      kind: JobKind.optional(),
      source: text(1, 64).optional(),
      run_id: Uuid.optional(),
      ...page(limits.jobs_page_max),
    }),
    replies: { 200: JobList },
    errors: key,
  },
  GetJob: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/jobs/{id}',
    summary: 'Get a job with what is asked',
    auth: 'job_token',
    scope: 'runs:read',
    replies: { 200: Job },
    errors: [...key, 'job_not_found', 'job_over'],
  },
  ProgressJob: {
    method: 'POST',
    function: 'Write',
    path: '/api/v1/jobs/{id}/progress',
    summary: 'Say how far a job is',
    auth: 'job_token',
    scope: 'runs:create',
    body: ProgressJob,
    body_required: true,
    replies: { 200: JobOpen },
    errors: [...key, ...body, 'job_not_found', 'job_over'],
  },
  AddJobItems: {
    method: 'POST',
    function: 'Write',
    path: '/api/v1/jobs/{id}/items',
    summary: 'Send a page of the items of a job',
    auth: 'job_token',
    scope: 'runs:create',
    body: AddJobItems,
    body_required: true,
    replies: { 200: JobOpen },
    errors: [...key, ...body, 'job_not_found', 'job_over'],
  },
  CompleteJob: {
    method: 'POST',
    function: 'Write',
    path: '/api/v1/jobs/{id}/complete',
    summary: 'Complete a job',
    auth: 'job_token',
    scope: 'runs:create',
    body: CompleteJob,
    body_required: true,
    replies: { 200: JobAccepted },
    errors: [...key, ...body, 'job_not_found', 'job_over'],
  },
  FailJob: {
    method: 'POST',
    function: 'Write',
    path: '/api/v1/jobs/{id}/fail',
    summary: 'Fail a job',
    auth: 'job_token',
    scope: 'runs:create',
    body: FailJob,
    body_required: true,
    replies: { 200: JobAccepted },
    errors: [...key, ...body, 'job_not_found', 'job_over'],
  },
  ListAllDeliveries: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/webhook-deliveries',
    summary: 'List the webhook deliveries of the workspace',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject({
      status: DeliveryStatus.optional(),
      created_after: epochMs.optional(),
      created_before: epochMs.optional(),
      ...page(limits.deliveries_page_max),
    }),
    replies: { 200: WorkspaceDeliveryList },
    errors: key,
  },
  RedeliverFailed: {
    method: 'POST',
    function: 'Change',
    path: '/api/v1/webhook-deliveries/redeliver',
    summary: 'Send failed webhooks once more',
    auth: 'key',
    scope: 'runs:create',
    body: RedeliverFailed,
    body_required: true,
    replies: { 202: Redelivered },
    errors: [...key, ...body],
  },
  ListKeys: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/keys',
    summary: 'List the keys of the workspace',
    auth: 'key',
    scope: 'keys:manage',
    replies: { 200: KeyList },
    errors: key,
  },
  CreateKey: {
    method: 'POST',
    function: 'Keys',
    path: '/api/v1/keys',
    summary: 'Create a key',
    auth: 'key',
    scope: 'keys:manage',
    body: CreateKey,
    body_required: true,
    replies: { 201: NewKey },
    errors: [...key, ...body, 'key_not_active', 'keys_exceeded'],
  },
  RotateKey: {
    method: 'POST',
    function: 'Keys',
    path: '/api/v1/keys/{id}/rotate',
    summary: 'Replace a key',
    auth: 'key',
    scope: 'keys:manage',
    body: RotateKey,
    replies: { 201: NewKey },
    errors: [...key, ...body, 'key_not_found', 'key_not_active', 'keys_exceeded'],
  },
  RevokeKey: {
    method: 'DELETE',
    function: 'Change',
    path: '/api/v1/keys/{id}',
    summary: 'Revoke a key',
    auth: 'key',
    scope: 'keys:manage',
    replies: { 204: null },
    errors: [...key, 'key_not_found', 'key_not_active', 'key_in_use'],
  },
  ListAudit: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/audit',
    summary: 'Read the audit',
    auth: 'key',
    scope: 'keys:manage',
    query: z.strictObject(page(limits.audit_page_max)),
    replies: { 200: AuditList },
    errors: key,
  },
  GetUsage: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/usage',
    summary: 'See what runs came to, by day and more',
    auth: 'key',
    scope: 'runs:read',
    query: UsageQuery,
    replies: { 200: UsageList },
    errors: key,
  },
  GetArtifact: {
    method: 'GET',
    function: 'Download',
    path: '/api/v1/artifacts/{id}',
    summary: 'Read an artifact',
    auth: 'link',
    scope: 'artifacts:read',
    streaming: true,
    query: z.strictObject({
      format: ExportFormat.optional(),
      fields: columnNames.optional(),
      offset: wholeNumber(0, 999_999_999).optional(),
      limit: wholeNumber(1, 999_999_999).optional(),
      formulas: z.literal('keep').optional(),
      bom: z.enum(['0', '1']).optional(),
      include: z.literal('links').optional(),
      link: z.string().optional(),
    }),
    replies: { 200: Artifact },
    text_types: ['application/x-ndjson', 'text/csv', 'text/markdown'],
    errors: [...key, 'artifact_not_found', 'rate_limit_exceeded'],
  },
  CreateArtifactLink: {
    method: 'POST',
    function: 'Change',
    path: '/api/v1/artifacts/{id}/links',
    summary: 'Make a link to an artifact',
    auth: 'key',
    scope: 'artifacts:read',
    body: CreateArtifactLink,
    replies: { 201: ArtifactLink },
    errors: [...key, ...body, 'artifact_not_found'],
  },
  GetNote: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/notes/{id}',
    summary: 'Read a note',
    auth: 'key',
    scope: 'artifacts:read',
    replies: { 200: Note },
    errors: [...key, 'note_not_found'],
  },
  SearchEntities: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/entities',
    summary: 'Find entities by name',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject({
      query: text(1, limits.entities_query_max_characters).optional(),
      type: text(1, limits.entities_type_max_characters).optional(),
      limit: wholeNumber(1, limits.entities_page_max).optional(),
    }),
    replies: { 200: EntityList },
    errors: [...key, 'upstream_timeout'],
  },
  ResolveEntities: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/entities/resolve',
    summary: 'Resolve entity references',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject({ refs: z.string() }),
    replies: { 200: ResolveResults },
    errors: [...key, 'missing_required_field'],
  },
  ListEntityTypes: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/entities/types',
    summary: 'List the types of entities and their fields',
    auth: 'key',
    scope: 'runs:read',
    replies: { 200: EntityTypeList },
    errors: [...key, 'upstream_timeout'],
  },
  ListSources: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/sources',
    summary: 'List the live sources of the workspace',
    auth: 'key',
    scope: 'runs:read',
    replies: { 200: SourceList },
    errors: key,
  },
  GetEntity: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/entities/{id}',
    summary: 'Read an entity',
    auth: 'key',
    scope: 'runs:read',
    replies: { 200: EntityRecord },
    errors: [...key, 'entity_not_found', 'upstream_timeout'],
  },
  ImportEntities: {
    method: 'POST',
    function: 'Entities',
    path: '/api/v1/entities/import',
    summary: 'Import entities',
    auth: 'key',
    scope: 'records:write',
    body: ImportEntities,
    body_required: true,
    replies: { 200: ImportedEntities },
    errors: [...key, ...body],
  },
  UpdateEntity: {
    method: 'PATCH',
    function: 'Entities',
    path: '/api/v1/entities/{id}',
    summary: 'Change an entity',
    auth: 'key',
    scope: 'records:write',
    body: UpdateEntity,
    body_required: true,
    replies: { 200: EntityRecord },
    errors: [...key, ...body, 'entity_not_found', 'external_uri_taken', 'upstream_timeout'],
  },
  DeleteEntity: {
    method: 'DELETE',
    function: 'Entities',
    path: '/api/v1/entities/{id}',
    summary: 'Delete an entity',
    auth: 'key',
    scope: 'records:write',
    replies: { 204: null },
    errors: [...key, 'entity_not_found'],
  },
  DeleteEntities: {
    method: 'POST',
    function: 'Entities',
    path: '/api/v1/entities/delete',
    summary: 'Delete entities',
    auth: 'key',
    scope: 'records:write',
    body: DeleteEntities,
    body_required: true,
    replies: { 202: DeletedEntities },
    errors: [...key, ...body, 'upstream_timeout'],
  },
  CreateMonitor: {
    method: 'POST',
    function: 'Write',
    path: '/api/v1/monitors',
    summary: 'Create a monitor',
    auth: 'key',
    scope: 'monitors:manage',
    headers: idempotencyKey,
    body: CreateMonitor,
    body_required: true,
    replies: { 200: Monitor, 201: Monitor },
    errors: [
      ...key,
      ...body,
      ...createRefusals,
      'cost_threshold_exceeded',
      'idempotency_key_conflict',
      'monitors_exceeded',
    ],
  },
  ListMonitors: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/monitors',
    summary: 'List monitors, newest first',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject(page(limits.monitors_page_max)),
    replies: { 200: MonitorList },
    errors: key,
  },
  GetMonitor: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/monitors/{id}',
    summary: 'Read a monitor',
    auth: 'key',
    scope: 'runs:read',
    replies: { 200: Monitor },
    errors: [...key, 'monitor_not_found'],
  },
  UpdateMonitor: {
    method: 'PATCH',
    function: 'Write',
    path: '/api/v1/monitors/{id}',
    summary: 'Change a monitor',
    auth: 'key',
    scope: 'monitors:manage',
    body: UpdateMonitor,
    body_required: true,
    replies: { 200: Monitor },
    errors: [...key, ...body, ...createRefusals, 'cost_threshold_exceeded', 'monitor_not_found'],
  },
  DeleteMonitor: {
    method: 'DELETE',
    function: 'Change',
    path: '/api/v1/monitors/{id}',
    summary: 'Delete a monitor',
    auth: 'key',
    scope: 'monitors:manage',
    replies: { 204: null },
    errors: [...key, 'monitor_not_found'],
  },
  FireMonitor: {
    method: 'POST',
    function: 'Start',
    path: '/api/v1/monitors/{id}/fire',
    summary: 'Fire a monitor now',
    auth: 'key',
    scope: 'monitors:manage',
    streaming: true,
    headers: idempotencyKey,
    replies: { 200: Fire, 202: Fire },
    errors: [...key, 'cost_threshold_exceeded', 'monitor_not_found', 'idempotency_key_conflict'],
  },
  ListFires: {
    method: 'GET',
    function: 'Read',
    path: '/api/v1/monitors/{id}/fires',
    summary: 'List the fires of a monitor, newest first',
    auth: 'key',
    scope: 'runs:read',
    query: z.strictObject(page(limits.monitors_page_max)),
    replies: { 200: FireList },
    errors: [...key, 'monitor_not_found'],
  },
  ReceiveSync: {
    method: 'POST',
    function: 'Sync',
    path: '/api/webhooks/sync/{bridge_id}',
    summary: "Push a record's change into every workspace of a bridge",
    auth: 'signature',
    headers: z.object({ 'X-Webhook-Signature': z.string(), 'X-Webhook-Timestamp': z.string() }),
    body: SyncMessage,
    body_required: true,
    replies: { 200: SyncReply },
    errors: [],
  },
  Mcp: {
    method: 'POST',
    function: 'Mcp',
    any_method: true,
    path: '/api/mcp',
    summary: 'Tools for agents (Model Context Protocol)',
    // The API, called for every request, checks the key.
    auth: 'none',
    streaming: true,
    replies: { 200: null, 202: null },
    errors: [],
  },
  Console: {
    method: 'GET',
    function: 'Site',
    path: '/api/docs',
    also: [
      ...['/api/', '/api/console', '/api/console/{page}', '/api/console/jobs/{id}'],
      ...['/api/docs/{page}', '/api/docs.md', '/api/llms.txt', '/api/openapi.json', '/api/health'],
    ],
    summary: 'Front door, console, reference page, OpenAPI document, error pages and health',
    auth: 'none',
    replies: { 200: null },
    media_type: 'text/html',
    errors: ['not_found'],
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
export const routeNames = Object.keys(routes) as RouteName[];
/** The routes of a function. */
export type RouteOf<F extends HttpFunction> = {
  [N in RouteName]: (typeof routes)[N]['function'] extends F ? N : never;
}[RouteName];

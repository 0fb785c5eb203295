// Table of contents: every error code with its HTTP status, category, remedy and the schema of its details.
import * as z from 'zod';
import { reasonsOf } from './error-reasons.ts';
import { Issue } from './issue.ts';
import { defaultWords } from './issue-words.ts';
import { OverStatus } from './jobs.ts';
import { EpochMs, Uuid } from './json.ts';
import { limits } from './limits.ts';
import { ModelCause, ProviderWords } from './model-faults.ts';

const errorTypes = [
  'invalid_request',
  'plan_error',
  'authentication',
  'permission',
  'not_found',
  'conflict',
  'rate_limit',
  'internal',
  'unavailable',
  'timeout',
] as const;
export const ErrorType = z.enum(errorTypes).meta({ id: 'ErrorType' });
export type ErrorType = z.infer<typeof ErrorType>;

interface ErrorRow {
  status: number;
  type: ErrorType;
  message: string;
  /** What the caller should do; shown on the error's page. */
  remedy: string;
  /** The content of `details`; an error without a schema has none. */
  details?: z.ZodType<object>;
}

const Whole = z.number().int();
const Usd = z.number().nonnegative();
const Spent = z
  .strictObject({ limit_usd: Usd, spent_usd: Usd, resets_at: EpochMs })
  .meta({ id: 'DailyLimitDetails' });
const Unsupported = z
  .strictObject({ received: z.unknown(), allowed: z.array(z.string()) })
  .meta({ id: 'UnsupportedValueDetails' });

/** A place of the data that does not conform, as a JSON Pointer. */
const OutputIssue = z
  .strictObject({ path: z.string(), message: z.string() })
  .meta({ id: 'OutputIssueDetails' });
const Issues = z.strictObject({ issues: z.array(Issue) }).meta({ id: 'IssuesDetails' });

/** What every error of a model says (rules.md: models 3). */
const ofModel = { cause: ModelCause, provider: ProviderWords.optional() };

const table = {
  invalid_json: {
    status: 400,
    type: 'invalid_request',
    message: 'The body is not valid JSON in UTF-8.',
    remedy: 'Send one JSON document, encoded in UTF-8.',
  },
  unsupported_input_type: {
    status: 400,
    type: 'invalid_request',
    message: 'This input_type does not exist.',
    remedy: 'Use query, plan or preset.',
    details: Unsupported,
  },
  unsupported_preset: {
    status: 400,
    type: 'invalid_request',
    message: 'This preset does not exist.',
    remedy: 'The only preset is dossier.',
    details: Unsupported,
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request',
    message: 'The body did not arrive in time.',
    remedy: 'Send the whole body within 20 s after the headers.',
  },
  payload_too_large: {
    status: 413,
    type: 'invalid_request',
    message: 'The body is larger than 1 MB.',
    remedy: `Send at most ${limits.body_max_bytes} bytes. In the errors of a run: a step's result is larger than ${limits.step_result_max_bytes} bytes, or than a run keeps; request fewer records or fields.`,
    details: z.strictObject({ max_bytes: Whole, received_bytes: Whole }),
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request',
    message: 'The body is compressed.',
    remedy: 'Send the body as it is, without Content-Encoding.',
    details: z.strictObject({ received: z.string() }),
  },
  misdirected_request: {
    status: 421,
    type: 'invalid_request',
    message: 'The request is for another host.',
    remedy: 'Use the URL that the service prints when it starts; a proxy in front of it must send that Host.',
  },
  schema_validation_failed: {
    status: 422,
    type: 'invalid_request',
    message: 'The request does not have the documented shape.',
    remedy: 'See details.issues: each names the path and what was expected there.',
    details: Issues,
  },
  missing_required_field: {
    status: 422,
    type: 'invalid_request',
    message: 'A required field is missing.',
    remedy: 'Add the field that param names.',
    details: Issues,
  },
  query_ambiguous: {
    status: 422,
    type: 'invalid_request',
    message: 'The query is not clear.',
    remedy:
      'Make the query more precise, or send config.strict_mode false to continue with the best interpretation.',
    details: z.strictObject({
      reason: reasonsOf('query_ambiguous').meta({ id: 'AmbiguityReason' }),
      words: z.array(z.string()).optional(),
    }),
  },
  entity_ambiguous: {
    status: 422,
    type: 'invalid_request',
    message: 'The query names a record that cannot be identified.',
    remedy: 'Name the record by one of details.candidate_ids, or send config.strict_mode false.',
    details: z.strictObject({ question: z.string(), candidate_ids: z.array(Uuid) }),
  },
  entity_not_resolvable: {
    status: 422,
    type: 'invalid_request',
    message: 'The reference matches no single active record of the workspace.',
    remedy: 'Check the reference with GET /entities/resolve first.',
    details: z.strictObject({ ref: z.unknown() }),
  },
  plan_too_large: {
    status: 422,
    type: 'plan_error',
    message: 'The plan has too many steps.',
    remedy: `Send at most ${limits.plan_max_steps} steps.`,
    details: z.strictObject({ max_steps: Whole, received: Whole }),
  },
  step_too_costly: {
    status: 422,
    type: 'plan_error',
    message: 'The step needs more work than a step may.',
    remedy: 'See details.reason and details.limit; create a run with a plan that asks less of the step.',
    details: z.strictObject({
      reason: reasonsOf('step_too_costly').meta({ id: 'TooCostlyReason' }),
      limit: Whole,
      step_index: Whole,
    }),
  },
  output_invalid: {
    status: 422,
    type: 'plan_error',
    message: 'The answer makes no data that conform to output_schema.',
    remedy:
      'See details.issues: allow null or leave out of required what records may lack, or ask for what the steps bring; then create a run.',
    details: z.strictObject({ issues: z.array(OutputIssue), step_index: Whole }),
  },
  invalid_callback_url: {
    status: 422,
    type: 'invalid_request',
    message: 'The callback URL cannot be used.',
    remedy: 'Use an https URL on a public address, without credentials.',
    details: z.strictObject({
      reason: reasonsOf('invalid_callback_url').meta({ id: 'CallbackUrlReason' }),
    }),
  },
  invalid_rerun_step: {
    status: 422,
    type: 'plan_error',
    message: 'The run has no step with this index.',
    remedy: 'Use an index between details.min_index and details.max_index.',
    details: z.strictObject({ step_index: Whole, min_index: Whole, max_index: Whole }),
  },
  auth_missing: {
    status: 401,
    type: 'authentication',
    message: 'No API key was sent.',
    remedy:
      'Send the header Authorization: Bearer <API_KEY>; on the event stream that, or the query parameter event_token.',
  },
  auth_invalid: {
    status: 401,
    type: 'authentication',
    message: 'The credential is not valid.',
    remedy: 'Use a key that is not revoked, or a fresh event token of this run.',
  },
  auth_expired: {
    status: 401,
    type: 'authentication',
    message: 'The credential has expired.',
    remedy: 'Get a new key or a new event token.',
    details: z.strictObject({ expired_at: EpochMs }),
  },
  forbidden_feature: {
    status: 403,
    type: 'permission',
    message: 'The key or the workspace is not allowed to do this.',
    remedy: 'Ask a workspace admin for the scope or feature named in details.',
    details: z.union([
      z.strictObject({ required_scope: z.string() }).meta({ id: 'MissingScopeDetails' }),
      z.strictObject({ required_feature: z.string() }).meta({ id: 'MissingFeatureDetails' }),
    ]),
  },
  forbidden_workspace: {
    status: 403,
    type: 'permission',
    message: 'The key cannot act in this workspace.',
    remedy: 'The workspace is suspended; ask its admin.',
  },
  run_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such run is visible to this key.',
    remedy: 'Check the id and the workspace of the key.',
  },
  artifact_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such artifact is visible to this key.',
    remedy: 'Take the id from the artifacts of a run.',
  },
  entity_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such entity is visible to this key.',
    remedy: 'Find the id with GET /entities, or take it from a record link in a cell.',
  },
  step_not_found: {
    status: 404,
    type: 'not_found',
    message: 'The run has no step with this index.',
    remedy: 'Take the index from the steps of the run; a query has none until it is planned.',
  },
  job_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such job exists in the workspace.',
    remedy: 'Check the id. The jobs of a deleted run are gone.',
  },
  checkpoint_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No saved output exists for that step.',
    remedy:
      'Rerun from an earlier step, one whose predecessors have completed. The output of a step of a deleted run is gone.',
    details: z.strictObject({ step_index: Whole }),
  },
  workspace_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such workspace is visible to this key.',
    remedy: 'The workspace was deleted or never existed.',
  },
  note_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such note is visible to this key.',
    remedy: 'Take the id from the note_ids of a run.',
  },
  monitor_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such monitor is visible to this key.',
    remedy: 'Take the id from GET /monitors.',
  },
  delivery_not_found: {
    status: 404,
    type: 'not_found',
    message: 'The run has no such webhook delivery.',
    remedy: 'Take the event_id from GET /runs/{id}/webhook-deliveries.',
  },
  key_not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such key is visible to this key.',
    remedy: 'Take the id from GET /keys.',
  },
  not_found: {
    status: 404,
    type: 'not_found',
    message: 'No such path or method.',
    remedy: 'See the reference for the routes that exist.',
  },
  idempotency_key_conflict: {
    status: 409,
    type: 'conflict',
    message: 'The Idempotency-Key was used with another body.',
    remedy: 'Use a new key for a new request.',
    details: z.union([
      z.strictObject({ original_run_id: Uuid }).meta({ id: 'OriginalRunDetails' }),
      z.strictObject({ original_id: Uuid }).meta({ id: 'OriginalDetails' }),
    ]),
  },
  external_uri_taken: {
    status: 409,
    type: 'conflict',
    message: 'Another record has this external_uri.',
    remedy: 'Find that record with GET /entities/resolve; change or delete it first, or choose another URI.',
  },
  monitors_exceeded: {
    status: 409,
    type: 'conflict',
    message: 'The workspace has as many monitors as it may have.',
    remedy: 'Delete a monitor, or change one.',
    details: z.strictObject({ limit: Whole }),
  },
  run_not_resumable: {
    status: 409,
    type: 'conflict',
    message: 'The run cannot be continued.',
    remedy: 'See details.reason.',
    details: z.strictObject({
      status: z.string(),
      reason: reasonsOf('run_not_resumable').meta({ id: 'NotResumableReason' }),
    }),
  },
  job_over: {
    status: 409,
    type: 'conflict',
    message: 'The job is over.',
    remedy:
      'Stop the work: nothing that comes for this job counts any more. details.status says how it ended; a replaced job goes on as the next attempt, with a job_id and a token of its own.',
    details: z.strictObject({ status: OverStatus }).meta({ id: 'JobOverDetails' }),
  },
  run_not_terminal: {
    status: 409,
    type: 'conflict',
    message: 'The run has not ended, or its log is not finished yet.',
    remedy: 'Cancel the run, or wait for its last event.',
    details: z.strictObject({ status: z.string() }).meta({ id: 'RunNotTerminalDetails' }),
  },
  plan_fingerprint_mismatch: {
    status: 409,
    type: 'conflict',
    message: 'The plan is not the one the run was created with.',
    remedy: 'Resume without a plan, or create a new run.',
    details: z.strictObject({ expected: z.string(), actual: z.string() }),
  },
  key_not_active: {
    status: 409,
    type: 'conflict',
    message: 'The key was revoked or rotated, or has expired.',
    remedy: 'See details.reason.',
    details: z.strictObject({
      reason: reasonsOf('key_not_active').meta({ id: 'KeyNotActiveReason' }),
    }),
  },
  key_in_use: {
    status: 409,
    type: 'conflict',
    message: 'A key cannot revoke itself.',
    remedy: 'Revoke it with another key, or rotate it with grace_seconds 0.',
  },
  keys_exceeded: {
    status: 409,
    type: 'conflict',
    message: 'The workspace has too many active keys.',
    remedy: 'Revoke a key that is no longer used; GET /keys says when each was last used.',
    details: z.strictObject({ limit: Whole }),
  },
  canceled_by_user: {
    status: 409,
    type: 'conflict',
    message: 'The run was canceled on request.',
    remedy: 'None: this entry of a canceled run says why it ended.',
  },
  concurrent_runs_exceeded: {
    status: 429,
    type: 'rate_limit',
    message: 'The workspace has too many runs in flight.',
    remedy: 'Wait for a run to end, then retry with the same Idempotency-Key.',
    details: z.strictObject({ limit: Whole, in_flight: Whole }),
  },
  workspace_cost_cap_exceeded: {
    status: 429,
    type: 'rate_limit',
    message: 'The workspace has no budget left.',
    remedy: 'Wait for the next UTC day, or ask for a higher cap or more credits.',
    details: z.union([
      Spent,
      z
        .strictObject({
          reason: z.literal(reasonsOf('workspace_cost_cap_exceeded').options),
          required: z.number(),
          available: z.number(),
        })
        .meta({ id: 'CreditsDetails' }),
    ]),
  },
  cost_threshold_exceeded: {
    status: 429,
    type: 'rate_limit',
    message: 'The daily cost limit of the key is reached.',
    remedy:
      'Wait for the next UTC day, or use another key. In the errors of a run: its cost has reached config.max_cost_usd; resume it with a larger limit.',
    details: Spent.partial({ resets_at: true }),
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit',
    message: 'Too many requests.',
    remedy: 'Slow down and retry with backoff.',
  },
  internal_error: {
    status: 500,
    type: 'internal',
    message: 'Something failed in the service.',
    remedy: 'Retry with backoff and the same Idempotency-Key; if it persists, report the request_id.',
  },
  model_refused: {
    status: 500,
    type: 'internal',
    message: 'The model refused the call.',
    remedy:
      'Do not retry: see details.provider, the words of the provider. An operator must set right the name, key or address of the model.',
    details: z.strictObject({
      status_code: Whole.optional(),
      model: z.string().optional(),
      step_index: Whole.optional(),
      ...ofModel,
      reason: reasonsOf('model_refused').meta({ id: 'ModelRefusedReason' }).optional(),
    }),
  },
  model_answer_unusable: {
    status: 500,
    type: 'internal',
    message: 'Nothing can be made of the answer of the model.',
    remedy:
      'By details.cause: cut_off: ask for less text, or raise max_output_tokens of the model; filtered: change the words of the request; unusable: use a model that writes the JSON asked for.',
    details: z.strictObject({ step_index: Whole.optional(), ...ofModel }),
  },
  model_unavailable: {
    status: 503,
    type: 'unavailable',
    message: 'The model is temporarily unavailable.',
    remedy:
      'Send the request again after the seconds of Retry-After; resume a run that has failed once the model is back.',
    details: z.strictObject({ step_index: Whole.optional(), ...ofModel }),
  },
  source_failed: {
    status: 503,
    type: 'unavailable',
    message: 'A source could not be read.',
    remedy:
      'See details.reason and details.message, which say what was wrong and where; once the source answers again, resume the run.',
    details: z.strictObject({
      source: z.string(),
      reason: reasonsOf('source_failed').meta({ id: 'SourceFailedReason' }),
      message: z.string(),
      status_code: Whole.optional(),
      step_index: Whole,
    }),
  },
  usage_accounting_unavailable: {
    status: 503,
    type: 'unavailable',
    message: 'Usage cannot be priced, so no run was started.',
    remedy: 'Retry later; an operator must set a price for the model.',
  },
  service_unavailable: {
    status: 503,
    type: 'unavailable',
    message: 'The service is temporarily unavailable.',
    remedy: 'Retry with backoff and the same Idempotency-Key.',
  },
  upstream_timeout: {
    status: 504,
    type: 'timeout',
    message: 'A dependency took too long.',
    remedy: 'Retry with backoff, or ask a simpler query.',
    details: z.strictObject({ dependency: z.string(), timeout_ms: Whole }),
  },
  run_timed_out: {
    status: 504,
    type: 'timeout',
    message: 'The run reached its deadline.',
    remedy: 'Resume the run, with a larger limit in config if it needs more time.',
    details: z.strictObject({
      limit: z.enum(['timeout_seconds', 'start_within_seconds']).meta({ id: 'TimedOutReason' }),
      limit_seconds: Whole,
      elapsed_ms: Whole,
      step_index: Whole.optional(),
    }),
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof table;
export const errors: Readonly<Record<ErrorCode, ErrorRow>> = table;
export const errorCodes = Object.keys(table) as [ErrorCode, ...ErrorCode[]];
export const ErrorCode = z.enum(errorCodes).meta({ id: 'ErrorCode' });

/** Statuses of transient errors; their replies carry Retry-After. */
export const retryAfterStatuses: ReadonlySet<number> = new Set([429, 503, 504]);

/** The details of a code's errors, by the schema in its row; undefined when it has none. */
type DetailsOf<C extends ErrorCode> = C extends unknown
  ? (typeof table)[C] extends { details: z.ZodType<infer Details> }
    ? Details
    : undefined
  : never;

interface Common {
  message?: string;
  param?: string;
  unfinished?: Promise<void>;
  retry_at?: number;
}

type Extra<C extends ErrorCode> = Common &
  ([DetailsOf<C>] extends [undefined] ? { details?: undefined } : { details: DetailsOf<C> });

/** A failure that API callers see. Anything else thrown is reported as `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: object | undefined;
  /** Work that the invocation completes after it has replied; it never rejects. */
  readonly unfinished: Promise<void> | undefined;
  /** When a client may come again, if that is known; epoch ms. */
  readonly retry_at: number | undefined;
  constructor(code: ErrorCode, extra: Common & { details?: object }) {
    super(extra.message ?? defaultWords(code, extra.details) ?? errors[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.param = extra.param;
    this.details = extra.details;
    this.unfinished = extra.unfinished;
    this.retry_at = extra.retry_at;
  }
}

/** Creates the error of a code. Only the details of its row compile: none missing, none of another row. */
export function fail<C extends ErrorCode>(
  code: C,
  ...extra: [DetailsOf<C>] extends [undefined] ? [Extra<C>?] : [Extra<C>]
): ApiError {
  return new ApiError(code, extra[0] ?? {});
}

/** The envelope of every error reply (rules.md: errors 1). */
export const ErrorEnvelope = z
  .strictObject({
    error: z.strictObject({
      code: ErrorCode,
      type: ErrorType,
      message: z.string(),
      doc_url: z.string(),
      request_id: z.string(),
      param: z.string().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Error' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

// Runs: the requests that create them and the envelopes that clients read.
import * as z from 'zod';
import { ArtifactSummary } from './artifacts.ts';
import { RerunOf, RunError, RunEvent, WaitReason, Warning } from './events.ts';
import { EpochMs, text, Uuid } from './json.ts';
import { limits } from './limits.ts';
import { RunOutput } from './output.ts';
import { DossierParams, InputType, Plan } from './plans.ts';
import { SentSchema, WholeOutputSchema } from './sent-schema.ts';
import { StepKind } from './steps.ts';

export { InputType, RerunOf, Warning };

export const RunStatus = z
  .enum(['pending', 'running', 'paused', 'succeeded', 'failed', 'canceled'])
  .meta({ id: 'RunStatus' });
export type RunStatus = z.infer<typeof RunStatus>;
export const terminalStatuses: readonly RunStatus[] = ['succeeded', 'failed', 'canceled'];

/** Several, separated by commas. */
export const RunStatuses = z
  .string()
  .refine(
    (text) => text.split(',').every((one) => RunStatus.safeParse(one).success),
    `One of ${RunStatus.options.join(', ')}, or several with commas between them`,
  )
  .transform((text) => text.split(','))
  .pipe(z.array(RunStatus));

/** The settings that a resume can change: a run that failed at one of these limits continues with a larger one. */
const limitsOfRun = {
  max_cost_usd: z.number().min(limits.usd_min).max(limits.run_cost_max_usd).optional(),
  timeout_seconds: z.number().int().min(1).max(limits.deadline_max_seconds).optional(),
  start_within_seconds: z.number().int().min(1).max(limits.deadline_max_seconds).optional(),
  model_wait_seconds: z.number().int().min(0).max(limits.deadline_max_seconds).optional(),
};

export const RunConfig = z
  .strictObject({
    strict_mode: z.boolean().optional(),
    xray: z.boolean().optional(),
    global_search: z.boolean().optional(),
    unlimited_transform: z.boolean().optional(),
    ...limitsOfRun,
    retain_seconds: z.number().int().min(limits.retain_min_seconds).max(limits.retain_max_seconds).optional(),
    keep_calls: z.boolean().optional(),
    callback_url: z.string().optional(),
  })
  .meta({ id: 'RunConfig' });
export type RunConfig = z.infer<typeof RunConfig>;

const Metadata = z
  .record(text(1, limits.metadata_key_max_characters), text(0, limits.metadata_value_max_characters))
  .refine(
    (pairs) => Object.keys(pairs).length <= limits.metadata_max_pairs,
    `At most ${limits.metadata_max_pairs} pairs`,
  )
  .meta({ maxProperties: limits.metadata_max_pairs });

/** A pair as a list filter; keys may contain colons, so any colon may end the key. */
export const MetadataPair = z.string().refine((pair) => {
  const characters = [...pair];
  return characters.some(
    (character, i) =>
      character === ':' &&
      i >= 1 &&
      i <= limits.metadata_key_max_characters &&
      characters.length - i - 1 <= limits.metadata_value_max_characters,
  );
}, 'A key of metadata, a colon and its value');

const common = {
  config: RunConfig.optional(),
  callback_url: z.string().optional(),
  metadata: Metadata.optional(),
};

/** Body of `POST /runs`. */
export const CreateRun = z
  .discriminatedUnion('input_type', [
    z
      .strictObject({
        input_type: z.literal('query'),
        query: text(1, limits.query_max_characters),
        output_schema: WholeOutputSchema.optional(),
        ...common,
      })
      .meta({ id: 'CreateQueryRun' }),
    z
      .strictObject({
        input_type: z.literal('plan'),
        plan: Plan,
        output_schema: WholeOutputSchema.optional(),
        ...common,
      })
      .meta({ id: 'CreatePlanRun' }),
    z
      .strictObject({
        input_type: z.literal('preset'),
        preset: z.literal('dossier'),
        params: DossierParams,
        ...common,
      })
      .meta({ id: 'CreatePresetRun' }),
  ])
  .meta({ id: 'CreateRun' });
export type CreateRun = z.infer<typeof CreateRun>;

/** The accepted input, as sent (rules.md: create 4). */
export const RunInput = z
  .discriminatedUnion('input_type', [
    z
      .strictObject({
        input_type: z.literal('query'),
        query: z.string(),
        output_schema: SentSchema.optional(),
      })
      .meta({ id: 'QueryInput' }),
    z
      .strictObject({
        input_type: z.literal('plan'),
        plan: Plan,
        output_schema: SentSchema.optional(),
      })
      .meta({ id: 'PlanInput' }),
    z
      .strictObject({
        input_type: z.literal('preset'),
        preset: z.literal('dossier'),
        params: DossierParams,
      })
      .meta({ id: 'PresetInput' }),
  ])
  .meta({ id: 'RunInput' });
export type RunInput = z.infer<typeof RunInput>;

const StepStatus = z
  .enum(['pending', 'running', 'completed', 'failed', 'skipped', 'canceled'])
  .meta({ id: 'StepStatus' });

export const StepSummary = z
  .strictObject({
    index: z.number().int().nonnegative(),
    kind: StepKind,
    status: StepStatus,
    title: z.string(),
    attempt: z.number().int().nonnegative(),
    started_at: EpochMs.optional(),
    duration_ms: z.number().int().nonnegative().optional(),
    items_out: z.number().int().nonnegative().optional(),
    error: RunError.optional(),
  })
  .meta({ id: 'StepSummary' });
export type StepSummary = z.infer<typeof StepSummary>;

const count = z.number().int().nonnegative();
/** What one model used in a run. */
const ModelUsage = z
  .strictObject({
    model: z.string(),
    calls: count,
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    cost_usd: z.number().nonnegative(),
  })
  .meta({ id: 'ModelUsage' });

/** What the jobs of a run reported that brought usage. */
const JobsUsage = z.strictObject({ count, cost_usd: z.number().nonnegative() }).meta({ id: 'JobsUsage' });

export const Usage = z
  .strictObject({
    calls: count,
    unpriced_calls: count,
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    thinking_tokens: count,
    cost_usd: z.number().nonnegative(),
    models: z.array(ModelUsage),
    jobs: JobsUsage.optional(),
    credits_at_most: count.optional(),
    credits_used: count.nullable().optional(),
    simulated: z.literal(true).optional(),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;

/**
 * What a run waits for; null: it does not wait. `step_index` is -1 during the planning of a query; `source` and
 * `job_id` are those of an open job.
 */
export const Waiting = z
  .strictObject({
    reason: WaitReason,
    since: EpochMs,
    until: EpochMs.optional(),
    step_index: z.number().int().min(-1).optional(),
    source: z.string().optional(),
    job_id: z.string().optional(),
  })
  .meta({ id: 'Waiting' });
export type Waiting = z.infer<typeof Waiting>;

/** The run envelope. */
export const RunEnvelope = z
  .strictObject({
    id: Uuid,
    object: z.literal('run'),
    status: RunStatus,
    waiting: Waiting.nullable().meta({ id: 'NullableWaiting' }),
    api_version: z.string(),
    created_at: EpochMs,
    started_at: EpochMs.optional(),
    completed_at: EpochMs.optional(),
    workspace_id: Uuid,
    input: RunInput,
    config: RunConfig,
    metadata: z.record(z.string(), z.string()).optional(),
    steps: z.array(StepSummary),
    message: z.string().nullable(),
    output: RunOutput.nullable().meta({ id: 'NullableRunOutput' }).optional(),
    artifacts: z.array(ArtifactSummary),
    note_ids: z.array(Uuid),
    warnings: z.array(Warning),
    errors: z.array(RunError),
    usage: Usage,
    resumable: z.boolean(),
    resume_count: count,
    rerun_of: RerunOf.optional(),
    request_id: z.string(),
    plan: Plan.nullable().meta({ id: 'IncludedPlan' }).optional(),
    understood_as: text(0, limits.understood_as_max_characters).nullable().optional(),
  })
  .meta({ id: 'Run' });
export type RunEnvelope = z.infer<typeof RunEnvelope>;

/** A run in a list: its input's kind and title replace input and config (rules.md: reads 3). */
export const ListedRun = RunEnvelope.omit({
  input: true,
  config: true,
  output: true,
  plan: true,
  understood_as: true,
})
  .extend({ input_type: InputType, title: z.string().nullable() })
  .meta({ id: 'ListedRun' });
export type ListedRun = z.infer<typeof ListedRun>;

export const RunList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(ListedRun),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'RunList' });

/** Body of `POST /runs?validate_only=1`: what the run would do and reserve (rules.md: create 7). */
export const RunCheck = z
  .strictObject({
    object: z.literal('run_check'),
    valid: z.literal(true),
    steps: z.array(
      z
        .strictObject({ index: count, kind: StepKind, title: z.string(), credits: count })
        .meta({ id: 'CheckedStep' }),
    ),
    credits_at_most: count.nullable(),
  })
  .meta({ id: 'RunCheck' });
export type RunCheck = z.infer<typeof RunCheck>;

/** The 200 reply of `POST /runs`: the run that its Idempotency-Key created before, or the requested check. */
export const RunOrCheck = z.discriminatedUnion('object', [RunEnvelope, RunCheck]).meta({ id: 'RunOrCheck' });

export const EventPage = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(RunEvent),
    next_cursor: z.string(),
    has_more: z.boolean(),
  })
  .meta({ id: 'EventPage' });
export type EventPage = z.infer<typeof EventPage>;

export const EventToken = z
  .strictObject({
    event_token: z.string(),
    expires_at: EpochMs,
    stream_url: z.string().optional(),
  })
  .meta({ id: 'EventToken' });

/** Body of resume: optional. A plan in it must equal the saved one; of the config only limits can change. */
export const ResumeRun = z
  .strictObject({
    plan: Plan.optional(),
    config: z.strictObject(limitsOfRun).meta({ id: 'ResumeConfig' }).optional(),
  })
  .meta({ id: 'ResumeRun' });
export type ResumeRun = z.infer<typeof ResumeRun>;

export const RerunRun = z
  .strictObject({ step_index: z.number().int(), config: RunConfig.optional() })
  .meta({ id: 'RerunRun' });
export type RerunRun = z.infer<typeof RerunRun>;

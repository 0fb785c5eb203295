// Jobs: what a fetch asks of a client's own worker, or of a person, and what comes back (rules.md: jobs).
import * as z from 'zod';
import { EpochMs, JsonObject, text, Uuid } from './json.ts';
import { limits } from './limits.ts';
import { SourceItem } from './live-sources.ts';
import { SentSchema } from './sent-schema.ts';

export const JobStatus = z
  .enum(['open', 'completed', 'failed', 'canceled', 'timed_out', 'replaced'])
  .meta({ id: 'JobStatus' });
export type JobStatus = z.infer<typeof JobStatus>;

/** A status of a job that is over. */
export const OverStatus = JobStatus.exclude(['open']).meta({ id: 'JobOverReason' });
export type OverStatus = z.infer<typeof OverStatus>;

export const JobKind = z.enum(['job', 'person']).meta({ id: 'JobKind' });
export type JobKind = z.infer<typeof JobKind>;

const count = z.number().int().nonnegative();
const Tokens = count.max(limits.job_tokens_max).optional();
const Usd = z
  .number()
  .min(0)
  .max(limits.job_cost_max_usd)
  .refine((usd) => usd === 0 || usd >= limits.usd_min, `Zero, or at least ${limits.usd_min}`);

/** What the work has used; absent parts are zero. */
export const JobUsage = z
  .strictObject({
    cost_usd: Usd.optional(),
    input_tokens: Tokens,
    output_tokens: Tokens,
  })
  .meta({ id: 'JobUsage' });
export type JobUsage = z.infer<typeof JobUsage>;

const JobItems = z.array(SourceItem).max(limits.step_items_max);

/** Body of `POST /jobs/{id}/progress`. */
export const ProgressJob = z
  .strictObject({
    items_done: count.optional(),
    items_total: count.optional(),
    message: text(0, limits.job_message_max_characters).optional(),
  })
  .meta({ id: 'ProgressJob' });
export type ProgressJob = z.infer<typeof ProgressJob>;

/** Body of `POST /jobs/{id}/items`. */
export const AddJobItems = z
  .strictObject({
    page: z
      .number()
      .int()
      .min(0)
      .max(limits.job_pages_max - 1),
    items: JobItems,
  })
  .meta({ id: 'AddJobItems' });
export type AddJobItems = z.infer<typeof AddJobItems>;

/** Body of `POST /jobs/{id}/complete`. */
export const CompleteJob = z
  .strictObject({
    items: JobItems.optional(),
    answer: JsonObject.optional(),
    usage: JobUsage.optional(),
  })
  .meta({ id: 'CompleteJob' });
export type CompleteJob = z.infer<typeof CompleteJob>;

/** Body of `POST /jobs/{id}/fail`. */
export const FailJob = z
  .strictObject({
    message: text(1, limits.job_message_max_characters),
    retry: z.boolean(),
    usage: JobUsage.optional(),
  })
  .meta({ id: 'FailJob' });
export type FailJob = z.infer<typeof FailJob>;

export const JobOpen = z.strictObject({ status: z.literal('open') }).meta({ id: 'JobOpen' });
/** False: the job was over in the same way before, and the first message holds. */
export const JobAccepted = z.strictObject({ accepted: z.boolean() }).meta({ id: 'JobAccepted' });

const listed = {
  job_id: z.string(),
  run_id: Uuid,
  step_index: count,
  attempt: z.number().int().positive(),
  source: z.string(),
  kind: JobKind,
  status: JobStatus,
  created_at: EpochMs,
  deadline_at: EpochMs,
  completed_at: EpochMs.optional(),
  message: z.string().optional(),
  items: count.optional(),
  cost_usd: z.number().nonnegative().optional(),
};

/** A job in a list; never its token. */
export const ListedJob = z.strictObject(listed).meta({ id: 'ListedJob' });
export type ListedJob = z.infer<typeof ListedJob>;

/** Body of `GET /jobs`. */
export const JobList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(ListedJob),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'JobList' });
export type JobList = z.infer<typeof JobList>;

/** An item of an earlier step that goes with a job. */
export const JobItem = z
  .strictObject({ id: z.string().nullable(), name: z.string(), type: z.string(), fields: JsonObject })
  .meta({ id: 'JobItem' });
export type JobItem = z.infer<typeof JobItem>;

/** What is asked. */
const asked = {
  title: z.string(),
  instructions: z.string(),
  query: z.string(),
  where: JsonObject.optional(),
  limit: z.number().int().positive(),
};

/** Body of `GET /jobs/{id}`: the job, and what was asked. */
export const Job = z
  .strictObject({
    object: z.literal('job'),
    ...listed,
    ...asked,
    entity_type: z.string(),
    /** Of the answer of a person. */
    schema: SentSchema.optional(),
    /** The items that go with it. */
    items_in: z.array(JobItem),
    traceparent: z.string(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

const requested = {
  event: z.literal('job.requested'),
  job_id: z.string(),
  run_id: Uuid,
  step_index: count,
  attempt: z.number().int().positive(),
  source: z.string(),
  ...asked,
  items: z.array(JobItem),
  deadline_at: EpochMs,
  job_url: z.string(),
  traceparent: z.string(),
};

/** What a worker is sent. */
export const JobRequested = z.strictObject({ ...requested, token: z.string() }).meta({ id: 'JobRequested' });
export type JobRequested = z.infer<typeof JobRequested>;

/** What the `notify_url` of a person is sent: a link to answer by, in place of the token. */
export const QuestionRequested = z
  .strictObject({ ...requested, answer_url: z.string() })
  .meta({ id: 'QuestionRequested' });
export type QuestionRequested = z.infer<typeof QuestionRequested>;

/** The run has closed the job: nothing that comes for it counts any more. */
export const JobCanceled = z
  .strictObject({ event: z.literal('job.canceled'), job_id: z.string() })
  .meta({ id: 'JobCanceled' });
export type JobCanceled = z.infer<typeof JobCanceled>;

// Jobs as the service sends and takes them.
import type { components } from './openapi.d.ts';
import type { OutputSchema } from './types.ts';

export type JobKind = 'job' | 'person';
export type JobStatus = 'open' | 'completed' | 'failed' | 'canceled' | 'timed_out' | 'replaced';

/** What the work has used. */
export interface JobUsage {
  cost_usd?: number;
  input_tokens?: number;
  output_tokens?: number;
}

/** An item of an earlier step that goes with a job. */
export interface JobItem {
  id: string | null;
  name: string;
  type: string;
  fields: Record<string, unknown>;
}

/** An item of the answer of a job. */
export interface SourceItem {
  id?: string | number | null;
  name: string;
  type?: string | null;
  fields?: Record<string, unknown> | null;
  external_uri?: string | null;
}

/** A job in a list. */
export interface ListedJob {
  job_id: string;
  run_id: string;
  step_index: number;
  attempt: number;
  source: string;
  kind: JobKind;
  status: JobStatus;
  created_at: number;
  deadline_at: number;
  completed_at?: number;
  message?: string;
  /** How many came. */
  items?: number;
  cost_usd?: number;
}

export interface JobList {
  object: 'list';
  data: ListedJob[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface ListJobs {
  status?: JobStatus;
  kind?: JobKind;
  source?: string;
  run_id?: string;
  limit?: number;
  cursor?: string;
}

interface Asked {
  title: string;
  instructions: string;
  query: string;
  /** As in a fetch. */
  where?: components['schemas']['Where'];
  limit: number;
  traceparent: string;
}

/** A job, and what was asked. */
export interface Job extends ListedJob, Asked {
  object: 'job';
  entity_type: string;
  /** Of the answer of a person. */
  schema?: OutputSchema;
  /** The items that go with it. */
  items_in: JobItem[];
}

/** What a worker is sent. */
export interface JobRequested extends Asked {
  event: 'job.requested';
  job_id: string;
  run_id: string;
  step_index: number;
  attempt: number;
  source: string;
  items: JobItem[];
  deadline_at: number;
  job_url: string;
  token: string;
}

/** How far a job is. */
export interface ProgressJob {
  items_done?: number;
  items_total?: number;
  message?: string;
}

/** One page of the items of a job. */
export interface AddJobItems {
  /** 0 to 19; the pages count in this order. */
  page: number;
  items: readonly SourceItem[];
}

/** The answer of a worker, or of a person. */
export interface CompleteJob {
  items?: readonly SourceItem[];
  answer?: Record<string, unknown>;
  usage?: JobUsage;
}

export interface FailJob {
  message: string;
  /** Whether the next attempt is made, if there is one. */
  retry: boolean;
  usage?: JobUsage;
}

/** False: the job was over in this way before, and the first message holds. */
export interface JobAccepted {
  accepted: boolean;
}

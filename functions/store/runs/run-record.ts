// The stored record of a run: its fields, what its status implies, and changes of it.
import * as z from 'zod';
import { RunError } from '#contract/events.ts';
import { ChangeCounts } from '#contract/monitors.ts';
import { InputType, RerunOf, RunConfig, StepSummary, Waiting } from '#contract/runs.ts';
import { KeyLimit } from '../money/costs.ts';
import { Packed } from '../table/packed.ts';
import { RunReport } from './run-report.ts';
import { WorkTime } from './work-time.ts';

/** A step of a run as stored: the public summary, and what it cost in credits. */
export const StepRecord = StepSummary.extend({ credits_charged: z.number().int().optional() });
export type StepRecord = z.infer<typeof StepRecord>;

/** Sums of tokens, and money in 1e-12 USD as a decimal integer. */
const Sums = z.object({
  calls: z.number().default(0),
  unpriced_calls: z.number().default(0),
  input_tokens: z.number().default(0),
  cached_input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  thinking_tokens: z.number().default(0),
  cost_pico_usd: z.string().default('0'),
});
export type Sums = z.infer<typeof Sums>;

const JobSums = z.object({
  count: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_pico_usd: z.string(),
});
export type JobSums = z.infer<typeof JobSums>;

/** The sums of all models, and in short which these are: most runs have one, and every commit is billed per KB. */
export const Spent = Sums.extend({
  /** The model that was used first; it has what the others leave of the sums. Absent in runs of earlier releases. */
  model: z.string().optional(),
  /** The sums of each other model, in the order of their first use. */
  others: z.array(Sums.extend({ model: z.string() })).optional(),
  /** What jobs brought, in the sums but of no model: how many, their tokens and cost. */
  jobs: JobSums.optional(),
  /** The first reply of a model that came in place of one that was away: that one, and the one that replied. */
  fell_back: z.tuple([z.string(), z.string()]).optional(),
});
export type Spent = z.infer<typeof Spent>;
export const nothingSpent: Spent = Spent.parse({});

/**
 * The fire of a run that a monitor made. Short, because every commit is billed per KB: its entry says more, and the
 * metadata of the run names the monitor.
 */
export const FiredBy = z.object({
  fire_id: z.string(),
  /** Of the body of the monitor's runs: runs of another one are not compared. */
  revision: z.string(),
  /** It is compared before its webhook is sent. */
  compared: z.literal(true).optional(),
});
export type FiredBy = z.infer<typeof FiredBy>;

/** What a run stores whatever its status. */
export const RunFields = z.object({
  id: z.string(),
  workspace_id: z.string(),
  api_version: z.string(),
  created_at: z.number(),
  started_at: z.number().optional(),
  input_type: InputType,
  /** The title of the plan, the query or the subject of the dossier. */
  title: z.string().optional(),
  config: RunConfig,
  metadata: z.record(z.string(), z.string()).optional(),
  request_id: z.string(),
  /** Of the request that created the run. */
  trace_id: z.string().optional(),
  /** The W3C trace context that the create was sent with. */
  traceparent: z.string().optional(),
  key_id: z.string(),
  /** The key on which its costs are counted, if that is another one. */
  spending_key_id: z.string().optional(),
  /** The limit of that key, which never changes; absent if it has none. */
  key_daily_limit_usd: z.number().optional(),
  /** The limits of the keys from which that key descends. */
  bounded_by: z.array(KeyLimit).optional(),
  /** Empty until a plan exists. */
  steps: z.array(StepRecord),
  /** Fingerprint of the saved plan; absent until one exists. */
  plan_fingerprint: z.string().optional(),
  /** Its query is not planned over notes and artifacts, which its key may not read. */
  no_texts: z.literal(true).optional(),
  /** How a query was understood, for the planner. */
  interpretation: z.string().optional(),
  ...RunReport.shape,
  /** The packed report, as stored. */
  report: Packed.optional(),
  spent: Spent.default(nothingSpent),
  /** Simulated: only a model that rehearses works on the run. Short, because every commit is billed per KB. */
  sim: z.literal(true).optional(),
  /** The part of `spent` from journaled calls of the current step. */
  journal_spent: Spent.optional(),
  /** The last invocations that counted calls outside the journal, the newest last: how many. */
  counted_by: z.array(z.tuple([z.string(), z.number()])).optional(),
  /** Model calls started by the current step, over slices and resumes. */
  calls_tried: z.number().optional(),
  credits_at_most: z.number().optional(),
  credits_used: z.number().nullable().optional(),
  resume_count: z.number().default(0),
  rerun_of: RerunOf.optional(),
  /** The fire of a monitor that made the run. */
  fired_by: FiredBy.optional(),
  /** How its first table differs from that of the monitor's last succeeded run. */
  changes: ChangeCounts.optional(),
  /** Runs that own the checkpoints of the first steps, by position. */
  inherited: z.array(z.string()).default([]),
  /** Position of the running step, or of the next one. */
  position: z.number(),
  /** Invocation that owns the run's lease; once a newer one has acquired it, commits of the older one fail. */
  owner: z.string().optional(),
  /** Name of the newest execution. */
  execution: z.string(),
  pause_requested: z.boolean().optional(),
  /** False until the last event is written, which can come after a terminal status. */
  log_finished: z.boolean().default(false),
  version: z.number(),
  /** Nonce of the commit that wrote this state, by which a repeated commit recognizes its own. */
  commit_id: z.string().optional(),
  last_sequence: z.number(),
  last_event_at: z.number(),
  /** The time of the last resume, in a run that has to start within a time. */
  pending_since: z.number().optional(),
  work_time: WorkTime.optional(),
  /** The error of a run that waits for a model, if the model does not come back in time. */
  wait_error: RunError.optional(),
  /** How long its ended waits for a model lasted, since its start or last resume. */
  model_waited_ms: z.number().optional(),
  /** Present while the sweep has to check the run. */
  due_pk: z.string().optional(),
  due_at: z.number().optional(),
  /** Expiry of the run and everything that belongs to it; absent if the stage retains runs. */
  expires_at_seconds: z.number().optional(),
  /** The end of what `config.retain_seconds` asks for, once the log is finished; epoch ms. */
  retained_until: z.number().optional(),
});

const never = z.undefined().optional();
const unpaused = { task_token: never, waiting: never };
const ended = { completed_at: z.number(), ...unpaused };

/** What the status of a run implies. */
export const RunState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), completed_at: never, ...unpaused }),
  z.object({
    // A running run waits for an open job (rules.md: jobs).
    status: z.enum(['running', 'paused']),
    completed_at: never,
    /** Task token of the execution, once it is parked. */
    task_token: z.string().optional(),
    /** What it waits for; absent in a paused run: maintenance, if it paused before a run said so. */
    waiting: Waiting.optional(),
  }),
  z.object({ status: z.enum(['succeeded', 'canceled']), ...ended }),
  z.object({ status: z.literal('failed'), ...ended, errors: z.array(RunError).min(1) }),
]);
type RunState = z.infer<typeof RunState>;

export type RunRecord = z.infer<typeof RunFields> & RunState;
/** A run whose status no longer changes, unless it is resumed. */
export type EndedRun = Extract<RunRecord, { completed_at: number }>;

type WithoutErrors<State> = State extends RunState ? Omit<State, 'errors'> : never;
/** No new status: only a waiting run's token may come or go, and what it waits for may change. */
type SameState = {
  status?: never;
  completed_at?: never;
  task_token?: string | undefined;
  waiting?: Waiting | undefined;
};

/** What a transition changes: fields, and a status only together with what it implies. */
export type RunChange = Partial<z.infer<typeof RunFields>> & (SameState | WithoutErrors<RunState>);

/** Two changes as one. A status comes with all that it implies: the later of two replaces the other whole. */
export function bothChanges(first: RunChange, second: RunChange): RunChange {
  if (second.status !== undefined) {
    const { status: _, completed_at: __, task_token: ___, waiting: ____, ...fields } = first;
    return { ...fields, task_token: undefined, waiting: undefined, ...second };
  }
  if (first.status === undefined) return { ...first, ...second };
  // A run may start and wait for its first job at once.
  if (first.status === 'running') {
    const { status: _, completed_at: __, ...present } = second;
    return { ...first, ...present };
  }
  const { status: _, completed_at: __, task_token: ___, waiting: ____, ...fields } = second;
  return { ...first, ...fields };
}

/** The run after a change. Throws ZodError when the status and the rest do not belong together. */
export function changedRun(run: RunRecord, change: RunChange): RunRecord {
  const paused = change.status === undefined ? {} : { task_token: undefined, waiting: undefined };
  const { status, completed_at, task_token, waiting, ...fields } = { ...run, ...paused, ...change };
  // Keep the identity of the lists, which shows a commit what changed.
  const { errors } = fields;
  const state = RunState.parse({ status, completed_at, task_token, waiting, errors });
  return { ...fields, ...state, errors };
}

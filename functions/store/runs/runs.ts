// Runs: the stored state of one, and `commit`, the only way it changes.
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type EventBody, RunError } from '#contract/events.ts';
import { InputType, RerunOf, RunConfig, StepSummary } from '#contract/runs.ts';
import { newNonce } from '#platform/ids.ts';
import { mapInTurns, nextTurn } from '#platform/turns.ts';
import { announceGrowth } from '#store/runs/log-growth.ts';
import { costWrite } from '../money/costs.ts';
import { releaseWrite, type SlotEnd } from '../money/slots.ts';
import { FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import { Packed } from '../table/packed.ts';
import {
  ConditionFailed,
  getItem,
  getItems,
  type Item,
  table,
  tableName,
  transact,
  type Write,
} from '../table/table.ts';
import { keys, runOfPartition } from '../table/table-keys.ts';
import { isUnfulfilled, wishingFor } from '../table/wish.ts';
import { withEvents } from './events.ts';
import { keptWith } from './kept-with-run.ts';
import { nextLook } from './next-look.ts';
import { newRunWrites, statusWrites } from './run-list.ts';
import { openReport, RunReport, runAttributes, withPackedReport } from './run-report.ts';

/** A step of a run as stored: the public summary, and what it cost in credits. */
export const StepRecord = StepSummary.extend({ credits_charged: z.number().int().optional() });
export type StepRecord = z.infer<typeof StepRecord>;

/** Token counts as sums, money in 1e-12 USD as a decimal integer. What is not there is nothing. */
export const Spent = z.object({
  calls: z.number().default(0),
  unpriced_calls: z.number().default(0),
  input_tokens: z.number().default(0),
  cached_input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  thinking_tokens: z.number().default(0),
  cost_pico_usd: z.string().default('0'),
});
export type Spent = z.infer<typeof Spent>;
export const nothingSpent: Spent = Spent.parse({});

const RunFields = z.object({
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
  key_id: z.string(),
  /** Empty until a plan exists. */
  steps: z.array(StepRecord),
  /** Fingerprint of the saved plan; absent until one exists. */
  plan_fingerprint: z.string().optional(),
  /** How a query was understood, for the planner. */
  interpretation: z.string().optional(),
  ...RunReport.shape,
  /** The packed report, as the item holds it. */
  report: Packed.optional(),
  spent: Spent.default(nothingSpent),
  /** What the journaled calls of the open step add to `spent` already. */
  journal_spent: Spent.optional(),
  /** Model calls that the open step has begun so far, over slices and resumes. */
  calls_tried: z.number().optional(),
  /**
   * Present when the slot was claimed apart, because many runs were in flight: before then (epoch ms) costs go to a shard of the day, and the
   * slot is released apart, too.
   */
  sharded_until: z.number().optional(),
  /** The commit that ended the run released its slot; else whoever finalizes the run does. */
  slot_released: z.literal(true).optional(),
  credits_at_most: z.number().optional(),
  credits_used: z.number().nullable().optional(),
  resume_count: z.number().default(0),
  rerun_of: RerunOf.optional(),
  /** Runs whose checkpoints stand for the first steps of this one, by position. */
  inherited: z.array(z.string()).default([]),
  /** Position of the running step, or of the next one. */
  position: z.number(),
  /** Invocation that holds the run's lease; once a newer one has acquired it, commits of the older one fail. */
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
  /** Present while the sweep has to check the run. */
  due_pk: z.string().optional(),
  due_at: z.number().optional(),
  /** When the run goes, with all that belongs to it; absent where the stage keeps runs. */
  expires_at_seconds: z.number().optional(),
});

const never = z.undefined().optional();
const ended = { completed_at: z.number(), task_token: never };

/** What the status of a run implies. */
const RunState = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['pending', 'running']), completed_at: never, task_token: never }),
  z.object({
    status: z.literal('paused'),
    completed_at: never,
    /** Task token of the execution, once it is parked. */
    task_token: z.string().optional(),
  }),
  z.object({ status: z.enum(['succeeded', 'canceled']), ...ended }),
  z.object({ status: z.literal('failed'), ...ended, errors: z.array(RunError).min(1) }),
]);
type RunState = z.infer<typeof RunState>;

export type RunRecord = z.infer<typeof RunFields> & RunState;
/** A run whose status no longer changes, unless it is resumed. */
export type EndedRun = Extract<RunRecord, { completed_at: number }>;

/** What a transition changes: any fields, or a status together with what it implies. */
export type RunChange = Partial<z.infer<typeof RunFields>> & Partial<Omit<RunState, 'errors'>>;

/** The run after a change. Throws ZodError when the status and the rest do not belong together. */
export function changedRun(run: RunRecord, change: RunChange): RunRecord {
  const { status, completed_at, task_token, ...fields } = { ...run, ...change };
  // The lists keep their identity, by which a commit knows what changed.
  const { errors } = fields;
  return { ...fields, ...RunState.parse({ status, completed_at, task_token, errors }), errors };
}

/** Another commit changed the run since it was read. Read it again and decide anew. */
export class StaleRun extends Error {
  constructor(runId: string) {
    super(`run ${runId} changed since it was read`);
    this.name = 'StaleRun';
  }
}

/** How a run changes: what `commit` writes as one. */
export interface Transition {
  change: RunChange;
  events?: EventBody[];
  effects?: Write[];
  /** What it adds to the day's spending, 1e-12 USD. */
  cost?: bigint;
}

/**
 * The only way a run changes: its new state, the events that tell of it, the effects that belong to it and its cost (1e-12 USD) land together
 * or not at all, and with the end of a run the release of its slot, if that is easy. Time in the log never runs backwards. Returns the new
 * state. Throws StaleRun when the run is no longer the one that was read, ConditionFailed when a condition of an effect does not hold,
 * WriteRefused for what is too large to be kept.
 */
export async function commit(
  before: RunRecord,
  { change, events = [], effects = [], cost = 0n }: Transition,
): Promise<RunRecord> {
  const changed = await withPackedReport(changedRun(before, change), before);
  const now = Date.now();
  const due_at = nextLook(before, changed, now);
  const { after, log } = withEvents(
    { ...changed, due_at, version: before.version + 1, commit_id: newNonce() },
    events,
    now,
  );
  const others = [...log, ...effects, ...statusWrites(after, before.status, after.status)];
  const landsAlone = () => land(before, after, cost > 0n ? [costWrite(after, cost, now), ...others] : others);
  // In a crowd, transactions would cancel each other at the counters.
  const ends = after.log_finished && !before.log_finished && after.completed_at !== undefined;
  const release =
    ends && after.sharded_until === undefined
      ? releaseWrite(after, slotEnd(after), { pico_usd: cost, at: now })
      : undefined;
  const landed = release
    ? await land(before, { ...after, slot_released: true }, others, release).catch((error: unknown) => {
        if (!isUnfulfilled(release, error)) throw error;
        return landsAlone();
      })
    : await landsAlone();
  if (events.length > 0) announceGrowth(after, events);
  return landed;
}

/** Writes a commit, and `release` with it; returns the run as it is then. Throws as `commit` does, ConditionFailed for a release that is not easy. */
async function land(
  before: RunRecord,
  after: RunRecord,
  others: Write[],
  release?: Write,
): Promise<RunRecord> {
  const unchangedSinceRead = {
    ConditionExpression: '#version = :read',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':read': before.version },
  };
  const Item = { ...keys.run(after.workspace_id, after.id), ...runAttributes(after) };
  const own: Write = { Put: { TableName: tableName(), Item, ...unchangedSinceRead } };
  const writes = keptWith(after, [own, ...(release ? [release] : []), ...others]);
  try {
    await transact(wishingFor(release, writes));
    return after;
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.index === 0)) throw error;
    // The reply to an earlier try of this very commit may have been lost.
    const present = await get(after.workspace_id, after.id);
    if (!present || present.commit_id !== after.commit_id) throw new StaleRun(before.id);
    return present;
  }
}

/** What the slot of a run that has ended is settled by. */
export function slotEnd({ credits_at_most, credits_used, completed_at }: EndedRun): SlotEnd {
  // A claim made after the end belongs to a resume.
  return { reserved: credits_at_most, used: credits_used ?? 0, until: completed_at };
}

/**
 * Writes a new run with its first events and effects. Throws ConditionFailed(0) when the id is taken, a later one for an effect; for the write
 * that claims its slot also where that is not easy.
 */
export async function create(
  run: RunRecord,
  events: EventBody[],
  effects: Write[],
  slot?: Write,
): Promise<RunRecord> {
  const { after, log } = withEvents(await withPackedReport(run), events, run.created_at);
  const Item = { ...keys.run(run.workspace_id, run.id), ...runAttributes(after) };
  const isNew = {
    ConditionExpression: FREE_KEY,
    ExpressionAttributeValues: freeKeyValues(run.created_at),
  };
  const writes = keptWith(run, [
    { Put: { TableName: tableName(), Item, ...isNew } },
    ...log,
    ...(slot ? [slot] : []),
    ...effects,
    ...newRunWrites(run),
  ]);
  await transact(wishingFor(slot, writes));
  return after;
}

/** The id of the run whose item it is. */
const idOf = (item: Item): string => runOfPartition(String(item.pk)).run_id;

/** The run that an item of `commit` or `create` holds. Its key names it, and its first execution is named like it. */
export async function runOf(item: Item): Promise<RunRecord> {
  return parse(await openReport(item));
}

function parse(item: Item): RunRecord {
  const { workspace_id, run_id } = runOfPartition(String(item.pk));
  const whole = { id: run_id, workspace_id, execution: run_id, ...item };
  return { ...RunFields.parse(whole), ...RunState.parse(whole) };
}

/** The run, or undefined when the workspace has none of this id. */
export async function get(workspaceId: string, runId: string): Promise<RunRecord | undefined> {
  const item = await getItem(keys.run(workspaceId, runId));
  return item && runOf(item);
}

/** The runs that exist among the ids, in their order. */
export async function getMany(workspaceId: string, runIds: string[]): Promise<RunRecord[]> {
  const items = await getItems(runIds.map((id) => keys.run(workspaceId, id)));
  // To read the table's reply was a turn's work.
  await nextTurn();
  const opened = await Promise.all(await mapInTurns(items, openReport));
  const found = new Map((await mapInTurns(opened, parse)).map((run) => [run.id, run]));
  return runIds.flatMap((id) => found.get(id) ?? []);
}

const RunTimes = RunFields.pick({
  id: true,
  created_at: true,
  log_finished: true,
  credits_used: true,
}).extend({ completed_at: z.number().optional() });
export type RunTimes = z.infer<typeof RunTimes>;

/** When the runs among the ids began and whether they have ended, in no order; those that do not exist are left out. */
export async function timesOf(workspaceId: string, runIds: string[]): Promise<RunTimes[]> {
  const items = await getItems(
    runIds.map((id) => keys.run(workspaceId, id)),
    Object.keys({ ...RunTimes.shape, pk: true }).join(', '),
  );
  return items.map((item) => RunTimes.parse({ id: idOf(item), ...item }));
}

/** The run of an id whose workspace is not known: searched for in each of them. */
export async function findAnywhere(workspaceIds: string[], runId: string): Promise<RunRecord | undefined> {
  const [item] = await getItems(workspaceIds.map((id) => keys.run(id, runId)));
  return item && runOf(item);
}

/** Repeats a decision on a run whenever another commit changed the run in between. `decide` must read the run itself. */
export async function retryIfStale<T>(decide: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof StaleRun)) throw error;
    }
  }
}

const Head = z.object({ last_sequence: z.number() });

/** How many runs `lastSequences` takes at a time. */
export const HEADS_MAX = 100;

/** The sequence of each run's last event, by run id, in one read. Runs that do not exist, or that the table did not process, are left out. */
export async function lastSequences(
  runs: Pick<RunRecord, 'id' | 'workspace_id'>[],
): Promise<Map<string, number>> {
  const Keys = runs.map((run) => keys.run(run.workspace_id, run.id));
  const { Responses } = await table.send(
    new BatchGetCommand({
      RequestItems: {
        [tableName()]: { Keys, ConsistentRead: true, ProjectionExpression: 'pk, last_sequence' },
      },
    }),
  );
  const heads = Responses?.[tableName()] ?? [];
  return new Map(heads.map((item) => [idOf(item), Head.parse(item).last_sequence]));
}

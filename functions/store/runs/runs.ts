// Runs: creating and reading them, and `commit`, the only way one changes.
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EventBody } from '#contract/events.ts';
import { RunStatus } from '#contract/runs.ts';
import { newNonce } from '#platform/ids.ts';
import { observe } from '#platform/observations.ts';
import { retryStale } from '#platform/retry-stale.ts';
import { announceGrowth } from '#store/runs/log-growth.ts';
import { costWrite } from '../money/costs.ts';
import { FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import {
  ConditionFailed,
  getEvenExpired,
  getItem,
  getItems,
  type Item,
  table,
  tableName,
  transact,
  type Write,
  writeAll,
} from '../table/table.ts';
import { keys, runOfPartition } from '../table/table-keys.ts';
import { withEvents } from './events.ts';
import type { TracedCalls } from './model-tries.ts';
import { nextSweepAt } from './next-sweep.ts';
import { visitsAfterEnd, withRunExpiry } from './run-expiry.ts';
import { newRunWrites, statusWrites } from './run-list.ts';
import { changedRun, type RunChange, RunFields, type RunRecord, RunState } from './run-record.ts';
import { openReport, runAttributes, withPackedReport } from './run-report.ts';
import { spentOfStored } from './stored-spent.ts';
import { endedWaitsMs, workTime } from './work-time.ts';

/** Another commit changed the run since it was read. Read it again and decide again. */
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
  /** Model calls that its events report to the trace. */
  traced?: TracedCalls | undefined;
}

/**
 * The only way a run changes: its new state, events, effects and cost (1e-12 USD) are written together or not at all.
 * Time in the log never runs backwards. Returns the new state. Throws StaleRun if the run has changed since it was
 * read, ConditionFailed if a condition of an effect fails, WriteRefused for what is too large.
 */
export async function commit(
  before: RunRecord,
  { change, events = [], effects = [], cost = 0n, traced }: Transition,
): Promise<RunRecord> {
  const now = Date.now();
  const timed = (run: RunRecord) => ({
    ...run,
    work_time: workTime(before, run, now),
    model_waited_ms: endedWaitsMs(before, run, now),
  });
  const changed = await withPackedReport(timed(changedRun(before, change)), before);
  const due_at = nextSweepAt(before, changed, now);
  const { after, log } = withEvents(
    {
      ...changed,
      due_at,
      ...visitsAfterEnd(before, changed, now),
      version: before.version + 1,
      commit_id: newNonce(),
    },
    events,
    timeOf(before, changed) ?? now,
    traced,
  );
  const committed = await writeCommit(before, after, [
    ...(cost > 0n ? [costWrite(after, cost, now)] : []),
    ...[...log, ...effects, ...statusWrites(before, after)],
  ]);
  if (events.length > 0) announceGrowth(after, events);
  if (cost > 0n) observe({ what: 'cost', pico_usd: cost });
  return committed;
}

/** The events of the commit that ends a run have the time of its end, which its webhook repeats. */
function timeOf(before: RunRecord, after: RunRecord): number | undefined {
  return before.completed_at === undefined ? after.completed_at : undefined;
}

/** Writes a commit and returns the new run. Throws as `commit` does. */
async function writeCommit(before: RunRecord, after: RunRecord, others: Write[]): Promise<RunRecord> {
  const unchangedSinceRead = {
    ConditionExpression: '#version = :read',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':read': before.version },
  };
  const Item = { ...keys.run(after.workspace_id, after.id), ...runAttributes(after) };
  const own: Write = { Put: { TableName: tableName(), Item, ...unchangedSinceRead } };
  const writes = withRunExpiry(after, [own, ...others]);
  try {
    // Only a transaction knows a request that the SDK repeats: what is counted must not be decided again.
    await (before.spent === after.spent ? writeAll(writes) : transact(writes));
    return after;
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.index === 0)) throw error;
    // An earlier try of this commit may have succeeded without a reply.
    const present = await get(after.workspace_id, after.id);
    if (!present || present.commit_id !== after.commit_id) throw new StaleRun(before.id);
    return present;
  }
}

/** What a run may be created with. */
interface CreateExtras {
  /** The name of its idempotency key. */
  claim?: string | undefined;
  /** Model calls before the run existed. */
  traced?: TracedCalls | undefined;
}

/**
 * Writes a new run with its first events and effects. Throws ConditionFailed: index 0 if the id exists, else for an
 * effect.
 */
export async function create(
  run: RunRecord,
  events: EventBody[],
  effects: Write[],
  { claim, traced }: CreateExtras = {},
): Promise<RunRecord> {
  const { after, log } = withEvents(await withPackedReport(run), events, run.created_at, traced);
  const Item = { ...keys.run(run.workspace_id, run.id), ...runAttributes(after) };
  const isNew = {
    ConditionExpression: FREE_KEY,
    ExpressionAttributeValues: freeKeyValues(run.created_at),
  };
  const writes = withRunExpiry(run, [
    { Put: { TableName: tableName(), Item, ...isNew } },
    ...log,
    ...effects,
    ...newRunWrites(run, claim),
  ]);
  await transact(writes);
  announceGrowth(after, events);
  return after;
}

/** The id of the run of an item. */
const idOf = (item: Item): string => runOfPartition(String(item.pk)).run_id;

/** The run in an item of `commit` or `create`. Its id comes from the key, and its first execution has the same name. */
export async function runOf(item: Item): Promise<RunRecord> {
  return parse(await openReport(item));
}

function parse(item: Item): RunRecord {
  const { workspace_id, run_id } = runOfPartition(String(item.pk));
  const whole = { id: run_id, workspace_id, execution: run_id, ...item };
  const fields = RunFields.parse(whole);
  return { ...fields, spent: spentOfStored(fields), ...RunState.parse(whole) };
}

/** The run, even if it has expired and is not deleted yet. */
export async function getEvenIfExpired(workspaceId: string, runId: string): Promise<RunRecord | undefined> {
  const item = await getEvenExpired(keys.run(workspaceId, runId));
  return item && runOf(item);
}

/** The run, or undefined if the workspace has none of this id. */
export async function get(workspaceId: string, runId: string): Promise<RunRecord | undefined> {
  const item = await getItem(keys.run(workspaceId, runId));
  return item && runOf(item);
}

const LogHead = RunFields.pick({
  id: true,
  workspace_id: true,
  api_version: true,
  config: true,
  log_finished: true,
  last_sequence: true,
  last_event_at: true,
}).extend({ completed_at: z.number().optional() });
/** What readers of its log need of a run. */
export type LogHead = z.infer<typeof LogHead>;

/** As `get`, for a reader of the log: nothing is unpacked. */
export async function getLogHead(workspaceId: string, runId: string): Promise<LogHead | undefined> {
  const item = await getItem(keys.run(workspaceId, runId));
  return item && LogHead.parse({ id: runId, workspace_id: workspaceId, ...item });
}

const Outline = RunFields.pick({ id: true, input_type: true, metadata: true }).extend({ status: RunStatus });
/** A run whose report is not read yet, with what a list filters by. */
export type UnreadRun = z.infer<typeof Outline> & { item: Item };

/** The runs that exist among the ids, in their order, without their reports. */
export async function getUnread(workspaceId: string, runIds: string[]): Promise<UnreadRun[]> {
  const items = await getItems(runIds.map((id) => keys.run(workspaceId, id)));
  const found = new Map(items.map((item) => [idOf(item), item]));
  return runIds.flatMap((id) => {
    const item = found.get(id);
    return item ? [{ ...Outline.parse({ id, ...item }), item }] : [];
  });
}

/** The runs with their reports. */
export async function readReports(unread: UnreadRun[]): Promise<RunRecord[]> {
  const opened = await Promise.all(unread.map(({ item }) => openReport(item)));
  return opened.map(parse);
}

/** The runs that exist among the ids, in their order. */
export async function getMany(workspaceId: string, runIds: string[]): Promise<RunRecord[]> {
  return readReports(await getUnread(workspaceId, runIds));
}

const RunTimes = RunFields.pick({
  id: true,
  created_at: true,
  log_finished: true,
  credits_used: true,
  config: true,
  work_time: true,
}).extend({ completed_at: z.number().optional() });
export type RunTimes = z.infer<typeof RunTimes>;

/** The times of the existing runs among the ids, in no order. */
export async function timesOf(workspaceId: string, runIds: string[]): Promise<RunTimes[]> {
  const items = await getItems(
    runIds.map((id) => keys.run(workspaceId, id)),
    Object.keys({ ...RunTimes.shape, pk: true }).join(', '),
  );
  return items.map((item) => RunTimes.parse({ id: idOf(item), ...item }));
}

/** The run of an id in any of these workspaces. */
export async function findAnywhere(workspaceIds: string[], runId: string): Promise<RunRecord | undefined> {
  const [item] = await getItems(workspaceIds.map((id) => keys.run(id, runId)));
  return item && runOf(item);
}

/** Repeats a decision while other commits change the run in between. `decide` must read the run itself. */
export const retryIfStale = <T>(decide: () => Promise<T>): Promise<T> => retryStale(StaleRun, decide);

const Head = z.object({ last_sequence: z.number() });

/** How many runs `lastSequences` takes at a time. */
export const HEADS_MAX = 100;

/** The sequence of each run's last event, by run id, in one read. Missing and unprocessed runs are left out. */
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

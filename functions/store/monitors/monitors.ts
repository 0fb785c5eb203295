// Monitors: the state of each, which one commit at a time changes, and the body of its runs.

import * as z from 'zod';
import { JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { FireCause, MONITOR_PAIR, MonitorStatus, Notify, Overlap, Trigger } from '#contract/monitors.ts';
import { CreateRun } from '#contract/runs.ts';
import { newId } from '#platform/ids.ts';
import { retryStale } from '#platform/retry-stale.ts';
import type { RunRecord } from '../runs/run-record.ts';
import { monitorObject } from '../table/object-keys.ts';
import { PackedItem, pack, unpack } from '../table/packed.ts';
import {
  ConditionFailed,
  getItem,
  getItems,
  type Item,
  queryAll,
  tableName,
  transact,
  type Write,
} from '../table/table.ts';
import { due, duePartition, keys } from '../table/table-keys.ts';

export interface MonitorKey {
  workspace_id: string;
  monitor_id: string;
}

const MonitorFields = z.object({
  id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  status: MonitorStatus,
  on: Trigger,
  overlap: Overlap,
  catch_up_seconds: z.number(),
  notify: Notify,
  created_at: z.number(),
  /** The key whose runs the fires are. */
  key_id: z.string(),
  /** Names the body of its runs: runs of another one are not compared. */
  revision: z.string(),
  /** The next due time of an active schedule, epoch ms. */
  next_fire_at: z.number().optional(),
  /**
   * Changes of records since the last fire: the first and the last of them (epoch ms), and whether they were listed as
   * skipped and wait for the end of the last run.
   */
  marked: z.object({ since: z.number(), last: z.number(), skipped: z.literal(true).optional() }).optional(),
  /** A fire that waits for the end of the last run. */
  queued: z.object({ id: z.string(), due_at: z.number(), cause: FireCause }).optional(),
  /** When to see whether the last run has ended, for a queued fire or a change that was skipped; epoch ms. */
  look_at: z.number().optional(),
  /** A fire is being made until then, which may ask a model first. */
  firing_until: z.number().optional(),
  last_run_id: z.string().optional(),
  /** Its newest fire, which may have expired. */
  last_fire_id: z.string().optional(),
  /** Name of the claim of the Idempotency-Key that created it, which is free again when it is deleted. */
  claim: z.string().optional(),
  version: z.number(),
});
export type MonitorRecord = z.infer<typeof MonitorFields>;
export type MonitorChange = Partial<MonitorRecord>;

/** Another commit changed the monitor since it was read, or it is gone. Read it again and decide again. */
export class StaleMonitor extends Error {
  constructor(id: string) {
    super(`monitor ${id} changed since it was read`);
    this.name = 'StaleMonitor';
  }
}

/** When marked records have settled, epoch ms: after a quiet time, at the latest after ten of them. */
export function settledAt({ on, marked }: Pick<MonitorRecord, 'on' | 'marked'>): number | undefined {
  if (!marked || !('change' in on)) return undefined;
  const quiet_ms = (on.change.settle_seconds ?? limits.monitor_settle_default_seconds) * 1000;
  return Math.min(marked.last + quiet_ms, marked.since + limits.monitor_settle_periods_max * quiet_ms);
}

/** When the sweep looks at a monitor: at the first of what it waits for. */
function dueAt(monitor: MonitorRecord): number | undefined {
  const { next_fire_at, look_at, marked } = monitor;
  const settled_at = marked?.skipped ? undefined : settledAt(monitor);
  const times = [next_fire_at, look_at, settled_at].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}

function itemOf(monitor: MonitorRecord): Item {
  const { workspace_id, id, on, ...fields } = monitor;
  const due_at = dueAt(monitor);
  const indexed = due_at === undefined ? {} : { due_pk: duePartition(due.monitors, id), due_at };
  // It outlives the runs in whose transactions it is written.
  return {
    ...keys.monitor(workspace_id, id),
    ...fields,
    // The table does not take every number of a condition.
    on: JSON.stringify(on),
    ...indexed,
    expires_at_seconds: undefined,
  };
}

/** The workspace is in the partition's name, `WS#<id>#MONITORS`. */
function monitorOf(item: Item): MonitorRecord {
  const on = typeof item.on === 'string' ? JSON.parse(item.on) : item.on;
  return MonitorFields.parse({ ...item, on, id: item.sk, workspace_id: String(item.pk).split('#')[1] });
}

/** Saves a new monitor with the body of its runs and with `effects`. Throws ConditionFailed for one of these. */
export async function create(monitor: MonitorRecord, run: CreateRun, effects: Write[]): Promise<void> {
  const own = { Put: { TableName: tableName(), Item: itemOf(monitor) } };
  await transact([own, await runWrite(monitor, run), ...effects]);
}

async function runWrite({ workspace_id, id, revision }: MonitorRecord, run: CreateRun): Promise<Write> {
  const body = await pack(run, monitorObject(workspace_id, id, `run-${newId()}`));
  return { Put: { TableName: tableName(), Item: { ...keys.monitorRun(workspace_id, id), revision, body } } };
}

/** Write that changes a monitor, unless another commit changed it since it was read. */
export function changeWrite(before: MonitorRecord, change: MonitorChange): Write {
  return {
    Put: {
      TableName: tableName(),
      Item: itemOf({ ...before, ...change, version: before.version + 1 }),
      ...unchanged(before),
    },
  };
}

const unchanged = ({ version }: MonitorRecord) => ({
  ConditionExpression: '#version = :read',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':read': version },
});

/**
 * Changes a monitor together with `effects`, and with the body of its runs if there is another one. Throws
 * StaleMonitor, ConditionFailed for an effect.
 */
export async function commit(
  before: MonitorRecord,
  change: MonitorChange,
  { effects = [], run }: { effects?: Write[]; run?: CreateRun | undefined } = {},
): Promise<MonitorRecord> {
  const after = { ...before, ...change, version: before.version + 1 };
  const body = run ? [await runWrite(after, run)] : [];
  await transactOn(before, [changeWrite(before, change), ...body, ...effects]);
  return after;
}

/** Deletes a monitor together with `effects`. Its fires expire. Throws StaleMonitor. */
export async function remove(monitor: MonitorRecord, effects: Write[]): Promise<void> {
  const { workspace_id, id } = monitor;
  const TableName = tableName();
  await transactOn(monitor, [
    { Delete: { TableName, Key: keys.monitor(workspace_id, id), ...unchanged(monitor) } },
    { Delete: { TableName, Key: keys.monitorRun(workspace_id, id) } },
    { Delete: { TableName, Key: keys.monitorPlan(workspace_id, id) } },
    ...effects,
  ]);
}

/** Several changes as one. Throws StaleMonitor if one of the monitors has changed since it was read. */
export async function transactAll(writes: Write[]): Promise<void> {
  try {
    if (writes.length > 0) await transact(writes);
  } catch (error) {
    if (error instanceof ConditionFailed) throw new StaleMonitor('of several');
    throw error;
  }
}

/** A transaction whose first write changes the monitor. */
async function transactOn({ id }: MonitorRecord, writes: Write[]): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    if (error instanceof ConditionFailed && error.index === 0) throw new StaleMonitor(id);
    throw error;
  }
}

export async function get(workspaceId: string, id: string): Promise<MonitorRecord | undefined> {
  const item = await getItem(keys.monitor(workspaceId, id));
  return item && monitorOf(item);
}

/** All monitors of a workspace, by id: oldest first. */
export async function list(workspaceId: string): Promise<MonitorRecord[]> {
  return (await queryAll(keys.monitors(workspaceId))).map(monitorOf);
}

const RunBody = PackedItem.extend({ revision: z.string() });

/** A monitor with the body of its runs; undefined if there is none. */
export async function getWithRun(
  workspaceId: string,
  id: string,
): Promise<{ monitor: MonitorRecord; run: CreateRun } | undefined> {
  const found = await getWithBody(workspaceId, id);
  return found && { monitor: found.monitor, run: CreateRun.parse(found.body) };
}

/** As `getWithRun`, in one read, with the unchecked body: what was accepted once may be refused by now. */
export async function getWithBody(
  workspaceId: string,
  id: string,
): Promise<{ monitor: MonitorRecord; body: JsonObject } | undefined> {
  for (;;) {
    const items = await getItems([keys.monitor(workspaceId, id), keys.monitorRun(workspaceId, id)]);
    const [own, body] = [items.find(({ sk }) => sk === id), items.find(({ sk }) => sk === 'RUN')];
    if (!own || !body) return undefined;
    const monitor = monitorOf(own);
    const stored = RunBody.parse(body);
    // A commit between the reads of the two: read both again.
    if (stored.revision !== monitor.revision) continue;
    return { monitor, body: await unpack(stored.body, (value) => JsonObject.parse(value)) };
  }
}

/** The monitor of a key in the index of due items. */
export function monitorOfKey({ pk, sk }: { pk: string; sk: string }): MonitorKey {
  return { workspace_id: pk.split('#')[1] ?? '', monitor_id: sk };
}

/** The monitor that made a run, or undefined. */
export function monitorOfRun({ workspace_id, fired_by, metadata = {} }: RunRecord): MonitorKey | undefined {
  const monitor_id = fired_by && metadata[MONITOR_PAIR];
  return monitor_id === undefined ? undefined : { workspace_id, monitor_id };
}

/** Repeats a decision while other commits change the monitor in between. `decide` must read it itself. */
export const retryIfStale = <T>(decide: () => Promise<T>): Promise<T> => retryStale(StaleMonitor, decide);

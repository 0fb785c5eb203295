// Monitors that are due at the same minute, in virtual time: when each fires, what the fires and their runs cost each
// partition in a second, and whether Step Functions starts as many executions (rules.md: monitors 4, monitors 13).
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { limits } from '#contract/limits.ts';
import { RunKey } from '#contract/run-keys.ts';
import { type FireSetting, fireDue } from '#domain/monitors/fire.ts';
import { createMonitor } from '#domain/monitors/manage.ts';
import { enqueueFires } from '#domain/recovery/enqueue-fires.ts';
import { FireMessage } from '#orchestration/fire-queue.ts';
import { newId } from '#platform/ids.ts';
import { keys } from '#store/table/table-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { queues } from '../../../lib/constructs/queues.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { counted, type Load, noLoad, type PartitionLoad } from '../../support/memory-table/partition-load.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { random } from '../../support/random.ts';
import { caller } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { beyond, CALL_MS, hottest, type Rates, withOnePartition } from './partition-limits.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';
import { body, livesOn, model } from './stack-run.ts';
import { startQuota } from './start-quota.ts';

/** So many workspaces have so many monitors each. */
type Tenants = { workspaces: number; monitors: number }[];

/** 10,000 monitors of 1,040 workspaces. */
const STAGE: Tenants = [
  { workspaces: 50, monitors: limits.monitors_max },
  { workspaces: 90, monitors: 30 },
  { workspaces: 350, monitors: 5 },
  { workspaces: 550, monitors: 1 },
];
/** One workspace with as many monitors as it may have, beside small ones. */
const NEIGHBORS: Tenants = [
  { workspaces: 1, monitors: limits.monitors_max },
  { workspaces: 20, monitors: 1 },
];
/** How late the monitors of small workspaces are when a large one has many due: as if it were not there. */
const NEIGHBORS_LATENESS_SECONDS = 1;
const LATENESS_SECONDS = limits.monitor_lateness_max_ms / 1000;

const START_MS = Date.UTC(2026, 10, 23, 9);
const DUE_MS = START_MS + 3600_000;
const MINUTE_MS = 60_000;
/** A sweep that comes just after the due time queues what has not fired yet a second time. */
const SWEEP_AFTER_DUE_MS = 1000;
/** What Step Functions takes before the first task of an execution begins. */
const EXECUTION_START_MS = 100;
/** How often a poller looks into an empty queue. */
const POLL_MS = 250;

interface Lateness {
  fired: number;
  median_seconds: number;
  last_seconds: number;
}

export interface DueMonitors {
  /** By the monitors of a workspace, from their due time to their fire. */
  fires: Record<string, Lateness>;
  most_starts_a_second: number;
  hottest_writes: string[];
  hottest_reads: string[];
  /** The last fire of workspaces with one monitor, beside one with as many as it may have. */
  neighbors_last_seconds: number;
  breaches: string[];
}

/** Lets a share of the monitors fire. `onePartition` plants a fault: the index has one partition a kind. */
export async function measureDueMonitors(share: number, onePartition: boolean): Promise<DueMonitors> {
  const asked = STAGE.map((some) => ({ ...some, workspaces: Math.ceil(some.workspaces * share) }));
  const stage = await whenDue(asked, onePartition);
  const neighbors = await whenDue(NEIGHBORS, onePartition);
  const neighbors_last_seconds = neighbors.fires['1']?.last_seconds ?? Number.POSITIVE_INFINITY;
  const delayed = neighbors_last_seconds > NEIGHBORS_LATENESS_SECONDS;
  return {
    ...stage,
    neighbors_last_seconds,
    breaches: [
      ...stage.breaches,
      ...neighbors.breaches,
      ...(delayed ? [`a workspace delays others by ${neighbors_last_seconds} s`] : []),
    ],
  };
}

/** What is measured of a stack: its messages, its executions, and its load by seconds of virtual time. */
interface Stack {
  scheduler: Scheduler;
  queue: { message: FireMessage; visible_at: number }[];
  executions: Promise<void>[];
  starts: Map<number, number>;
  refusals: number;
  load: Map<number, PartitionLoad>;
  over: boolean;
}

/** What one round measures. */
type Round = Omit<DueMonitors, 'neighbors_last_seconds'>;

async function whenDue(tenants: Tenants, onePartition: boolean): Promise<Round> {
  const scheduler = startScheduler(random(1), START_MS);
  const table = useMemoryTable(async (call, perform) => {
    // Before the first sweep the tenants are set up, which is not measured.
    if (Date.now() === START_MS) return perform(call.input);
    await scheduler.sleep(CALL_MS);
    return counted(table, loadNow(stack), onePartition ? withOnePartition(call) : call, perform);
  });
  const measured = { queue: [], executions: [], starts: new Map(), refusals: 0, load: new Map() };
  const stack: Stack = { scheduler, ...measured, over: false };
  replaceNeighbors(stack);
  try {
    return await scheduler.run(async () => {
      const sizes = await furnish(tenants);
      await letFire(stack);
      return reportOf(stack, table, sizes);
    });
  } finally {
    scheduler.stop();
  }
}

function loadNow({ load }: Stack): PartitionLoad {
  const second = Math.floor(Date.now() / 1000);
  const known = load.get(second) ?? noLoad();
  load.set(second, known);
  return known;
}

/** Step Functions with its quota, and the queue of fires. */
function replaceNeighbors(stack: Stack): void {
  const { scheduler, queue, executions, starts } = stack;
  const admits = startQuota();
  mockClient(SFNClient)
    .on(StartExecutionCommand)
    .callsFake(async ({ input, name: execution }) => {
      await scheduler.sleep(CALL_MS);
      const second = Math.floor(Date.now() / 1000);
      starts.set(second, (starts.get(second) ?? 0) + 1);
      if (!admits(Date.now())) stack.refusals += 1;
      const key = { ...RunKey.parse(JSON.parse(input)), execution };
      executions.push(scheduler.sleep(EXECUTION_START_MS).then(() => livesOn(key)));
      return { startDate: new Date(Date.now()) };
    });
  mockClient(SQSClient)
    .on(SendMessageCommand)
    .callsFake(async ({ QueueUrl, MessageBody, DelaySeconds = 0 }) => {
      await scheduler.sleep(CALL_MS);
      if (QueueUrl !== process.env.FIRE_QUEUE_URL) return {};
      const visible_at = Date.now() + DelaySeconds * 1000;
      queue.push({ message: FireMessage.parse(JSON.parse(MessageBody)), visible_at });
      return {};
    });
}

/** Workspaces with monitors that are due once a day. Returns how many a workspace has, by the partition of their fires. */
async function furnish(tenants: Tenants): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { workspaces, monitors } of tenants)
    for (let i = 0; i < workspaces; i += 1)
      for (const fires of await monitorsOfNew(monitors)) sizes.set(fires, monitors);
  return sizes;
}

async function monitorsOfNew(count: number): Promise<string[]> {
  const by = await caller();
  const { workspace_id } = by.workspace;
  const key_id = `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`;
  const key = { ...by.key, key_id };
  await apiKeys.create(key, newId(), 'sealed');
  const made: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { monitor } = await createMonitor({
      ...{ caller: { ...by, key }, run: body, idempotency: undefined },
      settings: {
        ...{ name: 'M', status: 'active', overlap: 'skip', notify: 'every', catch_up_seconds: 0 },
        on: { cron: '0 10 * * *', timezone: 'UTC' },
      },
      by: { actor: key_id, request_id: 'r' },
    });
    made.push(keys.fires(workspace_id, monitor.id));
  }
  return made;
}

/** The sweeps around the due time, with the workers of the queue beside them, until every run has ended. */
async function letFire(stack: Stack): Promise<void> {
  const { scheduler } = stack;
  await scheduler.sleep(DUE_MS + SWEEP_AFTER_DUE_MS - MINUTE_MS - START_MS);
  const workers = Array.from({ length: queues.Fires.maxConcurrency }, () => work(stack));
  for (let minute = 0; minute < 3; minute += 1) {
    const swept = Date.now();
    await enqueueFires(sweepTime(swept));
    await scheduler.sleep(swept + MINUTE_MS - Date.now());
  }
  stack.over = true;
  await Promise.all(workers);
  await Promise.all(stack.executions);
}

/**
 * One of the concurrent invocations of the worker. Messages are received in the order in which they became visible: that
 * the queue is fair to small tenants is left out, so these wait longer here than they do.
 */
async function work(stack: Stack): Promise<void> {
  const { scheduler, queue } = stack;
  while (!stack.over || queue.length > 0) {
    const batch = received(queue);
    await (batch.length > 0
      ? Promise.all(batch.map((message) => fireDue(message, setting)))
      : scheduler.sleep(POLL_MS));
  }
}

const setting: FireSetting = { model, check: (schema, value) => schema.parse(value) };

/** Takes the next batch out of the queue. */
function received(queue: Stack['queue']): FireMessage[] {
  const now = Date.now();
  const visible = queue
    .filter(({ visible_at }) => visible_at <= now)
    .toSorted((a, b) => a.visible_at - b.visible_at)
    .slice(0, queues.Fires.batchSize);
  for (const one of visible) queue.splice(queue.indexOf(one), 1);
  return visible.map(({ message }) => message);
}

/** What became of the due time. `sizes`: how many monitors a workspace has, by the partition of the fires of each. */
function reportOf(stack: Stack, table: MemoryTable, sizes: Map<string, number>): Round {
  const entries = table.items().filter(({ pk }) => String(pk).includes('#FIRES#'));
  const made = entries.filter(({ outcome, due_at }) => outcome === 'run' && due_at === DUE_MS);
  const fires = Object.fromEntries(
    [...Map.groupBy(made, ({ pk }) => sizes.get(String(pk)))].map(([size, some]) => [
      String(size),
      latenessOf(some.map(({ fired_at }) => (Number(fired_at) - DUE_MS) / 1000)),
    ]),
  );
  const fired = new Set(made.map(({ pk }) => pk)).size;
  const last = Math.max(...Object.values(fires).map(({ last_seconds }) => last_seconds));
  const loads = [...stack.load.values()];
  const rates = { writes: peaks(loads, 'writes'), reads: peaks(loads, 'reads') };
  const each = fired === sizes.size && entries.length === sizes.size;
  return {
    fires,
    most_starts_a_second: Math.max(...stack.starts.values()),
    hottest_writes: hottest(rates.writes),
    hottest_reads: hottest(rates.reads),
    breaches: [
      ...beyond(rates),
      ...(each ? [] : [`${fired} of ${sizes.size} monitors fired, with ${entries.length} entries`]),
      ...(last > LATENESS_SECONDS ? [`the last fire comes after ${last} s`] : []),
      ...(stack.refusals > 0 ? [`Step Functions refuses ${stack.refusals} starts`] : []),
    ],
  };
}

function latenessOf(seconds: number[]): Lateness {
  const sorted = seconds.toSorted((a, b) => a - b);
  return {
    fired: sorted.length,
    median_seconds: sorted[Math.floor(sorted.length / 2)] ?? 0,
    last_seconds: sorted.at(-1) ?? 0,
  };
}

/** The most units that each partition gets in a second. */
function peaks(loads: PartitionLoad[], of: 'writes' | 'reads'): Rates {
  const most: Load = new Map();
  for (const load of loads)
    for (const [partition, units] of load[of]) most.set(partition, Math.max(units, most.get(partition) ?? 0));
  return [...most].toSorted(([, a], [, b]) => b - a);
}

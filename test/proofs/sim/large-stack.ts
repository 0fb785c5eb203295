// A large stack in virtual time: a second of its traffic and one of its sweeps, by what they cost each partition.
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { checkCreate } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { enqueueCompactions } from '#domain/recovery/enqueue-compactions.ts';
import { sum } from '#domain/recovery/repair-due.ts';
import { resendOverdueDeliveries } from '#domain/recovery/resend-overdue-deliveries.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { releaseSlot } from '#store/money/slots.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { counted, type Load, noLoad, type PartitionLoad } from '../../support/memory-table/partition-load.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { random } from '../../support/random.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { beyond, CALL_MS, hottest, type Rates, withOnePartition } from './partition-limits.ts';
import { startScheduler } from './scheduler.ts';
import { body, livesOn, model } from './stack-run.ts';

const CREATES_A_SECOND = 1000;
const RUNS_IN_FLIGHT = 20_000;
const WORKSPACES = 100_000;
/**
 * Every workspace had a run within the five minutes after which the sweep checks its slots: this many come due each
 * minute.
 */
const SLOTS_A_MINUTE = WORKSPACES / 5;
const SWEEP_SECONDS = 50;
/** Longer than any run or slot is left alone. */
const UNTIL_DUE_MS = 310_000;
/** Workspaces that the creates of a second come from. */
const CALLERS = 500;

export interface Scale {
  /** The partitions with the most units a second, of the table and of the index. */
  hottest_writes: string[];
  hottest_reads: string[];
  sweep: { calls: number; seconds_of_all: number };
  breaches: string[];
}

interface Stack {
  table: MemoryTable;
  /** Where calls are counted now, and how long each takes. */
  load: PartitionLoad;
  callMs: number;
}

/**
 * Measures the stack; of what waits for its sweep a share is there. `onePartition` plants a fault: the index has one
 * partition a kind.
 */
export async function measure(share: number, onePartition: boolean): Promise<Scale> {
  const scheduler = startScheduler(random(1), Date.UTC(2026, 10, 23, 9));
  const table = useMemoryTable(async (call, perform) => {
    if (stack.callMs > 0) await scheduler.sleep(stack.callMs);
    return counted(table, stack.load, onePartition ? withOnePartition(call) : call, perform);
  });
  const stack: Stack = { table, load: noLoad(), callMs: 0 };
  replaceNeighbours();
  try {
    return await scheduler.run(async () => {
      await furnish(share);
      await scheduler.sleep(UNTIL_DUE_MS);
      const sweep = await sweepOnce(stack);
      return reportOf(await aSecond(stack), { ...sweep, share });
    });
  } finally {
    scheduler.stop();
  }
}

/** Lets the sweep do all that is due; `undone`: how much it did not. */
async function sweepOnce(stack: Stack): Promise<{ load: PartitionLoad; seconds: number; undone: number }> {
  const load = noLoad();
  Object.assign(stack, { load, callMs: CALL_MS });
  const now = Date.now();
  const time = { now, until: Number.POSITIVE_INFINITY };
  const sweeps = [sweepRuns, sweepSlots, resendOverdueDeliveries, enqueueCompactions];
  const { repairs_failed } = sum(await Promise.all(sweeps.map((one) => one(time))));
  const left = stack.table.items().filter(({ due_at }) => typeof due_at === 'number' && due_at < now);
  return { load, seconds: (Date.now() - now) / 1000, undone: left.length + repairs_failed };
}

/** A second of traffic: as many runs begin as end. */
async function aSecond(stack: Stack): Promise<PartitionLoad> {
  Object.assign(stack, { load: noLoad(), callMs: 0 });
  const callers = await Promise.all(Array.from({ length: CALLERS }, () => caller(1_000_000)));
  const load = noLoad();
  Object.assign(stack, { load });
  await Promise.all(Array.from({ length: CREATES_A_SECOND }, (_, i) => livesARun(callers[i % CALLERS])));
  return load;
}

function replaceNeighbours(): void {
  mockClient(SFNClient).on(StartExecutionCommand).resolves({});
  mockClient(SQSClient).on(SendMessageCommand).resolves({});
}

/**
 * Workspaces with runs at work, ones whose last run has ended, half of which draw credits, and ones that are idle for
 * long, which the sweep must not notice.
 */
async function furnish(share: number): Promise<void> {
  const each = async (count: number, act: (i: number) => Promise<unknown>) => {
    for (let i = 0; i < count * share; i += 1) await act(i);
  };
  await each(SLOTS_A_MINUTE / 2, async () => {
    const by = await caller();
    for (let i = 0; i < RUNS_IN_FLIGHT / (SLOTS_A_MINUTE / 2); i += 1)
      await givenRun(by, { change: { status: 'running' } });
  });
  await each(SLOTS_A_MINUTE / 2, async (i) => {
    const credits = i % 2 === 0 ? 1000 : undefined;
    const { workspace_id } = (await caller(credits)).workspace;
    await claimSlot(workspace_id, workspace_id, 1, credits);
    await releaseSlot(workspace_id, workspace_id, 0);
  });
  await each(WORKSPACES - SLOTS_A_MINUTE, () => caller());
}

/** A run from its creation to its delivered webhook. */
async function livesARun(by: CallerWithCosts | undefined): Promise<void> {
  if (!by) throw new Error('nobody calls');
  const checked = checkCreate(body, (schema, value) => schema.parse(value));
  const { run } = await startedRun(
    createRun({ caller: by, request_id: 'r', checked, idempotency: undefined }, model),
  );
  await livesOn({ workspace_id: run.workspace_id, run_id: run.id, execution: run.execution });
}

function reportOf(
  second: PartitionLoad,
  sweep: { load: PartitionLoad; share: number; seconds: number; undone: number },
): Scale {
  const seconds_of_all = Math.round(sweep.seconds / sweep.share);
  const writes = together(second.writes, sweep.load.writes, sweep.seconds);
  const reads = together(second.reads, sweep.load.reads, sweep.seconds);
  const over = beyond({ writes, reads });
  const late = seconds_of_all > SWEEP_SECONDS ? [`the sweep takes ${seconds_of_all} s`] : [];
  const undone = sweep.undone > 0 ? [`the sweep left ${sweep.undone} undone`] : [];
  return {
    hottest_writes: hottest(writes),
    hottest_reads: hottest(reads),
    sweep: { calls: sweep.load.calls, seconds_of_all },
    breaches: [...over, ...late, ...undone],
  };
}

/** Units per second while a sweep runs next to the traffic. */
function together(second: Load, sweep: Load, seconds: number): Rates {
  const partitions = new Set([...second.keys(), ...sweep.keys()]);
  const rates = [...partitions].map((name): [string, number] => [
    name,
    Math.round((second.get(name) ?? 0) + (sweep.get(name) ?? 0) / seconds),
  ]);
  return rates.toSorted(([, a], [, b]) => b - a);
}

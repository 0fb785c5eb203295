// The sweep: every minute it finishes what crashes left half-done, from indexes that hold only what is open.
import type { RunKey } from '#contract/keys.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { reconcileSlots } from '#domain/runs/slots.ts';
import { inMaintenance } from '#domain/workspaces/maintenance.ts';
import { executionState, startExecution, wake } from '#orchestration/executions.ts';
import { describe, log } from '#platform/log.ts';
import { dueRuns } from '#store/due.ts';
import { writeLedger } from '#store/ledger.ts';
import type { RunRecord } from '#store/runs.ts';
import * as runs from '#store/runs.ts';
import * as workspaces from '#store/workspaces.ts';

const CHECK_AGAIN_MS = 60_000;
const BATCH = 200;

/** How many repairs of each kind a sweep made. */
export interface Repairs {
  /** Executions started again for runs without one. */
  executions_started: number;
  /** Parked runs woken after their maintenance had ended. */
  runs_woken: number;
  /** Slots of ended runs and dead creates that were released. */
  slots_released: number;
}

/** Checks every run that is due and the slots of every workspace. Safe to repeat and to run beside everything else. */
export async function sweepRuns(now: number): Promise<Repairs> {
  const keys = await dueRuns(now, BATCH);
  const repairedRuns = await Promise.all(
    keys.map((key) => isolated(key, () => runs.retryIfStale(() => repairRun(key, now)))),
  );
  const repairedSlots: Partial<Repairs>[] = [];
  for (const workspace_id of await workspaces.listIds())
    repairedSlots.push(await isolated({ workspace_id }, () => repairSlots(workspace_id)));
  return sum([...repairedRuns, ...repairedSlots]);
}

async function repairSlots(workspaceId: string): Promise<Partial<Repairs>> {
  const { released, ledger_pending } = await reconcileSlots(workspaceId);
  if (ledger_pending) await writeLedger(workspaceId);
  return { slots_released: released };
}

/** Starts a new execution, under a name not used before, for a run whose execution is gone. */
async function repairRun(key: RunKey, now: number): Promise<Partial<Repairs>> {
  const run = await runs.get(key.workspace_id, key.run_id);
  if (!run?.due_pk || (isTerminal(run) && run.log_finished)) return {};
  const state = await executionState(run.execution);
  if (state === 'running') return wakeIfParked(run, key, now);
  const execution = state === 'none' ? run.execution : nextName(run.execution);
  await runs.commit(run, { execution, due_at: now + CHECK_AGAIN_MS });
  await startExecution(key, execution);
  return { executions_started: 1 };
}

/** Step Functions never starts a second execution of one name. */
function nextName(execution: string): string {
  const [base = '', n = '0'] = execution.split('-s');
  return `${base}-s${Number(n) + 1}`;
}

async function wakeIfParked(run: RunRecord, key: RunKey, now: number): Promise<Partial<Repairs>> {
  await runs.commit(run, { due_at: now + CHECK_AGAIN_MS });
  if (run.status !== 'paused' || !run.task_token || (await inMaintenance(run.workspace_id))) return {};
  await wake(run.task_token, key);
  return { runs_woken: 1 };
}

function sum(all: Partial<Repairs>[]): Repairs {
  const add = (name: keyof Repairs) => all.reduce((total, one) => total + (one[name] ?? 0), 0);
  return {
    executions_started: add('executions_started'),
    runs_woken: add('runs_woken'),
    slots_released: add('slots_released'),
  };
}

/** Isolates failures: an error of one run or workspace must not stop the sweep. */
async function isolated(
  subject: { workspace_id: string; run_id?: string },
  repair: () => Promise<Partial<Repairs>>,
): Promise<Partial<Repairs>> {
  try {
    return await repair();
  } catch (error) {
    log.error('not repaired', { ...subject, error: describe(error) });
    return {};
  }
}

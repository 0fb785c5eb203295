// The sweep: what crashes left half-done is finished, every minute, from indexes that hold only what is open.

import { inMaintenance } from '#domain/execution/park-run.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { reconcileSlots } from '#domain/runs/slots.ts';
import { executionState, startExecution, wake } from '#orchestration/executions.ts';
import { describe, log } from '#platform/log.ts';
import { dueKeys } from '#store/due.ts';
import { writeLedger } from '#store/ledger.ts';
import { commit, get, type RunRecord, retryIfStale } from '#store/runs.ts';
import { due } from '#store/table-keys.ts';
import { listIds } from '#store/workspaces.ts';

const LOOK_AGAIN_MS = 60_000;
const BATCH = 200;

export interface Healed {
  /** Executions started again for runs that nobody worked on. */
  executions_started: number;
  /** Parked runs woken after their maintenance had ended. */
  runs_woken: number;
  /** Slots of ended runs and dead creates that were released. */
  slots_released: number;
}

/** What a run that is due needs: nothing while its execution lives, else a new one under a name not used before. */
async function healRun(
  place: { workspace_id: string; run_id: string },
  now: number,
): Promise<Partial<Healed>> {
  const run = await get(place.workspace_id, place.run_id);
  if (!run?.due_pk || (isTerminal(run) && run.log_finished)) return {};
  const state = await executionState(run.execution);
  if (state === 'running') return healLiving(run, place, now);
  const execution = state === 'none' ? run.execution : nextName(run.execution);
  await commit(run, { execution, due_at: now + LOOK_AGAIN_MS });
  await startExecution(place, execution);
  return { executions_started: 1 };
}

/** A name that an execution has had is spent. */
function nextName(execution: string): string {
  const [base = '', n = '0'] = execution.split('-s');
  return `${base}-s${Number(n) + 1}`;
}

async function healLiving(
  run: RunRecord,
  place: { workspace_id: string; run_id: string },
  now: number,
): Promise<Partial<Healed>> {
  await commit(run, { due_at: now + LOOK_AGAIN_MS });
  if (run.status !== 'paused' || !run.task_token || (await inMaintenance(run.workspace_id))) return {};
  await wake(run.task_token, place);
  return { runs_woken: 1 };
}

function sum(all: Partial<Healed>[]): Healed {
  const add = (name: keyof Healed) => all.reduce((total, one) => total + (one[name] ?? 0), 0);
  return {
    executions_started: add('executions_started'),
    runs_woken: add('runs_woken'),
    slots_released: add('slots_released'),
  };
}

/** Looks at every run that is due and at every workspace's slots. Safe to repeat and to run beside everything else. */
export async function sweepRuns(now: number): Promise<Healed> {
  const places = await dueKeys(due.runs, now, BATCH);
  const runs = await Promise.all(
    places.map((place) => apart(place, () => retryIfStale(() => healRun(place, now)))),
  );
  const slots: Partial<Healed>[] = [];
  for (const workspace_id of await listIds())
    slots.push(
      await apart({ workspace_id }, async () => {
        const { released, noted } = await reconcileSlots(workspace_id);
        if (noted) await writeLedger(workspace_id);
        return { slots_released: released };
      }),
    );
  return sum([...runs, ...slots]);
}

/** One that cannot be healed must not keep the others from it. */
async function apart(
  place: { workspace_id: string; run_id?: string },
  heal: () => Promise<Partial<Healed>>,
): Promise<Partial<Healed>> {
  try {
    return await heal();
  } catch (error) {
    log.error('not healed', { ...place, error: describe(error) });
    return {};
  }
}

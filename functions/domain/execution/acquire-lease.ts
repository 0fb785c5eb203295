// How an invocation comes to work on a run: it becomes its owner, and writes what its going on means.
import type { EventBody } from '#contract/events.ts';
import type { RunInput } from '#contract/runs.ts';
import { savedPlan } from '#domain/planning/validate-plan.ts';
import { checkpointRun, isTerminal } from '#domain/runs/lifecycle.ts';
import { beginStep, eventHead } from '#domain/runs/step-records.ts';
import { canceled } from '#domain/runs/transitions.ts';
import { newNonce } from '#platform/ids.ts';
import type { SavedPlan } from '#store/inputs.ts';
import { commit, type RunRecord } from '#store/runs.ts';
import { readWork, type Work } from '#store/work.ts';
import { settle } from './finalize-run.ts';
import { type HeldRun, holdRun } from './run-lease.ts';

/** A run in hand. `fresh` says that its step was begun just now, so that no earlier invocation can have left anything of it. */
export interface Taken {
  held: HeldRun;
  input: RunInput;
  plan: SavedPlan | undefined;
  fresh: boolean;
}

/** Says that a run waits for the end of maintenance. */
export const pausedEvent: EventBody = {
  event_type: 'run.paused',
  data: { status: 'paused', reason: 'maintenance' },
};

/**
 * Makes this invocation the owner of the run: it begins, goes on after maintenance, or is taken from an invocation before. Returns
 * instead what the state machine does next where there is nothing to work on. Throws StaleRun: read again and decide anew.
 */
export async function takeOver(place: {
  workspace_id: string;
  run_id: string;
}): Promise<'park' | 'end' | Taken> {
  const found = await readWork(place.workspace_id, place.run_id);
  if (!found) return 'end';
  const { run, input } = found;
  const plan = planOf(found);
  const owner = newNonce();
  if (isTerminal(run) && !hasStepInHand(run)) return endAgain(run);
  if (run.status === 'running' || run.status === 'canceled')
    return { held: holdRun(await commit(run, { owner })), input, plan, fresh: false };
  if (run.status === 'paused' && found.maintenance) return 'park';
  const now = Date.now();
  const opening = open(run, plan, now);
  if (run.status === 'pending' && (found.maintenance || run.pause_requested === true)) {
    await commit(run, { ...opening.change, status: 'paused' }, [...opening.events, pausedEvent]);
    return 'park';
  }
  const first = plan && beginStep(run.steps, plan, run.position, now);
  const change = { ...opening.change, owner, ...(first && { steps: first.steps }) };
  const begun = await commit(run, change, [...opening.events, ...(first ? [first.event] : [])]);
  return { held: holdRun(begun), input, plan, fresh: true };
}

function planOf(work: Work): SavedPlan | undefined {
  const { input } = work;
  return work.plan ?? (input.input_type === 'plan' ? savedPlan(input.plan) : undefined);
}

/** A canceled run whose step is still to finish, be it that its slice is over or that its invocation died (Contract 4.5). */
function hasStepInHand(run: RunRecord): boolean {
  return !run.log_finished && run.steps[run.position]?.status === 'running';
}

/** A run that has ended: nothing is left but what a crash after its end may have left undone. */
async function endAgain(run: RunRecord): Promise<'end'> {
  if (run.log_finished) {
    await settle(run);
    return 'end';
  }
  const { change, events } = canceled(run, null, [], Date.now());
  await settle(await commit(run, change, events));
  return 'end';
}

/** From pending or paused to running: what is said, and what is skipped. */
function open(
  run: RunRecord,
  plan: SavedPlan | undefined,
  now: number,
): { change: Partial<RunRecord>; events: EventBody[] } {
  const started: EventBody = {
    event_type: 'run.started',
    data: { status: 'running', step_count: plan ? plan.steps.length : null, ...whyAgain(run) },
  };
  return {
    change: {
      status: 'running',
      started_at: run.started_at ?? now,
      task_token: undefined,
      pause_requested: undefined,
    },
    // A run that was paused has told of its skipped steps before.
    events: [started, ...(run.status === 'pending' && plan ? skippedEvents(run, plan) : [])],
  };
}

function whyAgain(run: RunRecord): { resumed?: true; reason?: 'resume' | 'maintenance_over' } {
  if (run.status === 'paused') return { resumed: true, reason: 'maintenance_over' };
  return run.resume_count > 0 ? { resumed: true, reason: 'resume' } : {};
}

/** Steps whose output is there already: those of the source run in a rerun, those done before in a resumed one. */
function skippedEvents(run: RunRecord, plan: SavedPlan): EventBody[] {
  return plan.steps.slice(0, run.position).map((step, position) => {
    const items_out = run.steps[position]?.items_out;
    return {
      event_type: 'step.skipped',
      data: {
        ...eventHead(step, 'skipped'),
        reason: 'checkpoint',
        checkpoint_run_id: checkpointRun(run, position),
        ...(items_out !== undefined && { items_out }),
      },
    };
  });
}

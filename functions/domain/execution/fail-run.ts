// Giving a run up: when its task failed again and again, the run still ends, with an event that says so.

import type { RunKey } from '#contract/keys.ts';
import { duesOf } from '#domain/billing/uncounted-usage.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { runError } from '#domain/runs/run-error.ts';
import { failedStep } from '#domain/runs/step-records.ts';
import { canceled, failed } from '#domain/runs/transitions.ts';
import { log } from '#platform/log.ts';
import { readJournal } from '#store/journal.ts';
import { commit, get, nothingSpent, type RunRecord, retryIfStale } from '#store/runs.ts';
import type { Write } from '#store/table.ts';
import { settle } from './finalize-run.ts';
import type { Decision } from './run-lease.ts';

function lastWord(run: RunRecord): Decision | undefined {
  const now = Date.now();
  const step = run.steps[run.position];
  const inHand = step?.status === 'running' ? step : undefined;
  if (isTerminal(run)) return run.log_finished ? undefined : canceled(run, inHand?.index ?? null, [], now);
  const error = runError('internal_error', inHand && { details: { step_index: inHand.index } });
  if (!inHand) return failed(run, error, undefined, [], now);
  const failure = failedStep(inHand, error, now);
  const steps = run.steps.with(run.position, failure.record);
  const decision = failed({ ...run, steps }, error, inHand.index, [failure.event], now);
  return { ...decision, change: { steps, ...decision.change } };
}

/** The calls of the step in hand that no commit has counted: they were paid for, whatever becomes of the step. */
async function openDues(run: RunRecord): Promise<{ change: Decision['change']; effects: Write[] }> {
  if (run.steps[run.position]?.status !== 'running') return { change: {}, effects: [] };
  const { workspace_id, id: run_id, position } = run;
  const journal = await readJournal({ workspace_id, run_id, position });
  return duesOf(run, journal.values(), nothingSpent);
}

/** Ends a run whose execution has failed for good. A run that ended is settled again, in case that was what failed. */
export async function giveUpRun(place: RunKey, reason: string): Promise<void> {
  log.error('run given up', { run_id: place.run_id, reason });
  const ended = await retryIfStale(async () => {
    const run = await get(place.workspace_id, place.run_id);
    if (!run) return undefined;
    const dues = await openDues(run);
    const decision = lastWord({ ...run, ...dues.change });
    if (!decision) return run;
    const effects = [...dues.effects, ...(decision.effects ?? [])];
    return commit(run, { ...dues.change, ...decision.change }, decision.events, effects);
  });
  if (ended) await settle(ended);
}

// What the calls of a step have brought and cost is saved even when the commit of the step fails.
import { uncountedUsage } from '#domain/billing/uncounted-usage.ts';
import { throughTrouble } from '#platform/through-trouble.ts';
import { addCost } from '#store/money/costs.ts';
import { readJournal } from '#store/runs/journal.ts';
import type { RunRecord, Spent } from '#store/runs/runs.ts';
import * as runs from '#store/runs/runs.ts';
import type { ModelCalls } from './model-calls/model-calls.ts';
import type { RunLease } from './run-lease.ts';

/**
 * Counts what no commit has counted on the run, its key and its day, even if another invocation owns the run or it has
 * ended. While this invocation owns it, a call is journaled instead: the next try of the step takes it from there, and
 * counts it. `isOver` says whether a run has left the step of the calls behind.
 */
export async function settleCalls(
  lease: RunLease,
  { usage, position, journalWaiting }: ModelCalls,
  isOver: (run: RunRecord) => boolean,
): Promise<void> {
  const { workspace_id, id: run_id } = lease.run;
  // A commit without a reply may be in the run all the same.
  let tried = lease.hasUnknownCommit ? lease.run : undefined;
  await throughTrouble(() =>
    runs.retryIfStale(async () => {
      const run = await runs.get(workspace_id, run_id);
      // The run is deleted, and its day goes on.
      if (!run) return settleDay(lease.run, usage);
      if (tried && hasCounted(run, tried, usage.direct)) usage.markCounted(usage.direct);
      const goesOn = !run.log_finished && !isOver(run);
      if (goesOn && run.owner === lease.run.owner) await journalWaiting();
      // An owner's next commit counts the journal. A step that has failed keeps what it has counted of it.
      const journal =
        goesOn || isOver(run) ? undefined : await readJournal({ workspace_id, run_id, position });
      const { direct } = usage;
      const { change, cost } = uncountedUsage(run, journal?.values(), direct);
      if (change.spent.calls === run.spent.calls) return;
      await runs.commit(run, { change, cost }).catch((error: unknown) => {
        tried = error instanceof runs.StaleRun ? undefined : run;
        throw error;
      });
      usage.markCounted(direct);
    }),
  );
}

/** Counts what a late call has cost on the day alone. */
async function settleDay(run: RunRecord, { direct, markCounted }: ModelCalls['usage']): Promise<void> {
  await addCost(run, BigInt(direct.cost_pico_usd), Date.now());
  markCounted(direct);
}

/** Whether a sum that has grown by as much includes the commit without a reply. */
function hasCounted(now: RunRecord, before: RunRecord, direct: Spent): boolean {
  return now.version > before.version && now.spent.calls >= before.spent.calls + direct.calls;
}

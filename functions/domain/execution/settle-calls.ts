// What the calls of a step have brought and cost is saved even when the commit of the step fails.
import { countedCalls } from '#domain/billing/uncounted-usage.ts';
import { newId } from '#platform/ids.ts';
import { throughTrouble } from '#platform/through-trouble.ts';
import { addCost } from '#store/money/costs.ts';
import { readJournal } from '#store/runs/journal.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
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
  calls: Pick<ModelCalls, 'usage' | 'position' | 'journalWaiting'>,
  isOver: (run: RunRecord) => boolean,
): Promise<void> {
  const { usage, position } = calls;
  await lease.idle();
  const { workspace_id, id: run_id, owner } = lease.run;
  let counted = countedCalls(lease.run, owner);
  const settleDay = daySettlement(lease.run, usage);
  await throughTrouble(() =>
    runs.retryIfStale(async () => {
      const run = await runs.get(workspace_id, run_id);
      if (!run) return settleDay();
      // The last commit had no reply, and took effect all the same.
      if (countedCalls(run, owner) > counted) usage.markCounted();
      counted = countedCalls(run, owner);
      const goesOn = !run.log_finished && !isOver(run);
      if (goesOn && run.owner === owner) await calls.journalWaiting(run);
      // An owner's next commit counts the journal. A step that has failed keeps what it has counted of it.
      const journal =
        goesOn || isOver(run) ? undefined : await readJournal({ workspace_id, run_id, position });
      const transition = usage.unsettled(run, journal?.values());
      if (transition.change.spent.calls === run.spent.calls) return;
      await runs.commit(run, transition);
      usage.markCounted();
    }),
  );
}

/**
 * Counts what the calls of a deleted run have cost on the day alone. Repeated, because its reply was lost, it counts
 * them once.
 */
function daySettlement(run: RunRecord, usage: ModelCalls['usage']): () => Promise<void> {
  let cost: Parameters<typeof addCost> | undefined;
  return async () => {
    cost ??= [run, usage.unsettled(run, undefined).cost, Date.now(), newId()];
    await addCost(...cost);
    usage.markCounted();
  };
}

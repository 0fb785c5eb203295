// Usage that no commit of a run has counted yet: direct calls, and new entries in the journal of the current step.
import type { JournaledCall } from '#store/runs/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs/runs.ts';
import { add, subtract, total } from './usage.ts';

/**
 * The sums of a run including `direct` and the journal, each once, and the part that its day's spending lacks (1e-12
 * USD). Without a journal, what the run has counted of it does not change.
 */
export function uncountedUsage(
  run: RunRecord,
  journal: Iterable<JournaledCall> | undefined,
  direct: Spent,
): { change: Pick<RunRecord, 'spent' | 'journal_spent'>; cost: bigint } {
  const journal_spent = journal ? total([...journal].map((call) => call.spent)) : run.journal_spent;
  const fromJournal = subtract(journal_spent ?? nothingSpent, run.journal_spent ?? nothingSpent);
  const uncounted = add(direct, fromJournal);
  return {
    change: { spent: add(run.spent, uncounted), journal_spent },
    cost: BigInt(uncounted.cost_pico_usd),
  };
}

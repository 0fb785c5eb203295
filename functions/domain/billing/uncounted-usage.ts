// Usage that no commit of a run has counted yet: direct calls, and new entries in the journal of the current step.
import type { JournaledCall } from '#store/runs/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs/runs.ts';
import { add, subtract, total } from './usage.ts';

/**
 * The sums of a run including `direct` and the journal, each once, and the part that its day's spending lacks (1e-12
 * USD).
 */
export function uncountedUsage(
  run: RunRecord,
  journal: Iterable<JournaledCall>,
  direct: Spent,
): { change: Pick<RunRecord, 'spent' | 'journal_spent'>; cost: bigint } {
  const journal_spent = total([...journal].map((call) => call.spent));
  const uncounted = add(direct, subtract(journal_spent, run.journal_spent ?? nothingSpent));
  return {
    change: { spent: add(run.spent, uncounted), journal_spent },
    cost: BigInt(uncounted.cost_pico_usd),
  };
}

// Usage that no commit of a run has counted yet: direct calls, and the journal of the open step beyond what was counted before.
import type { JournaledCall } from '#store/runs/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs/runs.ts';
import { add, subtract, total } from './usage.ts';

/** The sums of a run with `direct` and the journal counted once, and what its day's spending has not of it yet, 1e-12 USD. */
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

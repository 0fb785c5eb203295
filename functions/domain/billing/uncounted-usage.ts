// Usage that no commit of a run has counted yet: direct calls, and the journal of the open step beyond what was counted before.
import { costWrite } from '#store/costs.ts';
import type { JournaledCall } from '#store/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs.ts';
import type { Write } from '#store/table.ts';
import { add, subtract, total } from './usage.ts';

/** The sums of a run with `direct` and the journal counted once, and the write to its day's spending that belongs to them. */
export function uncountedUsage(
  run: RunRecord,
  journal: Iterable<JournaledCall>,
  direct: Spent,
): { change: Pick<RunRecord, 'spent' | 'journal_spent'>; effects: Write[] } {
  const journal_spent = total([...journal].map((call) => call.spent));
  const uncounted = add(direct, subtract(journal_spent, run.journal_spent ?? nothingSpent));
  const cost = BigInt(uncounted.cost_pico_usd);
  return {
    change: { spent: add(run.spent, uncounted), journal_spent },
    effects: cost > 0n ? [costWrite(run, cost, Date.now())] : [],
  };
}

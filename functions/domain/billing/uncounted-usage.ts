// What calls add to a run in its next commit: the journal of its open step is counted as far as it is not yet.
import { costWrite } from '#store/costs.ts';
import type { JournaledCall } from '#store/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs.ts';
import type { Write } from '#store/table.ts';
import { add, subtract, total } from './usage.ts';

/** The sums of a run with `direct` and the journal counted once, and the write to its day's spending that belongs to them. */
export function duesOf(
  run: RunRecord,
  journal: Iterable<JournaledCall>,
  direct: Spent,
): { change: Pick<RunRecord, 'spent' | 'journal_spent'>; effects: Write[] } {
  const journal_spent = total([...journal].map((call) => call.spent));
  const more = add(direct, subtract(journal_spent, run.journal_spent ?? nothingSpent));
  const cost = BigInt(more.cost_pico_usd);
  return {
    change: { spent: add(run.spent, more), journal_spent },
    effects: cost > 0n ? [costWrite(run, cost, Date.now())] : [],
  };
}

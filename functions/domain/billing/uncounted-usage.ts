// Usage that no commit of a run has counted yet: direct calls, and new entries in the journal of the current step.
import type { JournaledCall } from '#store/runs/journal.ts';
import { nothingSpent, type RunRecord, type Spent } from '#store/runs/run-record.ts';
import { add, subtract, total } from './usage.ts';

/** Calls outside the journal, and the invocation that made them. */
interface DirectUsage {
  spent: Spent;
  owner: string | undefined;
}

/** What a commit adds to a run for its calls, and to its day (1e-12 USD). */
export interface CountedUsage {
  change: Pick<RunRecord, 'spent' | 'journal_spent' | 'counted_by'>;
  cost: bigint;
}

/** A replaced invocation settles within its task, and only a few replace each other in that time. */
const OWNERS_MAX = 4;

/** How many direct calls of an invocation the run has counted. It never falls, so a commit without a reply shows. */
export function countedCalls({ counted_by = [] }: RunRecord, owner: string | undefined): number {
  return counted_by.find(([name]) => name === owner)?.[1] ?? 0;
}

/**
 * The sums of a run including `direct` and the journal, each once, and the part that its day's spending lacks (1e-12
 * USD). Without a journal, what the run has counted of it does not change.
 */
export function uncountedUsage(
  run: RunRecord,
  journal: Iterable<JournaledCall> | undefined,
  { spent: direct, owner }: DirectUsage,
): CountedUsage {
  const journal_spent = journal ? total([...journal].map((call) => call.spent)) : run.journal_spent;
  const fromJournal = subtract(journal_spent ?? nothingSpent, run.journal_spent ?? nothingSpent);
  const uncounted = add(direct, fromJournal);
  return {
    change: {
      spent: add(run.spent, uncounted),
      journal_spent,
      ...(owner !== undefined && direct.calls > 0 && { counted_by: withCalls(run, owner, direct.calls) }),
    },
    cost: BigInt(uncounted.cost_pico_usd),
  };
}

function withCalls(run: RunRecord, owner: string, calls: number): RunRecord['counted_by'] {
  const others = (run.counted_by ?? []).filter(([name]) => name !== owner);
  return [...others.slice(1 - OWNERS_MAX), [owner, countedCalls(run, owner) + calls]];
}

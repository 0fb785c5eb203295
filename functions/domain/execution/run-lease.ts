// The lease of one invocation on a run: its present state, and commits that take turns and fail once a newer invocation holds the lease.
import type { Transition } from '#domain/runs/transitions.ts';
import type { RunRecord } from '#store/runs/runs.ts';
import * as runs from '#store/runs/runs.ts';
import { WriteRefused } from '#store/table/table.ts';

/** A newer invocation holds the lease, or the run is gone: this invocation must stop at once. */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`the lease on run ${runId} is lost`);
    this.name = 'LeaseLost';
  }
}

export interface RunLease {
  /** The run as last committed or read, with its beginning. */
  readonly run: RunRecord;
  /** Commits the beginning, unless it has been. Await it before anything that must not be done by two. Throws what `commit` throws. */
  hold(): Promise<void>;
  /**
   * Commits the transition that `decide` makes of the present run. When a client changed the run in between (cancel, maintenance), it is
   * read again and decided anew, so `decide` must be pure; null means that nothing is to be done. Throws LeaseLost, StaleRun when
   * the run changed before its beginning was committed, and once a commit has failed otherwise than by WriteRefused, its error for every later one.
   */
  commit(decide: (run: RunRecord) => Transition | null): Promise<RunRecord>;
}

/**
 * The lease on a run whose `owner` is this invocation. With a `beginning`, which makes it the owner, the lease is acquired by the first
 * commit: a step that is done at once needs no commit of its own to begin. Until then nobody else knows of it.
 */
export function openLease(found: RunRecord, beginning?: Transition): RunLease {
  let run = found;
  let uncommitted = beginning;
  let turn: Promise<unknown> = Promise.resolve();
  const present = () => (uncommitted ? after(run, uncommitted) : run);
  const { owner } = present();

  async function commitNow(decide: (run: RunRecord) => Transition | null): Promise<RunRecord> {
    for (;;) {
      const decided = decide(present());
      if (!decided) return present();
      const { change, events, effects, cost } = uncommitted ? joined(uncommitted, decided) : decided;
      try {
        run = await runs.commit(run, change, events, effects, cost);
        uncommitted = undefined;
        return run;
      } catch (error) {
        if (!(error instanceof runs.StaleRun) || uncommitted) throw error;
        const now = await runs.get(run.workspace_id, run.id);
        if (!now || now.owner !== owner) throw new LeaseLost(run.id);
        run = now;
      }
    }
  }

  function commit(decide: (run: RunRecord) => Transition | null): Promise<RunRecord> {
    const result = turn.then(() => commitNow(decide));
    turn = result.catch((error: unknown) => {
      // A commit that failed may be in the run all the same, and a later one would count again what it has counted. Only a refusal is certain.
      if (!(error instanceof WriteRefused)) throw error;
    });
    // Whoever commits next hears of it.
    turn.catch(() => undefined);
    return result;
  }

  return {
    get run() {
      return present();
    },
    async hold() {
      await commit(() => (uncommitted ? { change: {} } : null));
    },
    commit,
  };
}

function after(run: RunRecord, { change, events = [] }: Transition): RunRecord {
  return { ...run, ...change, last_sequence: run.last_sequence + events.length };
}

function joined(first: Transition, second: Transition): Transition {
  return {
    change: { ...first.change, ...second.change },
    events: [...(first.events ?? []), ...(second.events ?? [])],
    effects: [...(first.effects ?? []), ...(second.effects ?? [])],
    cost: (first.cost ?? 0n) + (second.cost ?? 0n),
  };
}

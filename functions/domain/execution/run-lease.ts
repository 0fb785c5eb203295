// The lease of one invocation on a run: its present state, and commits that take turns and fail once a newer invocation holds the lease.
import type { Transition } from '#domain/runs/transitions.ts';
import type { RunRecord } from '#store/runs.ts';
import * as runs from '#store/runs.ts';
import { WriteRefused } from '#store/table.ts';

/** A newer invocation holds the lease, or the run is gone: this invocation must stop at once. */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`the lease on run ${runId} is lost`);
    this.name = 'LeaseLost';
  }
}

export interface RunLease {
  /** The run as last committed or read. */
  readonly run: RunRecord;
  /**
   * Commits the transition that `decide` makes of the present run. When a client changed the run in between (cancel, maintenance), it is
   * read again and decided anew, so `decide` must be pure; null means that nothing is to be done. Throws LeaseLost, and once a
   * commit has failed otherwise than by WriteRefused, its error for every later one.
   */
  commit(decide: (run: RunRecord) => Transition | null): Promise<RunRecord>;
}

/** The lease on a run whose `owner` is this invocation. */
export function openLease(acquired: RunRecord): RunLease {
  let run = acquired;
  let turn: Promise<unknown> = Promise.resolve();

  async function commitNow(decide: (run: RunRecord) => Transition | null): Promise<RunRecord> {
    for (;;) {
      const transition = decide(run);
      if (!transition) return run;
      try {
        run = await runs.commit(run, transition.change, transition.events, transition.effects);
        return run;
      } catch (error) {
        if (!(error instanceof runs.StaleRun)) throw error;
        const now = await runs.get(run.workspace_id, run.id);
        if (!now || now.owner !== acquired.owner) throw new LeaseLost(run.id);
        run = now;
      }
    }
  }

  return {
    get run() {
      return run;
    },
    commit(decide) {
      const result = turn.then(() => commitNow(decide));
      turn = result.catch((error: unknown) => {
        // A commit that failed may be in the run all the same, and a later one would count again what it has counted. Only a refusal is certain.
        if (!(error instanceof WriteRefused)) throw error;
      });
      // Whoever commits next hears of it.
      turn.catch(() => undefined);
      return result;
    },
  };
}

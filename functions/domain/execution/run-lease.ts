// A run in the hands of one invocation: its present state, and commits that take turns and give way to a successor.
import type { EventBody } from '#contract/events.ts';
import { commit, get, type RunRecord, StaleRun } from '#store/runs.ts';
import type { Write } from '#store/table.ts';

/** Another invocation has taken the run over, or it is gone: whoever gets this stops at once. */
export class LostRun extends Error {
  constructor(runId: string) {
    super(`run ${runId} is in other hands`);
    this.name = 'LostRun';
  }
}

export interface Decision {
  change: Partial<RunRecord>;
  events?: EventBody[];
  effects?: Write[];
}

export interface HeldRun {
  /** The run as last committed or read. */
  readonly run: RunRecord;
  /**
   * Commits what `decide` makes of the present run. When a client changed the run in between (cancel, maintenance), it is read
   * again and decided anew, so `decide` must be pure; null means there is nothing to do. Throws LostRun.
   */
  commit(decide: (run: RunRecord) => Decision | null): Promise<RunRecord>;
}

/** Holds a run whose `owner` is this invocation's. */
export function holdRun(held: RunRecord): HeldRun {
  let run = held;
  let turn: Promise<unknown> = Promise.resolve();

  async function commitNow(decide: (run: RunRecord) => Decision | null): Promise<RunRecord> {
    for (;;) {
      const decision = decide(run);
      if (!decision) return run;
      try {
        run = await commit(run, decision.change, decision.events, decision.effects);
        return run;
      } catch (error) {
        if (!(error instanceof StaleRun)) throw error;
        const now = await get(run.workspace_id, run.id);
        if (!now || now.owner !== held.owner) throw new LostRun(run.id);
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
      turn = result.catch(() => undefined);
      return result;
    },
  };
}

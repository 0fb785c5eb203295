// The lease of one invocation on a run: the current run, and commits that run one at a time and fail once a newer
// invocation owns the run.
import { followedBy } from '#domain/runs/transitions.ts';
import { changedRun, type RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import * as runs from '#store/runs/runs.ts';
import { workTime } from '#store/runs/work-time.ts';
import { ConditionFailed, WriteRefused } from '#store/table/table.ts';

/** A newer invocation owns the run, or the run is gone: this invocation must stop at once. */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`the lease on run ${runId} is lost`);
    this.name = 'LeaseLost';
  }
}

export interface RunLease {
  /** The run as last committed or read, with its start. */
  readonly run: RunRecord;
  /** The run as this invocation found it. */
  readonly found: RunRecord;
  /** Waits until no commit is in flight. */
  idle(): Promise<void>;
  /**
   * Commits the start, unless that is done; of a run that waits for a model only the new owner. Await it before any
   * call that must not be made twice. Throws what `commit` throws.
   */
  acquire(): Promise<void>;
  /**
   * Commits the start of a run that waited for a model, unless that is done (rules.md: waits 2). Any commit includes
   * it. Throws what `commit` throws.
   */
  modelIsBack(): Promise<void>;
  /** From now on commits are those of a run that still waits, if its start is not committed. */
  modelIsAway(): void;
  /**
   * Commits the transition that `decide` makes of the current run. If a client changed the run in between (cancel,
   * maintenance), reads it again and decides again, so `decide` must be pure. Throws LeaseLost, and StaleRun if the
   * run changed before its start was committed. After any other failure but WriteRefused and ConditionFailed, every
   * later commit fails too.
   */
  commit(decide: (run: RunRecord) => Transition): Promise<RunRecord>;
}

/** The lease on a run that this invocation already owns. `found`: the run before that. */
export function acquiredLease(run: RunRecord, found: RunRecord): RunLease {
  return createLease(run, found, undefined, undefined);
}

/**
 * A lease that the first commit acquires, together with `start`, the transition that makes this invocation the owner.
 * A commit for the start alone would cost every run an AWS call and four write units.
 */
export function startingLease(found: RunRecord, start: Transition): RunLease {
  return createLease(found, found, start, start);
}

/**
 * The lease on a run that waits for a model, whose call may be the one that tries it: `owning` makes this invocation
 * the owner and leaves the run paused; `start`, which comes with every other commit, starts it too.
 */
export function waitingLease(found: RunRecord, start: Transition, owning: Transition): RunLease {
  return createLease(found, found, start, owning);
}

function createLease(
  committed: RunRecord,
  found: RunRecord,
  starting: Transition | undefined,
  owning: Transition | undefined,
): RunLease {
  let run = committed;
  let start = starting;
  // What makes this invocation the owner, until a commit has done so.
  let claim = owning;
  let queue: Promise<unknown> = Promise.resolve();
  const startedAt = Date.now();
  const current = () => (start ? withStart(run, start, startedAt) : run);
  const { owner } = current();

  async function commitNow(decide: (run: RunRecord) => Transition): Promise<RunRecord> {
    for (;;) {
      const decided = decide(current());
      try {
        run = await runs.commit(run, start ? followedBy(start, decided) : decided);
        start = undefined;
        claim = undefined;
        return run;
      } catch (error) {
        if (!(error instanceof runs.StaleRun) || start) throw error;
        const latest = await runs.get(run.workspace_id, run.id);
        if (!latest || latest.owner !== owner) throw new LeaseLost(run.id);
        run = latest;
      }
    }
  }

  const begin = async () => {
    if (start) await commitNow(() => ({ change: {} }));
  };

  async function claimNow(): Promise<void> {
    if (claim === start) return begin();
    if (claim) run = await runs.commit(run, claim);
    claim = undefined;
  }

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    queue = result.catch((error: unknown) => {
      // A failed commit may be in the run all the same, and the next one would count its costs again. A refusal is
      // certain.
      if (!(error instanceof WriteRefused || error instanceof ConditionFailed)) throw error;
    });
    // The next commit reports it.
    queue.catch(() => undefined);
    return result;
  }

  return {
    found,
    get run() {
      return current();
    },
    idle: () => queue.then(ignored, ignored),
    acquire: () => enqueue(claimNow),
    modelIsBack: () => enqueue(begin),
    modelIsAway() {
      start = start && claim;
    },
    commit: (decide) => enqueue(() => commitNow(decide)),
  };
}

const ignored = () => undefined;

function withStart(run: RunRecord, { change, events = [] }: Transition, startedAt: number): RunRecord {
  const started = changedRun(run, change);
  // Its deadline must not count the time that the run was paused.
  const work_time = workTime(run, started, startedAt);
  return { ...started, work_time, last_sequence: run.last_sequence + events.length };
}

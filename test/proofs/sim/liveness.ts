// What a history still waits for after its faults have stopped, and how long it may: the bound of each part follows
// from the code that repairs it.

import { limits } from '#contract/limits.ts';
import type { RunKey } from '#contract/run-keys.ts';
import { CHECK_AFTER_MS } from '#store/money/counters.ts';
import { CHECK_AGAIN_MS, SILENCE_MS } from '#store/runs/next-sweep.ts';
import type { Item } from '#store/table/table.ts';
import { runOfPartition } from '#store/table/table-keys.ts';
import { MAX_RECEIVES, PARK_MS, SWEEP_MS, VISIBILITY_MS } from './cloud.ts';
import { JOB_MS } from './workers.ts';
import type { World } from './world.ts';

/** What stops failing, dying and repeating: everything that a run, a delivery and a slot need. */
export const core = ['table', 'queue', 'workflow', 'functions', 'keys'];
/** What goes on failing for ever: then a run fails and a delivery is given up, which are ends too. */
export const outside = ['models', 'receivers', 'workers'];

const MINUTE_MS = 60_000;
/** More than a run of a history takes that nothing disturbs. */
const WORK_MS = 3 * MINUTE_MS;
/** A repair that failed n times in a row comes n minutes later: seven times take half an hour of faults. */
const PUT_OFF_MS = 7 * MINUTE_MS;
/** As long as an import leaves its changes to itself. */
const IMPORT_MS = 60 * MINUTE_MS;
/** As the sweep leaves a delivery to the queue that it has sent again. */
const RESENT_MS = 5 * MINUTE_MS;
/** A claim of a slot whose run was never written is left alone for this long. */
const ABANDONED_MS = 2 * MINUTE_MS;
const POST_MS = limits.webhook_timeout_ms;
const ladderMs = limits.webhook_retry_delays_seconds.reduce((sum, seconds) => sum + seconds * 1000, 0);

const RUN_MS = WORK_MS + SILENCE_MS + SWEEP_MS + WORK_MS + JOB_MS;
const boundsMs = {
  // Its last task may work on and die; then the run is silent until the sweep starts it again, and asks a worker.
  run: RUN_MS,
  // Its message is lost, the next one meets the claim of a dead attempt, and every attempt fails.
  delivery:
    Math.max(PUT_OFF_MS, RESENT_MS) + SWEEP_MS + VISIBILITY_MS + ladderMs + limits.webhook_attempts * POST_MS,
  // Counted from the end of its run: a look finds the claim of a dead create too young, and comes again.
  slot: Math.max(PUT_OFF_MS, ABANDONED_MS + CHECK_AFTER_MS) + 2 * SWEEP_MS,
  // The sweep checks the log of an ended run, counted from its last event.
  log: PUT_OFF_MS + 3 * SWEEP_MS,
  // Its first erasure is put off; the last one comes when no late task can write.
  deleted_run: PUT_OFF_MS + 3 * SWEEP_MS,
  // It waits for the end of its last run, fires once more, and waits for that run.
  monitor: 2 * RUN_MS + 2 * CHECK_AGAIN_MS + PUT_OFF_MS,
  // An import may go on for an hour before its changes are taken up without it.
  mark: IMPORT_MS + PUT_OFF_MS + SWEEP_MS,
  // A parked one whose run has ended otherwise waits for its token in vain.
  execution: RUN_MS + PARK_MS,
  // Those of the last run's delivery, each received as often as the queue allows.
  message: RUN_MS + PUT_OFF_MS + SWEEP_MS + MAX_RECEIVES * VISIBILITY_MS + limits.webhook_attempts * POST_MS,
};
type Part = keyof typeof boundsMs;

/** The bounds in virtual minutes. */
export const boundMinutes = Object.fromEntries(
  Object.entries(boundsMs).map(([part, ms]) => [part, Math.ceil(ms / MINUTE_MS)]),
);

/** Something that has not ended, by its part, and since when it should be on its way to its end. */
interface Waiting {
  part: Part;
  id: string;
  since: number;
  /** What it waits for. */
  for: string;
}

const timeOf = (value: unknown) => (typeof value === 'number' ? value : 0);
const minutes = (ms: number) => Math.round(ms / MINUTE_MS);
const dueIn = ({ due_pk, due_at }: Item) =>
  due_pk === undefined ? 'never due' : `due in ${minutes(timeOf(due_at) - Date.now())} min`;

/** Everything that has not ended now. */
function waitingIn({ table, executions, messages }: World): Waiting[] {
  const items = table.items();
  const runs = items
    .filter(({ pk, sk }) => sk === 'META' && String(pk).includes('#RUN#'))
    .map((run): Item & RunKey => ({ ...run, ...runOfPartition(String(run.pk)) }));
  const open = runs.filter(({ log_finished }) => log_finished !== true);
  const endOf = new Map(runs.map((run) => [run.run_id, timeOf(run.completed_at)]));
  const isOpen = new Set(open.map(({ run_id }) => run_id));
  const slots = items.flatMap(({ pk, sk, slots, at }): [string, number][] => {
    if (sk === 'COUNTERS')
      return Object.entries(Object(slots)).map(([id, slot]) => [id, timeOf(Object(slot).at)]);
    return String(pk).endsWith('#SLOTS') ? [[String(sk), timeOf(at)]] : [];
  });
  return [
    ...open.map((run): Waiting => {
      const state = executions.get(String(run.execution ?? run.run_id))?.state ?? 'not started';
      const waits = `its status is ${run.status}, its execution ${state}, ${dueIn(run)}`;
      return { part: 'run', id: run.run_id, since: timeOf(run.created_at), for: waits };
    }),
    ...runs
      .filter(({ log_finished, due_pk }) => log_finished === true && due_pk !== undefined)
      .map(
        (run): Waiting => ({
          part: 'log',
          id: run.run_id,
          // A canceled run is complete before its last step has ended.
          since: timeOf(run.last_event_at),
          for: `the check of its log, ${dueIn(run)}`,
        }),
      ),
    ...items
      .filter(({ sk, status }) => String(sk).startsWith('DELIVERY#') && status === 'pending')
      .map((one): Waiting => {
        const waits = `its attempt ${one.next_attempt}, ${dueIn(one)}`;
        return { part: 'delivery', id: String(one.event_id), since: timeOf(one.listed_at), for: waits };
      }),
    ...slots
      .filter(([id]) => !isOpen.has(id))
      .map(([id, at]): Waiting => ({ part: 'slot', id, since: endOf.get(id) ?? at, for: 'its release' })),
    ...items
      .filter(({ sk }) => sk === 'DELETION')
      .map((one): Waiting => ({ part: 'deleted_run', id: String(one.pk), since: 0, for: dueIn(one) })),
    ...items
      .filter(({ due_pk }) => /^MONITOR/.test(String(due_pk)))
      .map((one): Waiting => ({ part: 'monitor', id: `${one.pk} ${one.sk}`, since: 0, for: dueIn(one) })),
    ...items
      .filter(({ due_pk }) => /^MARK/.test(String(due_pk)))
      .map((one): Waiting => ({ part: 'mark', id: `${one.pk} ${one.sk}`, since: 0, for: dueIn(one) })),
    ...[...executions]
      .filter(([, { state }]) => state === 'RUNNING')
      .map(([id]): Waiting => ({ part: 'execution', id, since: 0, for: 'its end' })),
    ...(messages === 0
      ? []
      : [{ part: 'message' as const, id: 'queue', since: 0, for: `${messages} in flight` }]),
  ];
}

export interface Rest {
  breaches: string[];
  /** The longest that something of each part waited; virtual ms. */
  longest: Partial<Record<Part, number>>;
}

/** Waits until nothing waits any more, or something waits for longer than it may. */
export async function comesToRest(world: World): Promise<Rest> {
  const from = Date.now();
  const longest: Rest['longest'] = {};
  for (;;) {
    const waiting = waitingIn(world).map(({ since, ...one }) => ({
      ...one,
      waited: Date.now() - Math.max(from, since),
    }));
    for (const { part, waited } of waiting) longest[part] = Math.max(longest[part] ?? 0, waited);
    const late = waiting.filter(({ part, waited }) => waited > boundsMs[part]);
    if (waiting.length === 0 || late.length > 0)
      return {
        longest,
        breaches: late.map(
          (one) => `${one.part} ${one.id} has waited for ${minutes(one.waited)} min: ${one.for}`,
        ),
      };
    await world.scheduler.sleep(MINUTE_MS);
  }
}

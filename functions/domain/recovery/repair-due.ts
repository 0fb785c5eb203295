// Repairing what is due: every item of a kind, until all are done or time is up.
import { chunks } from '#platform/chunks.ts';
import { describe, log } from '#platform/log.ts';
import { type DueItem, duePages, putOff } from '#store/table/due.ts';
import { type DueKind, duePartitions } from '#store/table/table-keys.ts';

/** What a sweep did, by how many of each. */
export interface Repairs {
  /** Executions started again for runs without one. */
  executions_started: number;
  /** Parked runs woken after their maintenance had ended. */
  runs_woken: number;
  /** Runs that were failed because their deadline had passed. */
  runs_timed_out: number;
  /** Ended runs whose log was checked, and those of them whose log is illegal. */
  logs_checked: number;
  logs_illegal: number;
  /** Runs whose retention was over. */
  runs_forgotten: number;
  /** Deleted runs of which nothing is left. */
  runs_erased: number;
  /** Slots of ended runs and dead creates that were released. */
  slots_released: number;
  /** Deliveries whose queue message was lost. */
  deliveries_resent: number;
  compactions_queued: number;
  fires_queued: number;
  /** Changes of records that a writer left without marking the monitors that watch them. */
  marks_taken_up: number;
  /** Items that could not be repaired. */
  repairs_failed: number;
}

/** A sweep repairs what was due before `now`, and starts nothing after `until`; epoch ms. */
export interface SweepTime {
  now: number;
  until: number;
}

/** How many items of each partition are repaired at once. */
const IN_PARALLEL = 3;

/**
 * Repairs every due item of a kind. A failed one is counted and postponed, each time for longer, without blocking the
 * others.
 */
export async function repairDue(
  kind: DueKind,
  time: SweepTime,
  repair: (item: DueItem) => Promise<Partial<Repairs>>,
): Promise<Repairs> {
  const isolated = (item: DueItem) =>
    repair(item).catch((error: unknown) => notRepaired(item, time.now, error));
  const all = await Promise.all(
    duePartitions(kind).map((partition) => repairPartition(partition, time, isolated)),
  );
  return sum(all.flat());
}

async function repairPartition(
  partition: string,
  { now, until }: SweepTime,
  repair: (item: DueItem) => Promise<Partial<Repairs>>,
): Promise<Partial<Repairs>[]> {
  const repairs: Partial<Repairs>[] = [];
  for await (const page of duePages(partition, now))
    for (const some of chunks(page, IN_PARALLEL)) {
      if (Date.now() >= until) {
        log.warn('more is due than one sweep can do', { partition });
        return repairs;
      }
      repairs.push(...(await Promise.all(some.map(repair))));
    }
  return repairs;
}

async function notRepaired(item: DueItem, now: number, error: unknown): Promise<Partial<Repairs>> {
  log.error('not repaired', { ...item, error: describe(error) });
  // If even that fails, the item stays due for the next sweep.
  await putOff(item, now).catch(() => undefined);
  return { repairs_failed: 1 };
}

/** The repairs of several, added up. */
export function sum(all: Partial<Repairs>[]): Repairs {
  const add = (name: keyof Repairs) => all.reduce((total, one) => total + (one[name] ?? 0), 0);
  return {
    executions_started: add('executions_started'),
    runs_woken: add('runs_woken'),
    runs_timed_out: add('runs_timed_out'),
    logs_checked: add('logs_checked'),
    logs_illegal: add('logs_illegal'),
    runs_forgotten: add('runs_forgotten'),
    runs_erased: add('runs_erased'),
    slots_released: add('slots_released'),
    deliveries_resent: add('deliveries_resent'),
    compactions_queued: add('compactions_queued'),
    fires_queued: add('fires_queued'),
    marks_taken_up: add('marks_taken_up'),
    repairs_failed: add('repairs_failed'),
  };
}

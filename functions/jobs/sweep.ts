// Runs every minute: repairs what crashes left unfinished, counts each repair for an alarm, and queues due compactions
// and fires.
import type { Context } from 'aws-lambda';
import { enqueueCompactions } from '#domain/recovery/enqueue-compactions.ts';
import { claimNotices, enqueueFires } from '#domain/recovery/enqueue-fires.ts';
import { makeVectors } from '#domain/recovery/make-vectors.ts';
import { sum } from '#domain/recovery/repair-due.ts';
import { resendOverdueDeliveries } from '#domain/recovery/resend-overdue-deliveries.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { count } from '#platform/count-metrics.ts';
import { observe } from '#platform/observations.ts';

/** Time reserved to finish the items in progress. */
const REST_MS = 10_000;

/** Sweeps once; counts the repairs as metrics and returns them with what else was due. */
export async function handler(_: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>) {
  const now = Date.now();
  const time = { now, until: now + context.getRemainingTimeInMillis() - REST_MS };
  const all = await Promise.all([
    makeVectors(time),
    sweepRuns(time),
    resendOverdueDeliveries(time),
    sweepSlots(time),
    enqueueCompactions(time),
    enqueueFires(time),
    claimNotices(time),
  ]);
  const repairs = sum(all);
  const { executions_started, runs_woken, slots_released, deliveries_resent, marks_taken_up, ...rest } =
    repairs;
  const { repairs_failed, logs_illegal, ...due } = rest;
  const healed = { executions_started, runs_woken, slots_released, deliveries_resent, marks_taken_up };
  const healedTimes = Object.values(healed).reduce((total, times) => total + times, 0);
  if (healedTimes > 0) count('healed', { times: healedTimes });
  for (const [name, times] of Object.entries(healed)) {
    if (times === 0) continue;
    count(`healed_${name}`, { times });
    observe({ what: 'healed', repair: name, times });
  }
  for (const [problem, times] of Object.entries({ repairs_failed, log_illegal: logs_illegal })) {
    if (times === 0) continue;
    count(problem, { times });
    observe({ what: 'not_healed', problem, times });
  }
  return { ...healed, repairs_failed, logs_illegal, ...due };
}
